"""Delays."""

import math
from typing import Any

import numpy as np
from surface import Case

from references import arguments
from references.interpolation import cardinal, interpolated, lagrange


def delay_line(case: Case, made: Any, x: Any) -> Any:
    """Zeros before the samples."""
    return np.concatenate([np.zeros(arguments(case).length, x.dtype), x])[: len(x)]


def fractional_delay(case: Case, made: Any, x: Any) -> Any:
    """A sum of the samples around each time."""
    given = arguments(case)
    late = -given.delay % 1
    weights = cardinal(48, 60, late) if given.stopband else lagrange(given.order + 1, late)
    ahead = len(weights) // 2 - math.ceil(given.delay)
    return np.array([interpolated(x, n + ahead, weights) for n in range(len(x))])
