from typing import Self, final

import numpy as np
from passband.shape import Blockwise

@final
class Skeleton(Blockwise[np.float32]):
    """A differentiator, `y[n] = gain (x[n] - x[n - 1])` with `x[-1] = 0`.

    * `gain`: the factor of the difference between two samples.

    Takes float32, gives float32. A NaN reaches the two outputs that it meets. Raises ValueError
    for a gain that is not finite. A sample costs two operations. An output is the slope between
    two samples: the delay is half a sample.

    >>> passband.skeletons.Skeleton(gain=2.0).steps(np.float32([1.0, 4.0, 4.5]))
    array([2., 6., 1.], dtype=float32)

    A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 2.4.
    """

    def __new__(cls, *, gain: float = 1.0) -> Self: ...
