"""Changes of rate."""

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
from surface import Case

from references import arguments
from references.filter import filtered
from references.interpolation import interpolated, lagrange
from references.source import tone


def spread(x: Any, factor: int) -> Any:
    """The samples with zeros between them."""
    return np.kron(x, np.eye(1, factor, dtype=x.dtype)[0])


def fir_decimator(case: Case, made: Any, x: Any) -> Any:
    """Every so many of the filtered samples."""
    given = arguments(case)
    return filtered(made.taps, x)[given.phase :: given.factor]


def fir_interpolator(case: Case, made: Any, x: Any) -> Any:
    """Filtered samples with zeros between them."""
    return filtered(made.taps, spread(x, arguments(case).factor))


def rational_resampler(case: Case, made: Any, x: Any) -> Any:
    """Every so many of the filtered samples with zeros between them."""
    given = arguments(case)
    return filtered(made.taps, spread(x, given.up))[given.phase :: given.down]


def halfband_decimator(case: Case, made: Any, x: Any) -> Any:
    """Every other of the filtered samples."""
    return filtered(made.taps, x)[::2]


def halfband_interpolator(case: Case, made: Any, x: Any) -> Any:
    """Filtered samples with a zero after each."""
    return filtered(made.taps, spread(x, 2))


def means(given: SimpleNamespace, x: Any, gain: int) -> Any:
    """Samples through boxes in a row, exactly; over `gain`, rounded half up."""
    response, box = np.ones(1, int), np.ones(given.factor * given.delay, int)
    for _ in range(given.order):
        response = np.convolve(response, box)
    sums = np.convolve(x.astype(object), response.astype(object))[: len(x)]
    return ((2 * sums + gain) // (2 * gain)).astype(x.dtype)


def cic_decimator(case: Case, made: Any, x: Any) -> Any:
    """Every so many of the means."""
    given = arguments(case)
    gain = (given.factor * given.delay) ** given.order
    return means(given, x, gain)[given.phase :: given.factor]


def cic_interpolator(case: Case, made: Any, x: Any) -> Any:
    """Means of samples with zeros between them."""
    given = arguments(case)
    gain = (given.factor * given.delay) ** given.order // given.factor
    return means(given, spread(x, given.factor), gain)


def farrow(case: Case, made: Any, x: Any) -> Any:
    """A sum of the samples around each time, by weights of Lagrange."""
    given = arguments(case)
    period, phase = 1 / Fraction(given.ratio), Fraction(given.phase)
    times = [m * period + phase for m in range(math.ceil((len(x) - phase) / period))]
    points = given.order + 1
    return np.array([interpolated(x, int(t), lagrange(points, float(t - int(t)))) for t in times])


def ddc(case: Case, made: Any, x: Any) -> Any:
    """Samples turned down, filtered, and every so many of them."""
    given = arguments(case)
    down = x * tone(-given.freq / given.fs, -given.phase, len(x))
    return filtered(made.taps, down)[:: given.factor]


def duc(case: Case, made: Any, x: Any) -> Any:
    """Filtered samples with zeros between them, turned up."""
    given = arguments(case)
    wide = filtered(made.taps, spread(x, given.factor))
    up = wide * tone(given.freq / given.fs, given.phase, len(wide))
    return up.real if given.real_part else up
