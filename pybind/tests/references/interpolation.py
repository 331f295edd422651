"""Samples between samples."""

from typing import Any

import numpy as np


def interpolated(x: Any, last: int, weights: Any) -> Any:
    """Samples up to `last`, zeros before the first, by their weights."""
    first = last + 1 - len(weights)
    around = np.concatenate([np.zeros(max(-first, 0)), x[max(first, 0) : max(last + 1, 0)]])
    return weights[-len(around) :] @ around[-len(weights) :]


def lagrange(points: int, time: float) -> Any:
    """The weights of samples at `time` after the middle, by the definition of Lagrange."""
    nodes = np.arange(points) - (points // 2 - 1)
    others = [np.delete(nodes, i) for i in range(points)]
    pairs = zip(nodes, others, strict=True)
    return np.array([np.prod((time - other) / (node - other)) for node, other in pairs])


def cardinal(taps: int, stopband: int, time: float) -> Any:
    """The weights in a sine cardinal under a Kaiser window."""
    at = np.arange(taps) - (taps // 2 - 1) - time
    beta = 0.1102 * (stopband + 6 - 8.7)
    window = np.i0(beta * np.sqrt(np.maximum(1 - (2 * at / taps) ** 2, 0))) / np.i0(beta)
    return np.sinc(at) * window
