"""Faults that were reported against other libraries: the input, and the right answer."""

import threading
from typing import Any

import numpy as np
import passband
import pytest
from surface import same


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_a_block_of_one_does_not_see_what_lies_behind_it(dtype: str) -> None:
    # A vector that loads four samples makes 0 times infinity out of the three that are not there.
    buffer = np.array([1, np.inf, np.nan, np.inf], dtype)
    sos = passband.Sos([[1, 0, 0, 1, -0.5, 0]], dtype=dtype)
    assert sos.steps(buffer[:1]).tolist() == [1]
    assert sos.steps(np.zeros(1, dtype)).tolist() == [0.5]
    stereo = passband.Sos([[1, 0, 0, 1, -0.5, 0]], dtype=dtype, channels=2)
    rows = np.array([[1, np.inf], [2, np.nan]], dtype)
    assert stereo.steps(rows[:, :1]).tolist() == [[1], [2]]
    assert stereo.steps(np.zeros((2, 1), dtype)).tolist() == [[0.5], [1]]
    assert passband.MovingAverage(2, dtype=dtype).steps(buffer[:1]).tolist() == [0.5]
    assert passband.DcBlocker(0.5, dtype=dtype).steps(buffer[:1]).tolist() == [1]
    assert passband.Nlms(2, 0.5, dtype=dtype).steps(buffer[:1], buffer[:1]).tolist() == [1]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("regularization", [0.0, 1e-6])
def test_an_adaptive_filter_stands_still_in_silence(dtype: str, regularization: float) -> None:
    adaptive = passband.Nlms(8, 1.0, regularization=regularization, dtype=dtype)
    silence, ones = np.zeros(100, dtype), np.ones(100, dtype)
    assert (adaptive.steps(silence, ones) == 1).all()
    assert not adaptive.taps.any()
    assert adaptive.taps.dtype == dtype


def test_transforms_are_made_and_run_in_threads() -> None:
    sizes = [64 << i for i in range(7)]
    rng = np.random.default_rng(3)
    frames = {n: (rng.standard_normal((4, n, 2)) @ [1, 1j]).astype("c8") for n in sizes}
    serial = {n: passband.Fft(n).batch(frames[n]) for n in sizes}
    for n in sizes:
        exact = np.fft.fft(frames[n].astype("c16"))
        np.testing.assert_allclose(serial[n], exact, atol=1e-5 * np.sqrt(n))
    start, faults = threading.Barrier(8), []

    def run(first: int) -> None:
        start.wait()
        for i in range(3 * len(sizes)):
            n = sizes[(first + i) % len(sizes)]
            try:
                same(passband.Fft(n).batch(frames[n]), serial[n])
            except Exception as fault:
                faults.append(fault)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_an_oscillator_takes_more_samples_than_16_bits_count() -> None:
    n = 200_000
    for result in (
        passband.LocalOscillator(0.3).steps(n),
        passband.Nco(dtype="float64").steps(np.full(n, 0.3)),
    ):
        exact = np.exp(2j * np.pi * np.mod(0.3 * np.arange(n), 1))
        np.testing.assert_allclose(result, exact, atol=1e-6)


@pytest.mark.parametrize("freq", [-0.25, -0.1, 1.0, 2.0, -3.0])
def test_negative_and_whole_frequencies_turn_as_they_say(freq: float) -> None:
    turns = np.exp(2j * np.pi * freq * np.arange(64))
    made: list[Any] = [
        passband.LocalOscillator(freq).steps(64),
        passband.Nco().steps(np.full(64, freq, np.float32)),
        passband.Nco(fs=10.0, dtype="float64").steps(np.full(64, 10 * freq)),
    ]
    for result in made:
        assert len(result) == 64
        np.testing.assert_allclose(result, turns, atol=2e-6)
    assert passband.Pll(0.01, freq=-0.1).freq == pytest.approx(-0.1)


def test_noise_is_as_strong_as_it_says() -> None:
    # Complex noise whose parts have half of the power each, and not half of the amplitude.
    for dtype in ("float32", "float64", "complex64", "complex128"):
        power = passband.PowerAverager(dtype=dtype)
        power.push(passband.Noise(1, dtype=dtype).steps(1_000_000))
        assert power.value() == pytest.approx(1, abs=0.01)


def test_what_has_no_phase_has_the_phase_zero() -> None:
    x = np.array([0, 0, 1, 1j, 0, -1], np.complex64)
    assert passband.FmDemod().steps(x).tolist() == [0, 0, 0, np.float32(np.pi / 2), 0, 0]
    zeros = [complex(re, im) for re in (0.0, -0.0) for im in (0.0, -0.0)]
    assert passband.math.phase(np.array(zeros)).tolist() == [0] * 4
    assert passband.FmDemod().steps(np.array(zeros, np.complex64)).tolist() == [0] * 4


def test_a_loop_lets_go_of_nan() -> None:
    carrier = passband.LocalOscillator(0.101).steps(4000)
    carrier[1000:1010] = np.nan
    pll = passband.Pll(0.02, freq=0.1)
    signal, error = pll.steps(carrier)
    assert np.isnan(signal).sum() == 10
    assert (error[1000:1010] == 0).all()
    assert abs(error[-1]) < 1e-4
    assert pll.freq == pytest.approx(0.101, abs=1e-6)


def test_an_average_forgets_nan_and_does_not_drift() -> None:
    mean = passband.MovingAverage(17)
    x = np.ones(1000, np.float32)
    x[100] = np.nan
    assert np.flatnonzero(np.isnan(mean.steps(x))).tolist() == list(range(100, 117))
    mean.reset()
    noise = (1e6 * np.random.default_rng(5).standard_normal(200_000)).astype("f4")
    mean.steps(noise)
    assert mean.steps(np.zeros(40, "f4"))[17:].tolist() == [0] * 23


def test_small_codes_keep_their_magnitude() -> None:
    samples = passband.I16ToF32(iq=True).steps(np.int16([256, 256]))
    assert passband.math.magnitude(samples)[0] * 32768 == pytest.approx(362.03867, rel=1e-7)


def test_sums_of_products_of_integers_do_not_wrap() -> None:
    codes = np.full(4, 20_000, np.int16)
    overlaps = [(codes[:n], codes[4 - n :]) for n in (1, 2, 3, 4)]
    found = [passband.fixed.dot(one, other) for one, other in overlaps]
    assert found == [400_000_000, 800_000_000, 1_200_000_000, 1_600_000_000]
