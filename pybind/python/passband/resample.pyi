"""Changes of the sample rate."""

from typing import Any, Self, final

from numpy.typing import ArrayLike, DTypeLike, NDArray

from passband.shape import VariableLength

@final
class FirDecimator(VariableLength[Any]):
    """A FIR filter that computes every M-th output only, `y[m] = sum_k h[k] x[phase + m M - k]`.

    * `taps`: h, shape (k,), real or complex, rounded once to the precision of the samples.
    * `factor`: M, any integer from 1.
    * `phase`: the input sample at which the first output is, 0 to M - 1.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64' or 'complex128'. Outputs are complex if samples or taps are.

    Raises TypeError for taps of another kind, ValueError for none, for a factor of 0 or for a
    phase that is out of range. After N inputs it has given exactly ceil((N - phase) / M) outputs,
    whatever the blocks. An input costs k / M multiply-adds. Symmetric taps delay by (k - 1) / 2
    input samples.

    >>> half = passband.FirDecimator([0.5, 0.5], 2, phase=1)
    >>> half.execute([1.0, 3.0, 5.0, 7.0])
    array([2., 6.])

    R. E. Crochiere and L. R. Rabiner, *Multirate Digital Signal Processing*, section 3.3.
    """

    def __new__(
        cls, taps: ArrayLike, factor: int, *, phase: int = 0, dtype: DTypeLike | None = None
    ) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the decimator uses them, in the order in which they were given.

        >>> passband.FirDecimator([1, 2], 2).taps
        array([1., 2.])
        """
