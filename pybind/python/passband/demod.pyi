"""Demodulators."""

from typing import Self, final

import numpy as np

from passband.shape import Blockwise

@final
class FmDemod(Blockwise[np.float32]):
    """A frequency demodulator, `y[n] = gain arg(x[n] conj(x[n - 1]))` with `x[-1] = 0`.

    * `gain`: the factor of the angle in radians. With `fs / tau` the output is in Hz, with
      `fs / (tau deviation)` in units of the transmitter's peak deviation.

    Takes complex64, gives float32. Where either sample is zero the output is zero. Raises
    ValueError for a gain that is not finite. A sample costs some 60 operations. An output is the
    mean frequency between two samples: the delay is half a sample.

    >>> tone = passband.LocalOscillator(0.125).steps(3)
    >>> passband.FmDemod(gain=1 / np.pi).steps(tone).round(6)
    array([0.  , 0.25, 0.25], dtype=float32)

    R. G. Lyons, *Understanding Digital Signal Processing*, 3rd ed., section 13.22.
    """

    def __new__(cls, *, gain: float = 1.0) -> Self: ...
