"""Filters."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import signal
from surface import Case

from references import arguments


def filtered(taps: Any, x: Any) -> Any:
    """Samples by taps; codes by exact sums, rounded once, halves up, and saturated."""
    if x.dtype.kind != "i":
        return signal.lfilter(taps, 1, x)
    bits, limits = 8 * x.dtype.itemsize - 1, np.iinfo(x.dtype)
    sums = np.convolve(taps.astype(object), x.astype(object))[: len(x)]
    return np.clip((sums + (1 << bits - 1)) >> bits, limits.min, limits.max).astype(x.dtype)


def fir(case: Case, made: Any, x: Any) -> Any:
    """The samples by the taps."""
    return filtered(made.taps, x)


fft_fir = fir


def sos(case: Case, made: Any, x: Any) -> Any:
    """Sections by SciPy; those of codes one by one, exactly."""
    if x.dtype.kind != "i":
        return signal.sosfilt(made.sos.astype("f8"), x)
    x, full = x.copy(), 1 << 8 * x.dtype.itemsize - 1
    for b0, b1, b2, a0, a1, a2 in made.sos.tolist():
        past = [0] * 4
        for n, now in enumerate(x.tolist()):
            x1, x2, y1, y2 = past
            total = b0 * now + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
            y = min(max((2 * total + a0) // (2 * a0), -full), full - 1)
            past, x[n] = [now, x1, y, y1], y
    return x


def moving_average(case: Case, made: Any, x: Any) -> Any:
    """Taps that are the same."""
    length = arguments(case).length
    return signal.lfilter(np.ones(length) / length, 1, x)


def moving_median(case: Case, made: Any, x: Any) -> Any:
    """The median of each window, zeros before the first sample."""
    length = arguments(case).length
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, (length - 1, 0)), length)
    return np.median(windows, axis=1)


def dc_blocker(case: Case, made: Any, x: Any) -> Any:
    """A zero at zero frequency, and a pole beside it."""
    return signal.lfilter([1, -1], [1, -arguments(case).pole], x)


def one_pole(case: Case, made: Any, x: Any) -> Any:
    """A weight for the new sample, the rest for the past."""
    alpha = arguments(case).alpha
    return signal.lfilter([alpha], [1, alpha - 1], x)


def allpass(case: Case, made: Any, x: Any) -> Any:
    """A denominator over which stands its reverse."""
    given = arguments(case)
    denominator = [1, given.a1] if given.a2 is None else [1, given.a1, given.a2]
    return signal.lfilter(denominator[::-1], denominator, x)


def deemphasis(case: Case, made: Any, x: Any) -> Any:
    """The pole of the network, and the zero that meets its magnitude at both ends."""
    given = arguments(case)
    time = given.time_constant * given.fs
    pole = np.exp(-1 / time)
    gain = 1 / (1 + (np.pi * time / 2) ** 2)
    difference = np.sqrt(2 * gain * (1 + pole**2) - (1 - pole) ** 2)
    taps = [(1 - pole + difference) / 2, (1 - pole - difference) / 2]
    return signal.lfilter(taps, [1, -pole], x)


def hilbert(case: Case, made: Any, x: Any) -> Any:
    """A delay, and beside it the ideal response under a window of Kaiser."""
    given = arguments(case)
    apart = np.arange(given.length) - given.length // 2
    ideal = np.where(apart % 2, 2j / np.pi / np.where(apart, apart, 1), apart == 0)
    return signal.lfilter(ideal * signal.windows.kaiser(given.length, given.beta), 1, x)


def lms(case: Case, made: Any, x: Any) -> Any:
    """What an adaptive filter leaves, step by step."""
    if x.dtype.kind == "i":
        return errors_in_codes(case, *(part.tolist() for part in case.inputs(x)))
    x, d = case.inputs(x)
    given = arguments(case)
    weights = np.zeros(given.length, np.result_type(x, d))
    padded = np.concatenate([np.zeros(given.length - 1), x])
    result = np.empty(len(d), weights.dtype)
    for n in range(len(x)):
        window = padded[n : n + given.length][::-1]
        result[n] = d[n] - weights @ window
        scale = given.step_size
        if case.name == "Nlms":
            scale /= given.regularization + np.vdot(window, window).real
        weights += scale * result[n] * window.conj()
    return result


nlms = lms


def errors_in_codes(case: Case, x: list[int], d: list[int]) -> Any:
    """What an adaptive filter of codes leaves, in whole numbers."""

    def whole(value: Fraction) -> int:
        return math.floor(value + Fraction(1, 2))

    def code(value: int | Fraction) -> int:
        return min(max(whole(Fraction(value)), -32768), 32767)

    given = arguments(case)
    step = round(given.step_size * 32768)
    weights, padded, result = [0] * given.length, [0] * (given.length - 1) + x, []
    for n in range(len(x)):
        window = padded[n : n + given.length][::-1]
        product = sum(w * x for w, x in zip(weights, window, strict=True))
        result.append(code(d[n] - code(Fraction(product, 32768))))
        by = Fraction(32768)
        if case.name == "Nlms":
            power = round(given.regularization * 2**30)
            by = Fraction(power + sum(x * x for x in window), 32768)
        gain = code(step * result[n] / by)
        weights = [
            code(w + whole(Fraction(gain * x, 32768))) for w, x in zip(weights, window, strict=True)
        ]
    return np.array(result)


def pid(case: Case, made: Any, x: Any) -> Any:
    """What a controller makes of errors, step by step."""
    given = arguments(case)
    low = -np.inf if given.low is None else given.low
    high = np.inf if given.high is None else given.high
    time, difference = given.derivative_time * given.fs, given.kd * given.fs
    slopes = signal.lfilter([difference, -difference], [time + 1, -time], x)
    total, outputs = 0.0, []
    for error, slope in zip(x, slopes, strict=True):
        change = given.ki / given.fs * error
        wanted = given.kp * error + total + change + slope
        if not ((wanted > high and change > 0) or (wanted < low and change < 0)):
            total += change
        outputs.append(min(max(wanted, low), high))
    return np.array(outputs)
