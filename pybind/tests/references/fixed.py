"""Arithmetic of codes in Python's numbers, which do not overflow, rounded half up."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from surface import Case


def exactly(function: Callable[..., Fraction]) -> Callable[[Case, Any, Any], Any]:
    """The codes nearest to the fractions that a function gives, saturated."""

    def result(case: Case, made: Any, x: Any) -> Any:
        limits = np.iinfo(case.input)
        one = limits.max + 1
        rows = zip(*(part.tolist() for part in case.inputs(x)), strict=True)
        exact = [function(*(Fraction(y, one) for y in row), **made.keywords) for row in rows]
        codes = [math.floor(y * one + Fraction(1, 2)) for y in exact]
        return np.array([min(max(y, limits.min), limits.max) for y in codes])

    return result


add = exactly(lambda a, b: a + b)
sub = exactly(lambda a, b: a - b)
mul = exactly(lambda a, b: a * b)
shift = exactly(lambda x, bits: x * Fraction(2) ** bits)
