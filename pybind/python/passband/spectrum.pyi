"""Windows."""

from typing import Any

from numpy.typing import DTypeLike, NDArray

def hann(
    n: int, *, sym: bool = True, dtype: DTypeLike = "float64", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the Hann window of `n` samples, `w[i] = sin(pi i / (n - 1))^2`.

    * `sym`: symmetric, for filter design; otherwise periodic, `w[i] = sin(pi i / n)^2`, for
      spectra.
    * `dtype`: 'float64' or 'float32'.
    * `out`: where to put it, with room for `n` samples.

    Raises ValueError for a negative `n`, OverflowError for one beyond the address space, and as
    `passband.shape.Blockwise.steps` does for `out`. A window of one sample is [1].

    >>> passband.hann(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    >>> passband.hann(4, sym=False)
    array([0. , 0.5, 1. , 0.5])

    F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
    transform*, Proc. IEEE 66 (1978).
    """
