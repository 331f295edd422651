"""Saturating arithmetic on fixed-point fractions: codes of Q7 (int8), Q15 (int16) and Q31 (int32).

A code of Q15 stands for code / 32768, one of Q7 for code / 128, one of Q31 for code / 2^31. Lists
and numbers are codes of Q15; `passband.to_q15` gives those of real numbers.
"""

from typing import Any

from numpy.typing import ArrayLike, NDArray

def add(a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Adds two arrays of codes, `saturate(a[n] + b[n])`.

    * `a`, `b`: shape (n,), both int8, int16 or int32.
    * `out`: where to put the result, of the same type.

    Exact, but for sums beyond the largest and the smallest code, which are these. Raises TypeError
    for other types, ValueError for unequal lengths, else as `passband.shape.Blockwise.steps` does.

    >>> passband.fixed.add(np.int16([100, 32767, -32768]), np.int16([-7, 1, -1]))
    array([    93,  32767, -32768], dtype=int16)
    """

def sub(a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Subtracts two arrays of codes, `saturate(a[n] - b[n])`.

    * `a`, `b`: shape (n,), both int8, int16 or int32.
    * `out`: where to put the result, of the same type.

    Exact, but for differences beyond the largest and the smallest code, which are these. Raises as
    `add` does.

    >>> passband.fixed.sub(np.int8([0, 5]), np.int8([-128, 7]))
    array([127,  -2], dtype=int8)
    """

def mul(a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Multiplies two arrays of codes, `saturate(round(a[n] b[n] / full scale))`, halves up.

    * `a`, `b`: shape (n,), both int8, int16 or int32.
    * `out`: where to put the result, of the same type.

    The exact product, rounded once; -1 times -1 is the largest code. CMSIS-DSP's `arm_mult_q15`
    and `arm_mult_q7` cut off instead of rounding, and its `arm_mult_q31` loses the last bit. Raises
    as `add` does.

    >>> passband.fixed.mul(np.int16([-32768, 3, -3]), np.int16([-32768, 16384, 16384]))
    array([32767,     2,    -1], dtype=int16)
    """

def shift(x: ArrayLike, bits: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Multiplies codes by a power of two, `saturate(round(x[n] 2^bits))`, halves up.

    * `x`: shape (n,), int8, int16 or int32.
    * `bits`: any whole number; negative ones divide.
    * `out`: where to put the result, of the same type.

    To the left exact but for saturation; to the right rounded once, where CMSIS-DSP's
    `arm_shift_q15` cuts off. Raises TypeError for other types and for `bits` that are not whole,
    else as `passband.shape.Blockwise.steps` does.

    >>> passband.fixed.shift(np.int16([3, -3, 20000]), 1)
    array([    6,    -6, 32767], dtype=int16)
    >>> passband.fixed.shift(np.int16([3, -3, 20000]), -1)
    array([    2,    -1, 10000], dtype=int16)
    """

def dot(a: ArrayLike, b: ArrayLike) -> int:
    """Gives the dot product of two arrays of codes, `sum a[n] b[n]`, in 64 bits.

    * `a`, `b`: shape (n,), both int8, int16 or int32.

    The result has 14 fractional bits for int8, 30 for int16 and 48 for int32, whose products are
    rounded to that, halves up. The sum is exact; beyond 64 bits, that is beyond 32767 products of
    int32 at full scale, it saturates once, at the end. For int16 it has the bits of CMSIS-DSP's
    `arm_dot_prod_q15`; `arm_dot_prod_q31` cuts products off instead of rounding them, and wraps.
    Raises TypeError for other types, ValueError for unequal lengths.

    >>> passband.fixed.dot(np.int16([-32768, 16384]), np.int16([-32768, 16384])) / 2**30
    1.25
    """
