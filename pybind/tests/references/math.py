"""Functions of samples."""

from collections.abc import Callable
from typing import Any

import numpy as np
from surface import Case


def by(function: Callable[..., Any]) -> Callable[[Case, Any, Any], Any]:
    """The reference that is a function of all inputs, and of the arguments by name."""

    def result(case: Case, made: Any, x: Any) -> Any:
        with np.errstate(invalid="ignore", divide="ignore"):
            return function(*case.inputs(x), **made.keywords)

    return result


def unwrapped(x: Any, period: float = 2 * np.pi) -> Any:
    """Phases without jumps by NumPy, without the rounding errors that it sums up."""
    return x + period * np.rint((np.unwrap(x, period=period) - x) / period)


add = by(np.add)
sub = by(np.subtract)
mul = by(np.multiply)
mac = by(lambda acc, a, b: acc + a * b)
scale = by(lambda x, gain: gain * x)
clamp = by(lambda x, low, high: np.clip(x, low, high))
magnitude = by(np.abs)
magnitude_squared = by(lambda x: x.real**2 + x.imag**2)
phase = by(np.angle)
conj = by(np.conj)
unwrap = by(unwrapped)
sqrt = by(np.sqrt)
exp = by(np.exp)
log = by(np.log)
power_to_db = by(lambda x, floor: np.maximum(10 * np.log10(x), floor))
amplitude_to_db = by(lambda x, floor: np.maximum(20 * np.log10(np.abs(x)), floor))
sin = by(np.sin)
cos = by(np.cos)


def sincos(case: Case, made: Any, x: Any) -> Any:
    """Both, of which an example is about one."""
    return (np.sin, np.cos)[case.part](x)
