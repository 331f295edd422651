"""Demodulators."""

from typing import Any

import numpy as np
from surface import Case

from references import arguments
from references.math import unwrapped


def angles(x: Any) -> Any:
    """From each sample to the next; that of zero, which is before the first, is zero."""
    return np.concatenate([[0], np.angle(x[1:] * np.conj(x[:-1]))])


def fm_demod(case: Case, made: Any, x: Any) -> Any:
    """The angle from each sample to the next."""
    return arguments(case).gain * angles(x)


def unwrap(case: Case, made: Any, x: Any) -> Any:
    """Phases without jumps."""
    return unwrapped(x, arguments(case).period)
