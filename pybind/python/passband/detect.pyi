"""Detectors: what happens in a stream, and when."""

from typing import Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

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

@final
class PulseSlicer(Detector[np.void]):
    """A slicer with hysteresis: the pulses of a real signal, as of on-off keying.

    The signal is low at first, becomes high at x >= on and low at x < off. A pulse is reported at
    the sample that ends it if it was high for at least `min_length` samples; a shorter one counts
    as low.

    * `on`, `off`: thresholds in the unit of the samples, off <= on.
    * `min_length`: the shortest pulse, in samples.
    * `dtype`: the type of the samples, 'float32' or 'float64'.

    Records have the fields `start` (the first high sample), `width` (how many are high) and `gap`
    (samples since the end of the pulse reported before, or since the start of the stream), all
    int64. Exact. NaN leaves the signal high or low as it was. Raises ValueError for thresholds and
    lengths that make no sense.

    >>> pulses = passband.PulseSlicer(0.6, 0.4, min_length=2)
    >>> pulses.detect(np.float32([0, 0.7, 0.5, 0.1, 0.9, 0.1, 0.8, 0.8, 0.8, 0.3])).tolist()
    [(1, 2, 1), (6, 3, 3)]
    """

    def __new__(
        cls, on: float, off: float, *, min_length: int = 1, dtype: DTypeLike = "float32"
    ) -> Self: ...

def find_peaks(
    x: ArrayLike,
    *,
    height: float | tuple[float | None, float | None] | None = None,
    threshold: float | tuple[float | None, float | None] | None = None,
    distance: float | None = None,
    prominence: float | tuple[float | None, float | None] | None = None,
    width: float | tuple[float | None, float | None] | None = None,
    wlen: float | None = None,
    rel_height: float = 0.5,
    out: NDArray[Any] | None = None,
) -> NDArray[np.void]:
    """Finds the peaks of an array that fulfil all conditions, as `scipy.signal.find_peaks` does.

    A peak is one sample, or several equal ones, with a lower sample on either side.

    * `x`: shape (n,), float32 or float64.
    * `height`: its value.
    * `threshold`: the vertical distances to its two neighbours.
    * `distance`: the fewest samples between peaks; lower ones go first, of equal ones the earlier,
      so that the later remains. At least 1.
    * `prominence`: by how much it stands above the higher of its two bases.
    * `width`: in samples, at `rel_height` times the prominence below the top.
    * `wlen`: bases are looked for in so many samples around a peak only; above 1.
    * `out`: where to put the records, with room for (n - 1) // 2; the search works in it, and what
      lies behind the result is arbitrary.

    A condition is a smallest value or a pair (min, max) of numbers or None, both allowed. Records
    have the fields `index` (int64, of a plateau its middle, rounded down), `height`, `prominence`
    and `width` (float64), each computed with SciPy's formulas to the bit. NaN is no peak, nor is a
    sample beside it. Raises TypeError for conditions that are no numbers, ValueError for a distance
    below 1, a `wlen` of at most 1 and a negative `rel_height`, else as
    `passband.shape.Blockwise.steps` does. The array is allocated for the most and trimmed to what
    was found.

    >>> x = [0.0, 2.0, 1.0, 4.0, 4.0, 1.0, 3.0, 2.0]
    >>> passband.find_peaks(x, prominence=1.5)
    array([(3, 4., 3., 2.)], dtype=[('index', '<i8'), ('height', '<f8'), ('prominence', '<f8'),
    ('width', '<f8')])

    P. Virtanen et al., *SciPy 1.0: fundamental algorithms for scientific computing in Python*,
    Nature Methods 17 (2020).
    """
