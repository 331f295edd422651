"""Changes of rate: counts, delays, and faults that were reported against others."""

import tracemalloc
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import passband
import pytest
from scipy import signal

RATIOS = [(3, 1), (8, 1), (2, 3), (3, 2), (147, 160), (160, 147), (1, 7), (7, 100)]


def lowpass(up: int, down: int, half: int = 10) -> Any:
    """The taps of SciPy's `resample_poly`."""
    widest = max(up, down)
    return up * signal.firwin(2 * half * widest + 1, 1 / widest, window=("kaiser", 5.0))


@pytest.mark.parametrize(("up", "down"), RATIOS)
def test_results_without_the_delay_are_those_of_resample_poly(up: int, down: int) -> None:
    x = np.random.default_rng(1).standard_normal(1000)
    taps = lowpass(up, down)
    resampler = passband.RationalResampler(taps, up, down, phase=(len(taps) // 2) % down)
    y = resampler.execute(np.concatenate([x, np.zeros(len(taps) // up + 2)]))
    expected = signal.resample_poly(x, up, down, window=taps / up)
    early = len(taps) // 2 // down
    np.testing.assert_allclose(y[early:][: len(expected)], expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("up", "down"), [*RATIOS, (4, 6)])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_counts_are_exact_and_no_cut_changes_a_bit(up: int, down: int, dtype: str) -> None:
    rng = np.random.default_rng(2)
    x = (rng.standard_normal(10_007) * (1j if dtype == "complex128" else 1)).astype(dtype)
    taps, phase = lowpass(up, down), down // 2

    def make() -> Any:
        return passband.RationalResampler(taps, up, down, phase=phase, dtype=dtype)

    whole = make().execute(x)
    assert len(whole) == ceil((len(x) * up - phase) / down)
    for chunk in (1, 7, 480, 1024):
        resampler, parts = make(), []
        for start in range(0, len(x), chunk):
            block = x[start : start + chunk]
            expected = resampler.max_out(len(block))
            parts.append(resampler.execute(block))
            assert len(parts[-1]) == expected
            if chunk == 1 and start > 500:
                break
        joined = np.concatenate(parts)
        assert joined.tobytes() == whole[: len(joined)].tobytes()


def test_an_output_of_one_keeps_what_is_owed_for_the_next_call() -> None:
    taps = lowpass(5, 1)
    x = np.random.default_rng(3).standard_normal(50)
    whole = passband.FirInterpolator(taps, 5).execute(x)
    made, given, left = passband.FirInterpolator(taps, 5), [], x
    while len(given) < len(whole):
        out = np.empty(1)
        progress = made.execute_into(left, out)
        assert progress.produced == 1
        left = left[progress.consumed :]
        given.append(out[0])
        assert made.max_out(0) == -len(given) % 5
    assert np.array(given).tobytes() == whole.tobytes()


def test_the_delay_that_is_reported_is_the_one_that_is_there() -> None:
    """An impulse at 10, up 16: its peak is at 160 and the delay of 320 outputs, 20 inputs."""
    taps = 16 * signal.firwin(2 * 16 * 20 + 1, 1 / 16)
    interpolator = passband.FirInterpolator(taps, 16)
    x = np.zeros(100)
    x[10] = 1
    assert interpolator.group_delay == 20.0
    assert interpolator.execute(x).argmax() == 480
    resampler = passband.RationalResampler(taps, 16, 5)
    assert resampler.group_delay == 20.0
    assert abs(resampler.execute(x).argmax() - 480 / 5) < 1
    assert passband.RationalResampler([1.0, 2.0], 16, 5).group_delay is None
    single = passband.FirInterpolator(taps, 16, dtype="float32")
    assert single.group_delay == 20.0
    assert passband.FirDecimator(np.ones(4), 2).group_delay == 1.5


def test_an_interpolator_reads_nothing_but_its_inputs() -> None:
    ramp = np.arange(348.0)
    silent = passband.FirInterpolator(ramp, 6)
    for _ in range(20):
        y = silent.execute(np.zeros(8))
        assert y.shape == (48,)
        assert not y.any()
    impulse = np.zeros(58)
    impulse[0] = 1
    assert passband.FirInterpolator(ramp, 6).execute(impulse).tolist() == ramp.tolist()


def test_silence_stays_silent_through_integers() -> None:
    resampler = passband.RationalResampler(lowpass(147, 160), 147, 160, dtype="float32")
    silence = passband.I16ToF32().steps(np.zeros(4096, np.int16))
    assert not passband.F32ToI16().steps(resampler.execute(silence)).any()


def test_ratios_of_one_give_the_input_back() -> None:
    ramp = np.arange(100.0)
    assert passband.RationalResampler([1.0], 1, 1).execute(ramp).tolist() == ramp.tolist()


def test_counts_beyond_32_bits_are_exact() -> None:
    """Taps that hold a sample: outputs are the inputs at the times rounded down."""
    up, down, n = 1_196_411, 1_195_968, 1_195_968
    resampler = passband.RationalResampler(np.ones(up), up, down, dtype="float32")
    for count in (n, 2**32, 2**40 + 1):
        assert resampler.max_out(count) == -(-count * up // down)
    x = np.arange(n, dtype=np.float32)
    y = resampler.execute(x)
    assert len(y) == up
    assert np.array_equal(y, x[np.arange(up) * down // up])


def test_outputs_beyond_the_address_space_are_no_count() -> None:
    interpolator = passband.FirInterpolator([1.0], 2**24)
    assert interpolator.max_out(2**39 - 1) == 2**63 - 2**24
    for n in (2**39, 2**62):
        expected = f"^n: expected inputs of at most {2**63 - 1} outputs, given {n}$"
        with pytest.raises(OverflowError, match=expected):
            interpolator.max_out(n)
        with pytest.raises(OverflowError, match=expected):
            passband.Chain([interpolator]).max_out(n)


def test_calls_do_not_pile_up_memory() -> None:
    x = np.ones(1 << 16, np.complex64)
    resampler = passband.RationalResampler(lowpass(3, 2), 3, 2, dtype="complex64")
    resampler.execute(x)
    tracemalloc.start()
    try:
        for _ in range(100):
            resampler.execute(x)
        assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()


def off(y: Any, expected: Any) -> float:
    """The largest difference, in decibels of the largest magnitude expected."""
    return float(20 * np.log10(np.abs(y - expected).max() / np.abs(expected).max()))


@pytest.mark.parametrize("stopband", [60, 100, 140])
@pytest.mark.parametrize("ratio", [48 / 44.1, 2.7, 0.9, 0.1234, np.pi])
def test_tones_come_through_at_any_ratio(ratio: float, stopband: int) -> None:
    resampler = passband.ArbitraryResampler(ratio, stopband=stopband, dtype="complex128")
    delay, lower = resampler.group_delay, min(1.0, ratio)
    n, skip = np.arange(20_000), ceil(2 * delay * ratio) + 1
    for freq in (0.0, 0.1 * lower, 0.4 * lower):
        resampler.reset()
        y = resampler.execute(np.exp(2j * np.pi * freq * n))
        assert len(y) == ceil(len(n) * Fraction(ratio))
        time = np.arange(len(y)) / ratio - delay
        assert off(y[skip:], np.exp(2j * np.pi * freq * time)[skip:]) < -stopband


@pytest.mark.parametrize("stopband", [60, 100, 140])
@pytest.mark.parametrize("ratio", [0.9, 0.1234])
def test_what_would_alias_is_below_the_stop_band(ratio: float, stopband: int) -> None:
    resampler = passband.ArbitraryResampler(ratio, stopband=stopband, dtype="complex128")
    for freq in (0.5 * ratio, 0.6 * ratio, 0.5):
        resampler.reset()
        y = resampler.execute(np.exp(2j * np.pi * freq * np.arange(20_000)))
        assert np.abs(y[ceil(2 * resampler.group_delay * ratio) :]).max() < 10 ** (-stopband / 20)


def test_a_delay_given_as_the_phase_is_taken_off() -> None:
    delay = passband.ArbitraryResampler(1.7).group_delay
    resampler = passband.ArbitraryResampler(1.7, phase=delay, dtype="float64")
    tone = np.cos(2 * np.pi * 0.1 * np.arange(5000))
    y = resampler.execute(tone)
    assert len(y) == ceil((5000 - Fraction(delay)) * Fraction(1.7))
    assert off(y[200:], np.cos(2 * np.pi * 0.1 / 1.7 * np.arange(len(y)))[200:]) < -100


@pytest.mark.parametrize(
    "resampler",
    [
        passband.ArbitraryResampler(1.0, dtype="complex128"),
        passband.Farrow(1.0, order=7, dtype="complex128"),
    ],
)
def test_the_ratio_changes_while_the_stream_runs_and_no_phase_jumps(resampler: Any) -> None:
    x = np.exp(2j * np.pi * 0.05 * np.arange(40_000))
    parts, times, time = [], [], 0.0
    for block, ratio in zip(np.split(x, 8), 1 + 0.001 * np.arange(8), strict=True):
        expected = resampler.max_out(len(block))
        parts.append(resampler.execute(block))
        assert len(parts[-1]) == expected
        for _ in parts[-1]:
            times.append(time)
            time += 1 / resampler.ratio
        # The next output is where it was going to be.
        resampler.ratio = ratio
        assert resampler.ratio == ratio
    y, at = np.concatenate(parts), np.array(times) - resampler.group_delay
    assert off(y[200:], np.exp(2j * np.pi * 0.05 * at)[200:]) < -100
    with pytest.raises(ValueError, match=r"^ratio: expected from 1/1024 to 65536, given 0\.0"):
        resampler.ratio = 0
    assert resampler.ratio == 1.007


IMAGES = {1: (51, 38, 25), 3: (85, 60, 36), 5: (119, 82, 46), 7: (152, 104, 56)}


@pytest.mark.parametrize("order", [1, 3, 5, 7])
def test_polynomials_leave_the_images_that_the_documentation_says(order: int) -> None:
    farrow = passband.Farrow(16.0, order=order, dtype="complex128")
    for freq, expected in zip((0.05, 0.1, 0.2), IMAGES[order], strict=True):
        farrow.reset()
        y = farrow.execute(np.exp(2j * np.pi * freq * np.arange(160)))[-16 * 100 :]
        # Whole periods: each tone is one line, the images `16 * 100 / 16` lines apart.
        lines = np.abs(np.fft.fft(y))
        tone, images = lines[round(100 * freq)], lines[round(100 * freq) + 100 :: 100]
        assert -20 * np.log10(images.max() / tone) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("order", [1, 3, 5, 7])
def test_polynomials_of_the_order_are_met(order: int) -> None:
    def polynomial(time: Any) -> Any:
        return np.polyval(np.arange(1.0, order + 2), time / 100)

    farrow = passband.Farrow(0.7, order=order, phase=(order + 1) / 2, dtype="float64")
    y = farrow.execute(polynomial(np.arange(200)))
    assert len(y) == ceil((200 - Fraction(farrow.group_delay)) * Fraction(0.7))
    times = np.arange(len(y)) / 0.7
    np.testing.assert_allclose(y[8:], polynomial(times)[8:], rtol=1e-12)


@pytest.mark.parametrize("stopband", [60, 100, 140])
def test_a_tone_comes_as_late_as_asked_for(stopband: int) -> None:
    n = np.arange(2000)
    for freq in (0.0, 0.1, 0.3, 0.45):
        tone = np.exp(2j * np.pi * freq * n)
        late = passband.FractionalDelay(60, max_delay=80, stopband=stopband, dtype="complex128")
        parts, delays = [], np.linspace(60, 80, 20)
        for block, delay in zip(np.split(tone, 20), delays, strict=True):
            late.delay = delay
            parts.append(late.steps(block))
        expected = tone * np.exp(-2j * np.pi * freq * np.repeat(delays, 100))
        assert off(np.concatenate(parts)[200:], expected[200:]) < -stopband


def test_what_goes_up_comes_down() -> None:
    taps = signal.firwin(161, 1 / 8, window=("kaiser", 8.0))
    band = np.exp(2j * np.pi * 0.05 * np.arange(500)).astype(np.complex64)
    for real_part in (False, True):
        up = passband.Duc(230e3, 8 * taps, 8, fs=1e6, phase=0.3, real_part=real_part)
        dtype = "float32" if real_part else "complex64"
        down = passband.Ddc(230e3, taps, 8, fs=1e6, phase=0.3, dtype=dtype)
        y = (2 if real_part else 1) * down.execute(up.execute(band))
        delay = up.group_delay + down.group_delay / 8
        expected = np.exp(2j * np.pi * 0.05 * (np.arange(len(y)) - delay))
        assert off(y[50:], expected[50:]) < -60


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_a_converter_is_its_shift_and_its_filter(dtype: str) -> None:
    rng, taps = np.random.default_rng(5), lowpass(1, 6).astype(np.float32)
    x = rng.standard_normal(6001).astype(dtype)
    ddc = passband.Ddc(-0.21, taps, 6, dtype=dtype)
    chain = passband.Chain(
        [passband.Mixer(0.21), passband.FirDecimator(taps, 6, dtype="complex64")]
    )
    assert ddc.max_out(6001) == 1001
    y = ddc.execute(x)
    np.testing.assert_allclose(y, chain.execute(x.astype("complex64")), rtol=0, atol=1e-6)


def test_silence_stays_silent_at_any_ratio() -> None:
    resampler = passband.ArbitraryResampler(44.1 / 48)
    assert not resampler.execute(np.zeros(4096, np.float32)).any()


@pytest.mark.parametrize("chunk", [1, 1024])
def test_a_clip_comes_whole_out_of_a_ratio_of_one(chunk: int) -> None:
    """The delay is taken off, and zeros push the end of the clip out."""
    delay = int(passband.ArbitraryResampler(1.0).group_delay)
    resampler = passband.ArbitraryResampler(1.0, phase=delay, dtype="float64")
    ramp = np.arange(300.0)
    fed = np.concatenate([ramp, np.zeros(delay)])
    y = np.concatenate(
        [resampler.execute(fed[at : at + chunk]) for at in range(0, len(fed), chunk)]
    )
    assert len(y) == len(ramp)
    assert off(y[delay:-delay], ramp[delay:-delay]) < -100


@pytest.mark.parametrize("chunk", [1, 7, 480])
def test_no_cut_changes_a_bit_at_any_ratio(chunk: int) -> None:
    x = np.random.default_rng(4).standard_normal(2003).astype(np.float32)

    def make() -> Any:
        return passband.ArbitraryResampler(44.1 / 96)

    resampler = make()
    parts = [resampler.execute(x[start : start + chunk]) for start in range(0, len(x), chunk)]
    assert np.concatenate(parts).tobytes() == make().execute(x).tobytes()


@pytest.mark.parametrize("order", [1, 3, 5])
def test_an_inverse_filter_flattens_what_moving_sums_give(order: int) -> None:
    factor = 8
    freq = np.linspace(0, 0.5, 257)
    droop = np.ones(257)
    droop[1:] = np.sin(np.pi * freq[1:]) / (factor * np.sin(np.pi * freq[1:] / factor))
    taps = signal.firwin2(63, 2 * freq, np.abs(droop) ** -order)
    flat = passband.Fir(taps)
    cic = passband.CicDecimator(factor, order, dtype="q31")
    for tone in (0.01, 0.1, 0.2, 0.3):
        x = np.cos(2 * np.pi * tone / factor * np.arange(8000)) * 2**30
        cic.reset()
        y = cic.execute(np.rint(x).astype(np.int32)) / 2**30
        flat.reset()
        settled = flat.steps(y)[200:]
        assert np.sqrt(2 * np.mean(settled**2)) == pytest.approx(1, abs=0.01)


def test_moving_sums_are_exact_at_full_scale_for_ever() -> None:
    cic = passband.CicDecimator(16, 5, delay=2)
    lowest = np.full(1 << 20, -32768, np.int16)
    y = cic.execute(lowest)
    assert (y[10:] == -32768).all()
    assert (passband.CicInterpolator(7, 4).execute(lowest[:1000])[100:] == -32768).all()
