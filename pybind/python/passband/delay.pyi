"""Delays."""

from typing import Any, Self, final

from numpy.typing import DTypeLike

from passband.shape import Windowed

@final
class DelayLine(Windowed[Any]):
    """A delay of whole samples, `y[n] = x[n - length]` with `x[n < 0] = 0`.

    * `length`: the delay in samples, at least 0.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Samples pass bit for bit. `window_view` shows the last `length` inputs, oldest first, in storage
    that never moves; calls therefore never release the interpreter lock. A call shorter than the
    window moves the window, so that long delays are cheap in blocks and dear sample by sample.

    >>> passband.DelayLine(2).steps(np.float32([1, 2, 3]))
    array([0., 0., 1.], dtype=float32)
    """

    def __new__(cls, length: int, *, dtype: DTypeLike = "float32") -> Self: ...
