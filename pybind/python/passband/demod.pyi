"""Demodulators."""

from typing import Any, Self, final

import numpy as np
from numpy.typing import DTypeLike

from passband.shape import Blockwise

@final
class FmDemod(Blockwise[np.float32]):
    """A frequency demodulator, `y[n] = gain arg(x[n] conj(x[n - 1]))` with `x[-1] = 0`.

    * `gain`: the factor of the angle in radians. With `fs / tau` the output is in Hz, with
      `fs / (tau deviation)` in units of the transmitter's peak deviation.

    Takes complex64, gives float32. Where either sample is zero the output is zero. Within
    4e-7 radians times `gain` for magnitudes from 1e-37 to 4e37; smaller ones lose precision as
    subnormals do, larger ones may give a multiple of pi/2 or NaN. Raises
    ValueError for a gain that is not finite. A sample costs some 60 operations. An output is the
    mean frequency between two samples: the delay is half a sample.

    >>> tone = passband.LocalOscillator(0.125).steps(3)
    >>> passband.FmDemod(gain=1 / np.pi).steps(tone).round(6)
    array([0.  , 0.25, 0.25], dtype=float32)

    R. G. Lyons, *Understanding Digital Signal Processing*, 3rd ed., section 13.22.
    """

    def __new__(cls, *, gain: float = 1.0) -> Self: ...

@final
class Unwrap(Blockwise[Any]):
    """A phase unwrapper: neighbouring outputs are never further apart than half a period.

    * `period`: that of the input, in its own unit; 2 pi for the radians of `passband.math.phase`.
    * `dtype`: the type of the samples: 'float32' or 'float64'.

    `y[n] = x[n] - period sum(round((x[k] - x[k - 1]) / period))` over `k <= n`, halves towards zero
    and `x[-1] = x[0]`: the same as `passband.math.unwrap` of the whole stream. Periods are counted,
    not summed, so that errors do not grow: float32 is computed in double precision and rounded
    once, to 2^-24 of how far the phase has turned; float64 is within one rounding of the output and
    one of what is added. NaN and infinity stay: all outputs are NaN from either on, until `reset`.
    Raises ValueError for a period that is not finite or not above 0. A sample costs a division and
    some ten operations. No delay.

    >>> unwrap = passband.Unwrap(period=4)
    >>> unwrap.steps(np.float32([0, 1, 2]))
    array([0., 1., 2.], dtype=float32)
    >>> unwrap.steps(np.float32([-1, 0, 1]))
    array([3., 4., 5.], dtype=float32)

    K. Itoh, *Analysis of the phase unwrapping algorithm*, Applied Optics 21 (1982).
    """

    def __new__(
        cls, *, period: float = 6.283185307179586, dtype: DTypeLike = "float32"
    ) -> Self: ...
