"""Detectors: what happens in a stream, and when."""

from typing import Self, final

import numpy as np
from numpy.typing import DTypeLike

from passband.shape import Detector

@final
class BurstDetector(Detector[np.void]):
    """A detector of bursts of power, `p[n] = |x[n]|^2`.

    A burst opens at the first sample with p >= on. It ends when more than `hang` samples in a row
    have p < off, and is reported then if it is at least `min_length` samples long.

    * `on`, `off`: thresholds, linear powers, 0 < off <= on.
    * `hang`: the longest gap within a burst, in samples.
    * `min_length`: the shortest burst, in samples from its first to its last one at or above `off`.
    * `dtype`: 'complex64', or 'float32' where p = x^2.

    Records have the fields `start` (int64, the first sample at or above `on`), `stop` (int64, one
    past the last sample at or above `off`), `peak` and `mean_power` (float32, of p in start..stop).
    Raises ValueError for thresholds and lengths that make no sense. NaN counts as below both
    thresholds.

    >>> bursts = passband.BurstDetector(1.0, 0.25, hang=1, dtype="float32")
    >>> found = bursts.detect(np.float32([0, 1, 0.5, 0.1, 2, 0, 0]))
    >>> found["start"], found["stop"], found["peak"]
    (array([1]), array([5]), array([4.], dtype=float32))
    """

    def __new__(
        cls,
        on: float,
        off: float,
        *,
        hang: int = 0,
        min_length: int = 1,
        dtype: DTypeLike = "complex64",
    ) -> Self: ...
