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
