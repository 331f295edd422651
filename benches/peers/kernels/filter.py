"""Filters, delays and controllers."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import doppler.filter
import doppler.resample
import numpy as np
import passband
from scipy import ndimage, signal

from kernels.job import Job, N, arm_made

SECTIONS = signal.butter(8, 0.2, output="sos")
FIXED_POINT = (("q15", "int16", passband.to_q15), ("q31", "int32", passband.to_q31))


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Filters of samples and of codes."""
    yield from _sections(real, complex_)
    yield from _windows(real, complex_)
    yield from _recursions(real)
    yield from _delays(complex_)
    yield from _adaptive(real)
    yield from _codes(0.2 * real)


def _sections(real: Any, complex_: Any) -> Iterator[Job]:
    sections = SECTIONS.astype(np.float32)
    rows = np.array([[b0, b1, b2, -a1, -a2] for b0, b1, b2, _, a1, a2 in sections])
    biquads = arm_made("biquad_cascade_df2T", "f32", 4, np.ravel(rows), np.zeros(8, np.float32))
    for x, peers in ((real, {"cmsisdsp df2T": partial(biquads, real)}), (complex_, {})):
        sos = passband.Sos(sections, dtype=x.dtype.name)
        scipy = {"scipy sosfilt": partial(signal.sosfilt, sections, x)}
        yield Job(f"Sos, 4 sections, {x.dtype}", partial(sos.steps, x), scipy | peers)
    stereo = np.ascontiguousarray(real.reshape(-1, 2))
    two = passband.Sos(sections, channels=2, dtype="float32")
    yield Job(
        "Sos, 4 sections, 2 channels interleaved",
        partial(two.steps, stereo, axis=0),
        {"scipy sosfilt": partial(signal.sosfilt, sections, stereo, axis=0)},
    )


def _windows(real: Any, complex_: Any) -> Iterator[Job]:
    average, peer = passband.MovingAverage(64, dtype="complex64"), doppler.filter.MovingAverage(64)
    yield Job(
        "MovingAverage of 64, complex64",
        partial(average.steps, complex_),
        {
            "doppler-dsp": partial(peer.steps, complex_),
            "scipy uniform_filter1d": partial(ndimage.uniform_filter1d, complex_, 64),
        },
    )
    for length in (9, 301):
        yield Job(
            f"MovingMedian of {length}, float32",
            partial(passband.MovingMedian(length).steps, real),
            {"scipy medfilt": partial(signal.medfilt, real, length)},
        )
    hilbert = passband.Hilbert(63)
    both = 1j * hilbert.taps
    both[31] = 1
    yield Job(
        "Hilbert, 63 taps, float32",
        partial(hilbert.steps, real),
        {"scipy lfilter": partial(signal.lfilter, both, [1], real)},
    )
    taps = signal.firwin(1025, 0.1).astype(np.float32)
    yield Job(
        "FftFir, 1025 taps, complex64",
        partial(passband.FftFir(taps, dtype="complex64").execute, complex_),
        {"scipy oaconvolve": partial(signal.oaconvolve, complex_, taps)},
    )


def _recursions(real: Any) -> Iterator[Job]:
    for name, made, b, a in (
        ("DcBlocker", passband.DcBlocker(0.995), [1, -1], [1, -0.995]),
        ("OnePole", passband.OnePole(0.1), [0.1], [1, -0.9]),
        ("Deemphasis", passband.Deemphasis(3.6), [0.217, 0.026], [1, -0.757]),
        ("Allpass, first order", passband.Allpass(0.5), [0.5, 1], [1, 0.5]),
        ("Allpass, second order", passband.Allpass(-1.2, 0.81), [0.81, -1.2, 1], [1, -1.2, 0.81]),
        ("Pid", passband.Pid(0.5, 0.1, 0.2), [0.8, -0.9, 0.2], [1, -1]),
    ):
        yield Job(
            f"{name}, float32",
            partial(made.steps, real),
            {"scipy lfilter": partial(signal.lfilter, np.float32(b), np.float32(a), real)},
        )


def _delays(complex_: Any) -> Iterator[Job]:
    delay, past = passband.DelayLine(100, dtype="complex64"), np.zeros(100, np.complex64)
    yield Job(
        "DelayLine of 100, complex64",
        partial(delay.steps, complex_),
        {"numpy concatenate": lambda: np.concatenate((past, complex_[:-100]))},
    )
    late, cubic = passband.FractionalDelay(2.5, dtype="complex64"), doppler.resample.Farrow("cubic")
    yield Job(
        "FractionalDelay of 2.5, order 3, complex64",
        partial(late.steps, complex_),
        {"doppler-dsp": partial(cubic.delay, complex_, 0.5)},
    )


def _adaptive(real: Any) -> Iterator[Job]:
    kernels = ((passband.Nlms, "lms_norm", 0.5), (passband.Lms, "lms", 0.01))
    for made, peer, step in kernels:
        filters = (
            ("float32", "f32", real, np.float32(step), []),
            ("q15", "q15", passband.to_q15(0.2 * real), passband.to_q15([step])[0], [0]),
        )
        for dtype, suffix, x, scaled, shift in filters:
            weights, past = np.zeros(32, x.dtype), np.zeros(N + 31, x.dtype)
            other = arm_made(peer, suffix, 32, weights, past, scaled, *shift)
            wanted, error = np.roll(x, 3), np.empty_like(x)
            yield Job(
                f"{made.__name__}, 32 taps, {dtype}",
                partial(made(32, step, dtype=dtype).steps, x, wanted),
                {"cmsisdsp": partial(other, x, wanted, error)},
            )


def _codes(real: Any) -> Iterator[Job]:
    for q, dtype, to in FIXED_POINT:
        x, codes, state = to(real), to(signal.firwin(64, 0.2)), np.zeros(N + 63, dtype)
        peer = arm_made("fir", q, 64, codes[::-1], state)
        yield Job(
            f"Fir, 64 taps, {q}",
            partial(passband.Fir(codes, dtype=q).steps, x),
            {"cmsisdsp": partial(peer, x)},
        )
        sos = passband.Sos(to(np.ravel(SECTIONS) / 4).reshape(-1, 6), dtype=q)
        zeros = [0.0] * (q == "q15")
        rows = [[b0, *zeros, b1, b2, -a1, -a2] for b0, b1, b2, _, a1, a2 in SECTIONS / 4]
        arguments = (4, to(np.ravel(rows)), np.zeros(16, dtype), 2)
        peer = arm_made("biquad_cascade_df1", q, *arguments, instance="biquad_casd_df1_inst")
        yield Job(f"Sos, 4 sections, {q}", partial(sos.steps, x), {"cmsisdsp": partial(peer, x)})
