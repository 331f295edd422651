"""Conversions between integer codes, fixed point and floating point."""

from typing import Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

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
class I32ToF32(Blockwise[Any]):
    """A converter of int32 codes to float32, `y[n] = x[n] / 2^31`.

    * `iq`: the codes are I, Q, I, Q, ..; the result is complex64 of half the length.

    Each value is rounded once, to the 24 bits of float32. With `iq`, raises ValueError for an odd
    number of codes.

    >>> passband.I32ToF32().steps(np.int32([-(2**31), 2**30]))
    array([-1. ,  0.5], dtype=float32)
    """

    def __new__(cls, *, iq: bool = False) -> Self: ...

@final
class F32ToU8(Blockwise[np.uint8]):
    """A converter of float32 to uint8 codes, `y[n] = round(128 x[n] + 128)`.

    Half to even, saturated.

    * `iq`: the input is complex64, and the codes are I, Q, I, Q, .., twice as many, with the zero
      between two of them: round(128 x + 127.5). `step` gives both.
    * `dither`: a seed, 0 to 2^64 - 1, of triangular noise from -1 to 1 code, which is added before
      rounding; the mean and the power of the error then do not depend on the signal. The same seed
      gives the same codes everywhere. Without one there is no noise, and silence stays silence.

    NaN gives the code of zero, 128. Numbers without a nearest code are counted. Raises TypeError or
    ValueError for another seed.

    S. P. Lipshitz, R. A. Wannamaker and J. Vanderkooy, *Quantization and Dither: A Theoretical
    Survey*, J. Audio Eng. Soc. 40 (1992).

    >>> codes = passband.F32ToU8()
    >>> codes.steps(np.float32([0.5, -1, 1, np.nan]))
    array([192,   0, 255, 128], dtype=uint8)
    >>> codes.clip_count
    2
    """

    def __new__(cls, *, iq: bool = False, dither: int | None = None) -> Self: ...
    @property
    def clip_count(self) -> int:
        """The number of reals since construction or `reset` that had no nearest code.

        Raises RuntimeError while another call runs.

        >>> passband.F32ToU8().clip_count
        0
        """

@final
class F32ToI8(Blockwise[np.int8]):
    """A converter of float32 to int8 codes, `y[n] = round(128 x[n])`.

    Half to even, saturated.

    * `iq`: the input is complex64, and the codes are I, Q, I, Q, .., twice as many. `step` gives
      both.
    * `dither`: a seed, 0 to 2^64 - 1, of triangular noise from -1 to 1 code, which is added before
      rounding; the mean and the power of the error then do not depend on the signal. The same seed
      gives the same codes everywhere. Without one there is no noise, and silence stays silence.

    NaN gives 0. Numbers without a nearest code are counted. Raises TypeError or ValueError for
    another seed.

    S. P. Lipshitz, R. A. Wannamaker and J. Vanderkooy, *Quantization and Dither: A Theoretical
    Survey*, J. Audio Eng. Soc. 40 (1992).

    >>> codes = passband.F32ToI8()
    >>> codes.steps(np.float32([0.5, -1, 1, np.nan]))
    array([  64, -128,  127,    0], dtype=int8)
    >>> codes.clip_count
    2
    """

    def __new__(cls, *, iq: bool = False, dither: int | None = None) -> Self: ...
    @property
    def clip_count(self) -> int:
        """The number of reals since construction or `reset` that had no nearest code.

        Raises RuntimeError while another call runs.

        >>> passband.F32ToI8().clip_count
        0
        """

@final
class F32ToI16(Blockwise[np.int16]):
    """A converter of float32 to int16 codes, `y[n] = round(32768 x[n])`.

    Half to even, saturated.

    * `iq`: the input is complex64, and the codes are I, Q, I, Q, .., twice as many. `step` gives
      both.
    * `dither`: a seed, 0 to 2^64 - 1, of triangular noise from -1 to 1 code, which is added before
      rounding; the mean and the power of the error then do not depend on the signal. The same seed
      gives the same codes everywhere. Without one there is no noise, and silence stays silence.

    NaN gives 0. Numbers without a nearest code are counted. Raises TypeError or ValueError for
    another seed.

    S. P. Lipshitz, R. A. Wannamaker and J. Vanderkooy, *Quantization and Dither: A Theoretical
    Survey*, J. Audio Eng. Soc. 40 (1992).

    >>> codes = passband.F32ToI16()
    >>> codes.steps(np.float32([0.5, -1, 1, np.nan]))
    array([ 16384, -32768,  32767,      0], dtype=int16)
    >>> codes.clip_count
    2
    """

    def __new__(cls, *, iq: bool = False, dither: int | None = None) -> Self: ...
    @property
    def clip_count(self) -> int:
        """The number of reals since construction or `reset` that had no nearest code.

        Raises RuntimeError while another call runs.

        >>> passband.F32ToI16().clip_count
        0
        """

@final
class F32ToI32(Blockwise[np.int32]):
    """A converter of float32 to int32 codes, `y[n] = round(2^31 x[n])`.

    Half to even, saturated.

    * `iq`: the input is complex64, and the codes are I, Q, I, Q, .., twice as many. `step` gives
      both.
    * `dither`: a seed, 0 to 2^64 - 1, of triangular noise from -1 to 1 code, which is added before
      rounding; the mean and the power of the error then do not depend on the signal. The same seed
      gives the same codes everywhere. Without one there is no noise, and silence stays silence.

    NaN gives 0. Numbers without a nearest code are counted. Raises TypeError or ValueError for
    another seed.

    S. P. Lipshitz, R. A. Wannamaker and J. Vanderkooy, *Quantization and Dither: A Theoretical
    Survey*, J. Audio Eng. Soc. 40 (1992).

    >>> codes = passband.F32ToI32()
    >>> codes.steps(np.float32([0.5, -1, 1, np.nan]))
    array([ 1073741824, -2147483648,  2147483647,           0], dtype=int32)
    >>> codes.clip_count
    2
    """

    def __new__(cls, *, iq: bool = False, dither: int | None = None) -> Self: ...
    @property
    def clip_count(self) -> int:
        """The number of reals since construction or `reset` that had no nearest code.

        Raises RuntimeError while another call runs.

        >>> passband.F32ToI32().clip_count
        0
        """

@final
class Adc(Blockwise[Any]):
    """A model of an analogue-to-digital converter, `y[n] = q clip(round(x[n] / q))`.

    * `bits`: 1 to 32. A step is `q = full_scale / 2^(bits-1)` high, and there are `2^bits` of them,
      from `-full_scale` to one step below `full_scale`.
    * `full_scale`: in the unit of the samples, finite, at least 1e-290.
    * `dtype`: float32, float64, complex64 or complex128, of which each part is converted by itself.

    The nearest step, halves to the even one. NaN gives 0, and reals half a step or more beyond the
    ends are counted. Raises ValueError for arguments out of range.

    B. Widrow and I. Kollár, *Quantization Noise*, Cambridge University Press, 2008.

    >>> adc = passband.Adc(3)
    >>> adc.steps(np.float32([0.3, -0.3, 0.8, -2]))
    array([ 0.25, -0.25,  0.75, -1.  ], dtype=float32)
    >>> adc.clip_count
    1
    """

    def __new__(
        cls, bits: int, *, full_scale: float = 1.0, dtype: DTypeLike = "float32"
    ) -> Self: ...
    @property
    def clip_count(self) -> int:
        """The number of reals that were clipped since construction or `reset`.

        Raises RuntimeError while another call runs.

        >>> passband.Adc(8).clip_count
        0
        """

def to_q7(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the int8 codes of numbers in [-1, 1), `round(128 x)`, half to even, saturated.

    * `x`: shape (n,), float32 or float64, a list, or one number.
    * `out`: int8 of at least n samples to write into, by default a new array.

    NaN gives 0. Raises TypeError for another type, ValueError for more than one dimension.

    >>> passband.to_q7([0.5, -1.0, 1.0])
    array([  64, -128,  127], dtype=int8)
    """

def to_q15(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the int16 codes of numbers in [-1, 1), `round(32768 x)`, half to even, saturated.

    * `x`: shape (n,), float32 or float64, a list, or one number.
    * `out`: int16 of at least n samples to write into, by default a new array.

    NaN gives 0. Raises TypeError for another type, ValueError for more than one dimension.

    >>> passband.to_q15([0.5, -1.0, 1.0])
    array([ 16384, -32768,  32767], dtype=int16)
    """

def to_q31(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the int32 codes of numbers in [-1, 1), `round(2^31 x)`, half to even, saturated.

    * `x`: shape (n,), float32 or float64, a list, or one number.
    * `out`: int32 of at least n samples to write into, by default a new array.

    NaN gives 0. Raises TypeError for another type, ValueError for more than one dimension.

    >>> passband.to_q31([0.5, -1.0, 1.0])
    array([ 1073741824, -2147483648,  2147483647], dtype=int32)
    """

def from_q7(
    x: ArrayLike, *, dtype: DTypeLike = "float32", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the numbers in [-1, 1) that int8 codes stand for, `x / 128`.

    * `x`: shape (n,), int8, a list, or one number.
    * `dtype`: float32 or float64, the type of the result.
    * `out`: of at least n samples of that type to write into, by default a new array.

    Exact. Raises TypeError for another type, ValueError for more than one dimension.

    >>> passband.from_q7(np.int8([-128, 64]))
    array([-1. ,  0.5], dtype=float32)
    """

def from_q15(
    x: ArrayLike, *, dtype: DTypeLike = "float32", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the numbers in [-1, 1) that int16 codes stand for, `x / 32768`.

    * `x`: shape (n,), int16, a list, or one number.
    * `dtype`: float32 or float64, the type of the result.
    * `out`: of at least n samples of that type to write into, by default a new array.

    Exact. Raises TypeError for another type, ValueError for more than one dimension.

    >>> passband.from_q15(np.int16([-32768, 16384]))
    array([-1. ,  0.5], dtype=float32)
    """

def from_q31(
    x: ArrayLike, *, dtype: DTypeLike = "float32", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the numbers in [-1, 1) that int32 codes stand for, `x / 2^31`.

    * `x`: shape (n,), int32, a list, or one number.
    * `dtype`: float32 or float64, the type of the result.
    * `out`: of at least n samples of that type to write into, by default a new array.

    Exact in float64; in float32 rounded once, to 24 bits. Raises TypeError for another type,
    ValueError for more than one dimension.

    >>> passband.from_q31(np.int32([-(2**31), 2**30]))
    array([-1. ,  0.5], dtype=float32)
    """
