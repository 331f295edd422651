"""Delays.

FractionalDelay takes some 50 times as long on subnormal samples, whose values it keeps.
"""

from typing import Any, Self, final

from numpy.typing import DTypeLike

from passband.shape import Blockwise, Windowed

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

@final
class FractionalDelay(Blockwise[Any]):
    """A delay of any time, `y[n] = x(n - delay)` with `x[n < 0] = 0`.

    Whole samples are a place in a line; the rest is a filter between samples. The delay may be set
    while the stream runs.

    * `delay`: the delay in samples, from `min_delay` to `max_delay`.
    * `max_delay`: the longest delay that can be set later, by default `delay`, rounded up.
    * `order`: 1, 3, 5 or 7, that of the polynomial through as many samples on either side
      (Lagrange), for signals that are oversampled: a tone at f cycles per sample is off by
      `(2 pi f)^(order + 1)` times 1/8, 1/43, 1/205 or 1/936. Delays of whole samples are exact;
      an infinity or NaN meets the other taps all the same.
    * `stopband`: 60, 100 or 140 dB, for a sine cardinal under a Kaiser window instead, of 48, 80 or
      112 taps: within so many dB up to 0.45 of the rate.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Raises ValueError for what is out of range, MemoryError for a delay that memory cannot hold.
    Half of the taps lie before the time that is asked for, so that the shortest delay is
    `order // 2`, or 23, 39 or 55 samples with a stop-band. The group delay is `delay` at all
    frequencies that the filter is made for. An output costs a multiply-add per tap; a call shorter
    than the line moves the line.

    >>> half = passband.FractionalDelay(1.5, dtype="float64")
    >>> half.steps([0.0, 1.0, 4.0, 9.0, 16.0])[3:]
    array([2.25, 6.25])

    T. I. Laakso, V. Valimaki, M. Karjalainen and U. K. Laine, *Splitting the unit delay*, IEEE
    Signal Processing Magazine 13 (1996).
    """

    def __new__(
        cls,
        delay: float,
        *,
        max_delay: int | None = None,
        order: int = 3,
        stopband: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> Self: ...
    @property
    def delay(self) -> float:
        """The delay in samples; a new one holds from the next sample on.

        The output is then what it would be had the delay always been that. Raises ValueError for
        what is out of range, RuntimeError while another call runs.

        >>> echo = passband.FractionalDelay(2.5, max_delay=8)
        >>> echo.delay = 7.75
        >>> echo.delay
        7.75
        """

    @delay.setter
    def delay(self, delay: float) -> None: ...
    @property
    def min_delay(self) -> int:
        """The shortest delay that can be set, in samples.

        >>> passband.FractionalDelay(30, stopband=60).min_delay
        23
        """
    @property
    def max_delay(self) -> int:
        """The longest delay that can be set, in samples.

        >>> passband.FractionalDelay(2.5).max_delay
        3
        """
