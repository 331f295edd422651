"""Filters."""

from typing import Any, Self, final

from numpy.typing import ArrayLike, DTypeLike, NDArray

from passband.shape import Blockwise

@final
class Fir(Blockwise[Any]):
    """A finite impulse response filter, `y[n] = sum_k h[k] x[n - k]` with `x[n < 0] = 0`.

    * `taps`: h, shape (k,), real or complex, any number of them; they are rounded once to the
      precision of the samples and never padded. A NaN spreads to k outputs and no further.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64', 'complex128', or 'q15' for int16 codes with taps that are
      codes too (`passband.to_q15`). Outputs are complex if samples or taps are.

    Raises TypeError for taps of another kind than `dtype` calls for, ValueError for none or for
    more than one dimension. A sample costs k multiply-adds, twice that where samples or taps are
    complex, four times where both are. Symmetric taps delay by (k - 1) / 2 samples.

    >>> from scipy.signal import firwin
    >>> low = passband.Fir(firwin(63, 0.1), dtype="complex64")
    >>> low.steps(np.ones(3, np.complex64)).dtype
    dtype('complex64')

    A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 6.5.
    """

    def __new__(cls, taps: ArrayLike, *, dtype: DTypeLike | None = None) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the filter uses them, in the order in which they were given.

        >>> passband.Fir([0.5, 0.25], dtype="float32").taps
        array([0.5 , 0.25], dtype=float32)
        """
