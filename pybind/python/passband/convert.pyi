"""Conversions between integer codes and floating point."""

from typing import Any, Self, final

import numpy as np

from passband.shape import Blockwise

@final
class U8ToF32(Blockwise[Any]):
    """A converter of uint8 codes to float32, `y[n] = (x[n] - 128) / 128`.

    * `iq`: the codes are I, Q, I, Q, ..; the result is complex64 of half the length, and the zero
      lies between two codes: (x - 127.5) / 128.

    Every value is exact. With `iq`, raises ValueError for an odd number of codes.

    >>> passband.U8ToF32().steps(np.uint8([0, 128, 192]))
    array([-1. ,  0. ,  0.5], dtype=float32)
    >>> passband.U8ToF32(iq=True).steps(np.uint8([0, 255])) * 128
    array([-127.5+127.5j], dtype=complex64)
    """

    def __new__(cls, *, iq: bool = False) -> Self: ...

@final
class I8ToF32(Blockwise[Any]):
    """A converter of int8 codes to float32, `y[n] = x[n] / 128`.

    * `iq`: the codes are I, Q, I, Q, ..; the result is complex64 of half the length.

    Every value is exact. With `iq`, raises ValueError for an odd number of codes.

    >>> passband.I8ToF32(iq=True).steps(np.int8([-128, 64]))
    array([-1.+0.5j], dtype=complex64)
    """

    def __new__(cls, *, iq: bool = False) -> Self: ...

@final
class I16ToF32(Blockwise[Any]):
    """A converter of int16 codes to float32, `y[n] = x[n] / 32768`.

    * `iq`: the codes are I, Q, I, Q, ..; the result is complex64 of half the length.

    Every value is exact. With `iq`, raises ValueError for an odd number of codes.

    >>> passband.I16ToF32().steps(np.int16([-32768, 16384]))
    array([-1. ,  0.5], dtype=float32)
    """

    def __new__(cls, *, iq: bool = False) -> Self: ...

@final
class F32ToI16(Blockwise[np.int16]):
    """A converter of float32 to int16 codes, `y[n] = round(32768 x[n])`, half to even, saturated.

    NaN gives 0. Samples without a nearest code are counted.

    >>> codes = passband.F32ToI16()
    >>> codes.steps(np.float32([0.5, -1, 1, np.nan]))
    array([ 16384, -32768,  32767,      0], dtype=int16)
    >>> codes.clip_count
    2
    """

    def __new__(cls) -> Self: ...
    @property
    def clip_count(self) -> int:
        """The number of samples since construction or `reset` that had no nearest code.

        Raises RuntimeError while another call runs.

        >>> passband.F32ToI16().clip_count
        0
        """
