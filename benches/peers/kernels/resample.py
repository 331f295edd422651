"""Changes of rate."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import doppler.ddc
import doppler.resample
import numpy as np
import passband
import soxr
from scipy import signal

from kernels.filter import FIXED_POINT
from kernels.job import Call, Job, N, arm_made


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """By whole numbers, by fractions, by any ratio."""
    for x in (real, complex_):
        yield from _by_taps(x)
        yield from _at_any_ratio(x)
    yield from _halfband(complex_)
    yield from _moved(complex_)
    yield from _sums(real, complex_)
    yield from _codes(0.2 * real)


def _by_taps(x: Any) -> Iterator[Job]:
    dtype, taps = x.dtype.name, signal.firwin(64, 1 / 8).astype(np.float32)
    scipy = partial(signal.upfirdn, taps, x)
    past = np.zeros(N + 63, np.float32)
    fewer: dict[str, Call] = {"scipy upfirdn": partial(scipy, 1, 8)}
    more: dict[str, Call] = {"scipy upfirdn": partial(scipy, 8)}
    if dtype == "float32":
        fewer["cmsisdsp"] = partial(arm_made("fir_decimate", "f32", 64, 8, taps, past), x)
        more["cmsisdsp"] = partial(arm_made("fir_interpolate", "f32", 8, 64, taps, past.copy()), x)
    decimator = passband.FirDecimator(taps, 8, dtype=dtype)
    yield Job(f"FirDecimator by 8, 64 taps, {dtype}", partial(decimator.execute, x), fewer)
    interpolator = passband.FirInterpolator(taps, 8, dtype=dtype)
    yield Job(f"FirInterpolator by 8, 64 taps, {dtype}", partial(interpolator.execute, x), more)
    many = signal.firwin(160 * 24, 1 / 160).astype(np.float32)
    ratio = passband.RationalResampler(many, 160, 147, dtype=dtype)
    yield Job(
        f"RationalResampler 160 / 147, 24 taps a branch, {dtype}",
        partial(ratio.execute, x),
        {"scipy upfirdn": partial(signal.upfirdn, many, x, 160, 147)},
    )


def _at_any_ratio(x: Any) -> Iterator[Job]:
    dtype, parts = x.dtype.name, x.view(np.float32).reshape(len(x), -1)
    for stopband, quality in ((60, "LQ"), (100, "MQ"), (140, "VHQ")):
        made = passband.ArbitraryResampler(48 / 44.1, stopband=stopband, dtype=dtype)
        peers: dict[str, Call] = {
            f"soxr {quality}": partial(soxr.resample, parts, 44100, 48000, quality)
        }
        if dtype == "complex64" and stopband == 60:
            peers["doppler-dsp"] = partial(doppler.resample.Resampler(48 / 44.1).execute, x)
        name = f"ArbitraryResampler 48 / 44.1, {stopband} dB, {dtype}"
        yield Job(name, partial(made.execute, x), peers)
    yield Job(
        f"Farrow 48 / 44.1, order 3, {dtype}",
        partial(passband.Farrow(48 / 44.1, dtype=dtype).execute, x),
        {"soxr QQ": partial(soxr.resample, parts, 44100, 48000, "QQ")},
    )


def _halfband(x: Any) -> Iterator[Job]:
    taps = signal.firwin(47, 0.5).astype(np.float32)
    taps[1::2], taps[23] = 0, 0.5
    peer = doppler.resample.HalfbandDecimator(h=taps[::2].copy())
    yield Job(
        "HalfbandDecimator, 47 taps, complex64",
        partial(passband.HalfbandDecimator(taps, dtype="complex64").execute, x),
        {
            "doppler-dsp": partial(peer.execute, x),
            "scipy upfirdn": partial(signal.upfirdn, taps, x, 1, 2),
        },
    )
    yield Job(
        "HalfbandInterpolator, 47 taps, complex64",
        partial(passband.HalfbandInterpolator(taps, dtype="complex64").execute, x),
        {"scipy upfirdn": partial(signal.upfirdn, taps, x, 2)},
    )


def _moved(x: Any) -> Iterator[Job]:
    taps = signal.firwin(256, 1 / 16).astype(np.float32)
    tone = np.exp(2j * np.pi * 0.1 * np.arange(N)).astype(np.complex64)
    down, few = tone.conj(), x[: N // 16]
    yield Job(
        "Ddc by 16, 256 taps, complex64",
        partial(passband.Ddc(0.1, taps, 16).execute, x),
        {
            "doppler-dsp": partial(doppler.ddc.DDC(-0.1, 1 / 16).execute, x),
            "numpy and scipy": lambda: signal.upfirdn(taps, x * down, 1, 16),
        },
    )
    yield Job(
        "Duc by 16, 256 taps, complex64",
        partial(passband.Duc(0.1, taps, 16).execute, few),
        {"numpy and scipy": lambda: signal.upfirdn(taps, few, 16)[:N] * tone},
    )


def _sums(real: Any, complex_: Any) -> Iterator[Job]:
    codes = (1000 * real).astype(np.int16)
    yield Job(
        "CicDecimator by 16, order 4, q15 (doppler: complex64)",
        partial(passband.CicDecimator(16, 4).execute, codes),
        {"doppler-dsp": partial(doppler.resample.CIC(R=16).decimate, complex_)},
    )
    few, boxes = codes[: N // 16], np.ones(1, np.float32)
    for _ in range(4):
        boxes = np.convolve(boxes, np.full(16, 1 / 8, np.float32))
    yield Job(
        "CicInterpolator by 16, order 4, q15",
        partial(passband.CicInterpolator(16, 4).execute, few),
        {"scipy upfirdn": lambda: signal.upfirdn(boxes, few, 16).astype(np.int16)},
    )


def _codes(real: Any) -> Iterator[Job]:
    for q, dtype, to in FIXED_POINT:
        x, codes, past = to(real), to(signal.firwin(64, 0.2)), np.zeros(N + 63, dtype)
        peer = arm_made("fir_decimate", q, 64, 8, codes[::-1], past)
        yield Job(
            f"FirDecimator by 8, 64 taps, {q}",
            partial(passband.FirDecimator(codes, 8, dtype=q).execute, x),
            {"cmsisdsp": partial(peer, x)},
        )
    taps = signal.firwin(47, 0.5)
    taps[1::2], taps[23] = 0, 0.5
    pairs, branch = np.repeat(passband.to_q15(real), 2), taps[::2].astype(np.float32)
    yield Job(
        "HalfbandDecimator, 47 taps, q15 (doppler: pairs)",
        partial(passband.HalfbandDecimator(passband.to_q15(taps), dtype="q15").execute, pairs),
        {"doppler-dsp": partial(doppler.resample.HalfbandDecimatorQ15(h=branch).execute, pairs)},
        2 * N,
    )
