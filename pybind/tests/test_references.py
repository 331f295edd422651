"""Results beside those of SciPy and NumPy, and of definitions."""

import numpy as np
import passband
import pytest
from references import reference
from scipy import signal
from surface import CASES, FLUSHED, Case, each

N = 300


# A filter between its samples is an approximation: test_resample.py has its bounds.
@each([c for c in CASES if not c.counts_vary and c.name != "ArbitraryResampler"])
def test_results_are_those_of_scipy_and_numpy(case: Case) -> None:
    made, x = case.make(), case.x(N)
    expected, result = reference(case, made, x), case.call(made, x)
    if case.shape in FLUSHED:
        result = np.concatenate([result, made.flush()])
    assert result.shape == expected.shape
    exact = np.dtype(case.output).kind in "iu"
    single = "float32" in case.output or case.output == "complex64"
    tolerance = 0 if exact else 3e-6 if single else 1e-14
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@each([case for case in CASES if case.name == "SymbolSync"])
def test_symbols_are_found_at_any_phase_and_period(case: Case) -> None:
    nominal = float(case.arguments.split(",")[0])
    rng = np.random.default_rng(11)
    bits = rng.integers(0, 2, 1500) * 2 - 1
    for period, phase in ((nominal, 0.3), (1.004 * nominal, 0.8), (0.996 * nominal, 0.5)):
        # Raised cosines, one for each symbol: the eye is open at symbols only.
        time = np.arange(int(1400 * period)) / period + phase
        at = (time[:, None] - np.floor(time)[:, None]) - np.arange(-3, 5)
        pulses = np.sinc(at) * np.cos(np.pi * at * 0.5) / (1 - at**2 + 1e-12)
        near = np.floor(time).astype(int)[:, None] + np.arange(-3, 5) + 4
        x = (pulses * bits[near]).sum(axis=1)
        turned = x * (1j if case.dtype().kind == "c" else 1)
        symbols = case.make().execute(turned.astype(case.input))
        symbols = symbols.imag if case.dtype().kind == "c" else symbols
        assert abs(len(symbols) - 1400) <= 20
        settled = symbols[700:1300]
        assert np.abs(settled).min() > 0.8
        found = np.sign(settled).astype(int)
        lags = [lag for lag in range(680, 725) if (bits[lag : lag + 600] == found).all()]
        assert len(lags) == 1


@pytest.mark.parametrize("name", ["hann", "hamming", "blackman", "blackman_harris", "flattop"])
@pytest.mark.parametrize("sym", [True, False])
def test_windows_are_those_of_scipy(name: str, sym: bool) -> None:
    named = getattr(signal.windows, name.replace("_", ""))
    for n in (0, 1, 2, 3, 4, 5, 64, 255, 1000, 4097):
        expected = named(n, sym=sym)
        np.testing.assert_allclose(getattr(passband, name)(n, sym=sym), expected, 0, 1e-15)
        single = getattr(passband, name)(n, sym=sym, dtype="float32")
        np.testing.assert_allclose(single, expected, 0, 6e-8)


@pytest.mark.parametrize("sym", [True, False])
def test_kaiser_windows_are_those_of_scipy(sym: bool) -> None:
    for n in (0, 1, 2, 3, 64, 255, 1000):
        for beta in (0.0, 0.5, 5.0, 8.6, 14.0, 38.0, 700.0):
            expected = signal.windows.kaiser(n, beta, sym=sym)
            result = passband.kaiser(n, beta, sym=sym)
            # SciPy rounds the argument of its Bessel functions, which counts beta times.
            np.testing.assert_allclose(result, expected, 0, 1e-15 * max(1, beta / 4))
