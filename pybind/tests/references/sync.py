"""Loops."""

from typing import Any

import numpy as np
from surface import Case

from references import arguments


def pll(case: Case, made: Any, x: Any) -> Any:
    """What a phase-locked loop gives, step by step."""
    given = arguments(case)
    theta = given.loop_bandwidth / given.fs / (given.damping + 0.25 / given.damping)
    divisor = 1 + 2 * given.damping * theta + theta**2
    signals, phases = np.empty_like(x), np.empty(len(x))
    phase, freq = 0.0, given.freq / given.fs
    for n in range(len(x)):
        signals[n] = x[n] * np.exp(-2j * np.pi * phase)
        phases[n] = np.angle(signals[n])
        freq += 4 * theta**2 / divisor * phases[n] / (2 * np.pi)
        phase += freq + 4 * given.damping * theta / divisor * phases[n] / (2 * np.pi)
    return (signals, phases)[case.part]
