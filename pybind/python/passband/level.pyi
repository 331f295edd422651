"""Levels: how strong a signal is."""

from typing import NamedTuple, Self, final

import numpy as np
from numpy.typing import DTypeLike

from passband.shape import Measure, Sink

@final
class PowerAverager(Sink[np.float64]):
    """The mean of `|x|^2` over everything pushed since the start or the last `reset`.

    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    The value of nothing is 0. Squares and sums are in double precision; the relative error is below
    (n / 16 + 18) * 1.2e-16 after n samples. A NaN or infinity stays until `reset`. A sample costs
    two operations per component.

    >>> power = passband.PowerAverager(dtype="float32")
    >>> power.push(np.float32([1, -3]))
    >>> power.push(np.float32([2, 2]))
    >>> power.value()
    np.float64(4.5)
    """

    def __new__(cls, *, dtype: DTypeLike = "complex64") -> Self: ...

class Level(NamedTuple):
    """The levels of a block: `rms`, `peak`, `crest` (peak / rms), `clip_count` (samples)."""

    rms: float
    peak: float
    crest: float
    clip_count: int

@final
class LevelMeter(Measure[Level]):
    """A meter of root mean square, peak, crest factor and clipped samples of each block.

    * `full_scale`: the magnitude at which a component of a sample counts as clipped, above 0; with
      'q15' a fraction of 32768, where 1.0 takes 32767 and -32768 as clipped.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64', 'complex128', or 'q15'
      for int16 codes.

    `measure` gives a named tuple `Level`: `rms`, the root of the mean of |x|^2, `peak`, the largest
    |x|, both in the unit of the samples (of 'q15' in codes), `crest`, peak / rms or 0 for silence,
    and `clip_count`. Of an empty block all are 0. Floats are squared and summed in double
    precision, codes in integers without rounding; `rms` and `crest` are within (n / 16 + 20) *
    1.2e-16 of n samples. A NaN makes `rms` and `crest` NaN, is no peak and not clipped. Raises
    ValueError for a full scale that is not above 0. A sample costs four operations per component.

    >>> passband.LevelMeter().measure(np.float32([0.5, -1, 0.5, 0]))
    Level(rms=0.6123724356957945, peak=1.0, crest=1.6329931618554523, clip_count=1)
    >>> passband.LevelMeter(dtype="q15").measure(np.int16([20, 20, 20, 20])).rms
    20.0
    """

    def __new__(cls, *, full_scale: float = 1.0, dtype: DTypeLike = "float32") -> Self: ...
