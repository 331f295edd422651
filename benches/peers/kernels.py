"""The speed of each kernel beside the best that other packages have for the same job."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import cmsisdsp
import doppler.ddc
import doppler.filter
import doppler.resample
import doppler.source
import doppler.spectral
import doppler.track
import numpy as np
import passband
import soxr
from scipy import fft, ndimage, signal
from timing import interleaved

N = 1 << 16
ROUNDS = 12

Call = Callable[[], Any]


class Job(NamedTuple):
    """What is done, by passband and by others, over `samples` samples a call."""

    name: str
    passband: Call
    peers: dict[str, Call]
    samples: int = N


def main() -> None:
    """Prints millions of samples per second and the ratio to the fastest of the others."""
    print(f"{'kernel, n = 65536':<44}{'MSa/s':>9}{'best other':>24}{'MSa/s':>9}{'ratio':>8}")
    for job in jobs():
        seconds = interleaved({"passband": job.passband, **job.peers}, ROUNDS)
        rate = {name: job.samples / time / 1e6 for name, time in seconds.items()}
        ours = rate.pop("passband")
        best = max(rate, key=lambda name: rate[name])
        print(f"{job.name:<44}{ours:>9.1f}{best:>24}{rate[best]:>9.1f}{ours / rate[best]:>8.2f}")


def jobs() -> Iterator[Job]:
    """Each job with a peer; every package gets the arrays in the type that it works in."""
    rng = np.random.default_rng(1)
    real = rng.standard_normal(N).astype(np.float32)
    complex_ = (real + 1j * rng.standard_normal(N)).astype(np.complex64)
    yield from _filters(real, complex_)
    yield from _rates(real, complex_)
    yield from _loops(real, complex_)
    yield from _records(real, complex_)
    yield from _spectra(complex_)
    yield from _codes(0.2 * real)
    yield from _filters_of_codes(0.2 * real)
    yield from _arithmetic(real, complex_)


def _filters(real: Any, complex_: Any) -> Iterator[Job]:
    sections = signal.butter(8, 0.2, output="sos").astype(np.float32)
    for x in (real, complex_):
        sos = passband.Sos(sections, dtype=x.dtype.name)
        peers: dict[str, Call] = {"scipy sosfilt": lambda x=x: signal.sosfilt(sections, x)}
        if x is real:
            peers["cmsisdsp df2T"] = _biquads(sections, x)
        yield Job(f"Sos, 4 sections, {x.dtype}", lambda sos=sos, x=x: sos.steps(x), peers)
    stereo = np.ascontiguousarray(real.reshape(-1, 2))
    two = passband.Sos(sections, channels=2, dtype="float32")
    yield Job(
        "Sos, 4 sections, 2 channels interleaved",
        lambda: two.steps(stereo, axis=0),
        {"scipy sosfilt": lambda: signal.sosfilt(sections, stereo, axis=0)},
    )
    average, peer = passband.MovingAverage(64, dtype="complex64"), doppler.filter.MovingAverage(64)
    yield Job(
        "MovingAverage of 64, complex64",
        lambda: average.steps(complex_),
        {
            "doppler-dsp": lambda: peer.steps(complex_),
            "scipy uniform_filter1d": lambda: ndimage.uniform_filter1d(complex_, 64),
        },
    )
    blocker = passband.DcBlocker(0.995, dtype="float32")
    b, a = np.array([1, -1], np.float32), np.array([1, -0.995], np.float32)
    yield Job(
        "DcBlocker, float32",
        lambda: blocker.steps(real),
        {"scipy lfilter": lambda: signal.lfilter(b, a, real)},
    )
    yield from _small_filters(real)
    taps = signal.firwin(1025, 0.1).astype(np.float32)
    fast = passband.FftFir(taps, dtype="complex64")
    yield Job(
        "FftFir, 1025 taps, complex64",
        lambda: fast.execute(complex_),
        {"scipy oaconvolve": lambda: signal.oaconvolve(complex_, taps)},
    )
    delay, past = passband.DelayLine(100, dtype="complex64"), np.zeros(100, np.complex64)
    yield Job(
        "DelayLine of 100, complex64",
        lambda: delay.steps(complex_),
        {"numpy concatenate": lambda: np.concatenate((past, complex_[:-100]))},
    )


def _rates(real: Any, complex_: Any) -> Iterator[Job]:
    for x in (real, complex_):
        dtype = x.dtype.name
        taps = signal.firwin(64, 1 / 8).astype(np.float32)
        by_eight = passband.FirInterpolator(taps, 8, dtype=dtype)
        yield Job(
            f"FirInterpolator by 8, 64 taps, {dtype}",
            lambda made=by_eight, x=x: made.execute(x),
            {"scipy upfirdn": lambda taps=taps, x=x: signal.upfirdn(taps, x, 8)},
        )
        many = signal.firwin(160 * 24, 1 / 160).astype(np.float32)
        ratio = passband.RationalResampler(many, 160, 147, dtype=dtype)
        yield Job(
            f"RationalResampler 160 / 147, 24 taps a branch, {dtype}",
            lambda made=ratio, x=x: made.execute(x),
            {"scipy upfirdn": lambda taps=many, x=x: signal.upfirdn(taps, x, 160, 147)},
        )
        for stopband, quality in ((60, "LQ"), (100, "MQ"), (140, "VHQ")):
            any_rate = passband.ArbitraryResampler(48 / 44.1, stopband=stopband, dtype=dtype)
            parts = x.view(np.float32).reshape(len(x), -1)
            peers: dict[str, Call] = {
                f"soxr {quality}": lambda x=parts, q=quality: soxr.resample(x, 44100, 48000, q)
            }
            if x is complex_ and stopband == 60:
                peer = doppler.resample.Resampler(48 / 44.1)
                peers["doppler-dsp"] = lambda peer=peer, x=x: peer.execute(x)
            yield Job(
                f"ArbitraryResampler 48 / 44.1, {stopband} dB, {dtype}",
                lambda made=any_rate, x=x: made.execute(x),
                peers,
            )

    farrow = passband.Farrow(48 / 44.1, dtype="complex64")
    parts = complex_.view(np.float32).reshape(-1, 2)
    yield Job(
        "Farrow 48 / 44.1, order 3, complex64",
        lambda: farrow.execute(complex_),
        {"soxr QQ": lambda: soxr.resample(parts, 44100, 48000, "QQ")},
    )
    late, cubic = passband.FractionalDelay(2.5, dtype="complex64"), doppler.resample.Farrow("cubic")
    yield Job(
        "FractionalDelay of 2.5, order 3, complex64",
        lambda: late.steps(complex_),
        {"doppler-dsp": lambda: cubic.delay(complex_, 0.5)},
    )
    low_pass = signal.firwin(256, 1 / 16).astype(np.float32)
    ddc, other = passband.Ddc(0.1, low_pass, 16), doppler.ddc.DDC(-0.1, 1 / 16)
    tone = np.exp(-2j * np.pi * 0.1 * np.arange(N)).astype(np.complex64)
    yield Job(
        "Ddc by 16, 256 taps, complex64",
        lambda: ddc.execute(complex_),
        {
            "doppler-dsp": lambda: other.execute(complex_),
            "numpy and scipy": lambda: signal.upfirdn(low_pass, complex_ * tone, 1, 16),
        },
    )
    half = signal.firwin(47, 0.5).astype(np.float32)
    half[1::2], half[23] = 0, 0.5
    decimator, branch = passband.HalfbandDecimator(half, dtype="complex64"), half[::2].copy()
    peer = doppler.resample.HalfbandDecimator(h=branch)
    yield Job(
        "HalfbandDecimator, 47 taps, complex64",
        lambda: decimator.execute(complex_),
        {
            "doppler-dsp": lambda: peer.execute(complex_),
            "scipy upfirdn": lambda: signal.upfirdn(half, complex_, 1, 2),
        },
    )
    interpolator = passband.HalfbandInterpolator(half, dtype="complex64")
    yield Job(
        "HalfbandInterpolator, 47 taps, complex64",
        lambda: interpolator.execute(complex_),
        {"scipy upfirdn": lambda: signal.upfirdn(half, complex_, 2)},
    )
    codes = (1000 * real).astype(np.int16)
    sums, others = passband.CicDecimator(16, 4), doppler.resample.CIC(R=16)
    yield Job(
        "CicDecimator by 16, order 4, q15 (doppler: complex64)",
        lambda: sums.execute(codes),
        {"doppler-dsp": lambda: others.decimate(complex_)},
    )


def _biquads(sections: Any, x: Any) -> Call:
    instance = cmsisdsp.arm_biquad_cascade_df2T_instance_f32()
    rows = [[b0, b1, b2, -a1, -a2] for b0, b1, b2, _, a1, a2 in sections]
    state = np.zeros(2 * len(sections), np.float32)
    cmsisdsp.arm_biquad_cascade_df2T_init_f32(instance, len(sections), np.ravel(rows), state)
    return lambda: cmsisdsp.arm_biquad_cascade_df2T_f32(instance, x)


def _loops(real: Any, complex_: Any) -> Iterator[Job]:
    control = (0.1 * real).astype(np.float32)
    nco, lo = passband.Nco(), doppler.source.LO(0.0)
    placed = np.empty(N, np.complex64)
    yield Job(
        "Nco",
        lambda: nco.steps(control),
        {"doppler-dsp": lambda: lo.steps_ctrl(control, placed)},
    )
    pll, costas = passband.Pll(0.01), doppler.track.Costas(bn=0.01, tsamps=1)
    yield Job(
        "Pll (doppler: Costas)",
        lambda: pll.steps(complex_),
        {"doppler-dsp": lambda: costas.steps(complex_, placed)},
    )
    sync, peer = passband.SymbolSync(5, 0.01), doppler.track.SymbolSync(5, 0.01)
    yield Job(
        "SymbolSync, float32 (doppler: complex64)",
        lambda: sync.execute(real),
        {"doppler-dsp": lambda: peer.steps(complex_, placed)},
    )
    nlms = passband.Nlms(32, 0.5, dtype="float32")
    lms = cmsisdsp.arm_lms_norm_instance_f32()
    cmsisdsp.arm_lms_norm_init_f32(
        lms, 32, np.zeros(32, np.float32), np.zeros(N + 31, np.float32), 0.5
    )
    wanted, error = np.roll(real, 3), np.empty(N, np.float32)
    yield Job(
        "Nlms, 32 taps, float32",
        lambda: nlms.steps(real, wanted),
        {"cmsisdsp": lambda: cmsisdsp.arm_lms_norm_f32(lms, real, wanted, error)},
    )
    plain, peer = passband.Lms(32, 0.01), cmsisdsp.arm_lms_instance_f32()
    cmsisdsp.arm_lms_init_f32(
        peer, 32, np.zeros(32, np.float32), np.zeros(N + 31, np.float32), 0.01
    )
    yield Job(
        "Lms, 32 taps, float32",
        lambda: plain.steps(real, wanted),
        {"cmsisdsp": lambda: cmsisdsp.arm_lms_f32(peer, real, wanted, error)},
    )


def _small_filters(real: Any) -> Iterator[Job]:
    recursions = (
        ("OnePole", passband.OnePole(0.1), [0.1], [1, -0.9]),
        ("Deemphasis", passband.Deemphasis(3.6), [0.217, 0.026], [1, -0.757]),
        ("Allpass, first order", passband.Allpass(0.5), [0.5, 1], [1, 0.5]),
        ("Allpass, second order", passband.Allpass(-1.2, 0.81), [0.81, -1.2, 1], [1, -1.2, 0.81]),
    )
    for name, made, b, a in recursions:
        taps, poles = np.float32(b), np.float32(a)
        yield Job(
            f"{name}, float32",
            lambda made=made: made.steps(real),
            {"scipy lfilter": lambda taps=taps, poles=poles: signal.lfilter(taps, poles, real)},
        )
    for length in (9, 301):
        median = passband.MovingMedian(length)
        yield Job(
            f"MovingMedian of {length}, float32",
            lambda median=median: median.steps(real),
            {"scipy medfilt": lambda length=length: signal.medfilt(real, length)},
        )
    hilbert = passband.Hilbert(63)
    both = 1j * hilbert.taps
    both[31] = 1
    yield Job(
        "Hilbert, 63 taps, float32",
        lambda: hilbert.steps(real),
        {"scipy lfilter": lambda: signal.lfilter(both, [1], real)},
    )


def _records(real: Any, complex_: Any) -> Iterator[Job]:
    power = passband.PowerAverager(dtype="complex64")
    yield Job(
        "PowerAverager, complex64",
        lambda: power.push(complex_),
        {"numpy vdot": lambda: np.vdot(complex_, complex_)},
    )
    meter = passband.LevelMeter(dtype="float32")
    yield Job(
        "LevelMeter, float32",
        lambda: meter.measure(real),
        {"numpy": lambda: (np.sqrt(np.mean(np.square(real))), np.max(np.abs(real)))},
    )
    doubles = real.astype(np.float64)
    yield Job(
        "find_peaks, prominence and width",
        lambda: passband.find_peaks(doubles, height=1),
        {"scipy find_peaks": lambda: signal.find_peaks(doubles, height=1, prominence=0, width=0)},
    )
    slicer = passband.PulseSlicer(0.5, 0.0, dtype="float32")
    yield Job(
        "PulseSlicer, float32",
        lambda: slicer.detect(real),
        {"numpy diff of >": lambda: np.flatnonzero(np.diff(real > 0.5))},
    )


def _spectra(complex_: Any) -> Iterator[Job]:
    for n in (256, 1024, 16384):
        frames = np.ascontiguousarray(complex_.reshape(-1, n))
        ours, engine = passband.Fft(n), doppler.spectral.FFT(n)
        out = np.empty(n, np.complex64)
        yield Job(
            f"Fft of {n}, complex64",
            lambda ours=ours, frames=frames: ours.batch(frames),
            {
                "scipy fft": lambda frames=frames: fft.fft(frames),
                "doppler-dsp": lambda engine=engine, frames=frames, out=out: [
                    engine.execute_cf32(frame, out) for frame in frames
                ],
            },
        )
    single = np.empty(N, np.float32)
    yield Job(
        "kaiser, float32 (SciPy: float64)",
        lambda: passband.kaiser(N, 8, dtype="float32"),
        {
            "doppler-dsp": lambda: doppler.spectral.kaiser_window(single, 8),
            "scipy": lambda: signal.windows.kaiser(N, 8),
        },
    )
    yield Job(
        "blackman_harris, float64",
        lambda: passband.blackman_harris(N),
        {"scipy": lambda: signal.windows.blackmanharris(N)},
    )


def _codes(real: Any) -> Iterator[Job]:
    short, dithered = passband.F32ToI16(), passband.F32ToI16(dither=1)
    rng = np.random.default_rng(1)

    def codes(x: Any, dtype: str) -> Any:
        limits = np.iinfo(dtype)
        return np.clip(np.rint(x * (limits.max + 1.0)), limits.min, limits.max).astype(dtype)

    yield Job(
        "F32ToI16",
        lambda: short.steps(real),
        {
            "numpy rint clip astype": lambda: codes(real, "int16"),
            "cmsisdsp": lambda: cmsisdsp.arm_float_to_q15(real),
        },
    )
    yield Job(
        "F32ToI16, dither",
        lambda: dithered.steps(real),
        {"numpy": lambda: codes(real + rng.triangular(-1, 0, 1, N) / 32768, "int16")},
    )
    long = passband.F32ToI32()
    yield Job(
        "F32ToI32",
        lambda: long.steps(real),
        {
            "numpy rint clip astype": lambda: codes(real.astype(np.float64), "int32"),
            "cmsisdsp": lambda: cmsisdsp.arm_float_to_q31(real),
        },
    )
    octets, from_octets = rng.integers(0, 256, 2 * N, np.uint8), passband.U8ToF32(iq=True)
    yield Job(
        "U8ToF32, I and Q",
        lambda: from_octets.steps(octets),
        {"numpy astype": lambda: ((octets.astype("f4") - 127.5) / 128).view(np.complex64)},
    )
    words, from_words = codes(real, "int16"), passband.I16ToF32()
    yield Job(
        "I16ToF32",
        lambda: from_words.steps(words),
        {
            "numpy astype": lambda: words.astype("f4") / 32768,
            "cmsisdsp": lambda: cmsisdsp.arm_q15_to_float(words),
        },
    )
    adc = passband.Adc(12)
    yield Job(
        "Adc, 12 bits, float32",
        lambda: adc.steps(real),
        {"numpy rint clip": lambda: np.clip(np.rint(real * 2048), -2048, 2047) / 2048},
    )
    for name, wide in (("q15", words), ("q31", codes(real.astype(np.float64), "int32"))):
        other = np.roll(wide, 1)
        for ours, peer in (("add", "add"), ("mul", "mult"), ("dot", "dot_prod")):
            function = getattr(passband.fixed, ours)
            arm = getattr(cmsisdsp, f"arm_{peer}_{name}")
            yield Job(
                f"fixed.{ours}, {name}",
                lambda f=function, a=wide, b=other: f(a, b),
                {"cmsisdsp": lambda f=arm, a=wide, b=other: f(a, b)},
            )


def _filters_of_codes(real: Any) -> Iterator[Job]:
    taps, sections = signal.firwin(64, 0.2), signal.butter(8, 0.2, output="sos")
    for q, dtype, to in (("q15", "int16", passband.to_q15), ("q31", "int32", passband.to_q31)):
        x, codes, state = to(real), to(taps), np.zeros(N + 63, dtype)
        fir, instance = passband.Fir(codes, dtype=q), _arm("arm_fir_instance", q)
        _arm("arm_fir_init", q, instance, 64, codes[::-1], state)
        yield Job(
            f"Fir, 64 taps, {q}",
            lambda fir=fir, x=x: fir.steps(x),
            {"cmsisdsp": lambda q=q, arm=instance, x=x: _arm("arm_fir", q, arm, x)},
        )
        by_eight = passband.FirDecimator(codes, 8, dtype=q)
        decimate = _arm("arm_fir_decimate_instance", q)
        _arm("arm_fir_decimate_init", q, decimate, 64, 8, codes[::-1], state)
        yield Job(
            f"FirDecimator by 8, 64 taps, {q}",
            lambda made=by_eight, x=x: made.execute(x),
            {"cmsisdsp": lambda q=q, arm=decimate, x=x: _arm("arm_fir_decimate", q, arm, x)},
        )
        sos = passband.Sos(to(np.ravel(sections) / 4).reshape(-1, 6), dtype=q)
        biquads = _arm("arm_biquad_casd_df1_inst", q)
        zeros = [0.0] * (q == "q15")
        rows = [[b0, *zeros, b1, b2, -a1, -a2] for b0, b1, b2, _, a1, a2 in sections / 4]
        _arm("arm_biquad_cascade_df1_init", q, biquads, 4, to(np.ravel(rows)), state[:16], 2)
        yield Job(
            f"Sos, 4 sections, {q}",
            lambda sos=sos, x=x: sos.steps(x),
            {"cmsisdsp": lambda q=q, arm=biquads, x=x: _arm("arm_biquad_cascade_df1", q, arm, x)},
        )


def _arm(name: str, q: str, *arguments: Any) -> Any:
    return getattr(cmsisdsp, f"{name}_{q}")(*arguments)


def _arithmetic(real: Any, complex_: Any) -> Iterator[Job]:
    for a in (real, complex_):
        b = np.roll(a, 1)
        named = {"add": np.add, "mul": np.multiply, "dot": np.dot, "vdot": np.vdot}
        for name, peer in named.items():
            function = getattr(passband.math, name)
            yield Job(
                f"math.{name}, {a.dtype}",
                lambda f=function, a=a, b=b: f(a, b),
                {f"numpy {peer.__name__}": lambda f=peer, a=a, b=b: f(a, b)},
            )
        yield Job(
            f"math.mac, {a.dtype}",
            lambda a=a, b=b: passband.math.mac(b, a, b),
            {"numpy": lambda a=a, b=b: b + a * b},
        )
    for phase in (np.angle(complex_), np.angle(complex_.astype("c16"))):
        yield Job(
            f"math.unwrap, {phase.dtype}",
            lambda x=phase: passband.math.unwrap(x),
            {"numpy unwrap": lambda x=phase: np.unwrap(x)},
        )


if __name__ == "__main__":
    main()
