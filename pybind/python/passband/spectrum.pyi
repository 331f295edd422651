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

def hamming(
    n: int, *, sym: bool = True, dtype: DTypeLike = "float64", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the Hamming window of `n` samples, `w[i] = 0.54 - 0.46 cos(2 pi i / D)`.

    * `sym`: symmetric, D = n - 1, for filter design; otherwise periodic, D = n, for spectra.
    * `dtype`: 'float64' or 'float32'.
    * `out`: where to put it, with room for `n` samples.

    Within 1e-15 of the exact value. Raises as `hann` does. A window of one sample is [1].

    >>> passband.hamming(5).round(2)
    array([0.08, 0.54, 1.  , 0.54, 0.08])

    F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
    transform*, Proc. IEEE 66 (1978).
    """

def blackman(
    n: int, *, sym: bool = True, dtype: DTypeLike = "float64", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the Blackman window of `n` samples.

    `w[i] = 0.42 - 0.5 cos(2 pi i / D) + 0.08 cos(4 pi i / D)`.

    * `sym`: symmetric, D = n - 1, for filter design; otherwise periodic, D = n, for spectra.
    * `dtype`: 'float64' or 'float32'.
    * `out`: where to put it, with room for `n` samples.

    Within 1e-15 of the exact value. Raises as `hann` does. A window of one sample is [1].

    >>> passband.blackman(4, sym=False).round(2)
    array([0.  , 0.34, 1.  , 0.34])

    F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
    transform*, Proc. IEEE 66 (1978).
    """

def blackman_harris(
    n: int, *, sym: bool = True, dtype: DTypeLike = "float64", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the four-term Blackman-Harris window of `n` samples.

    `w[i] = sum_k (-1)^k a[k] cos(2 pi k i / D)`, a = 0.35875, 0.48829, 0.14128, 0.01168.

    * `sym`: symmetric, D = n - 1, for filter design; otherwise periodic, D = n, for spectra.
    * `dtype`: 'float64' or 'float32'.
    * `out`: where to put it, with room for `n` samples.

    Side lobes are below -92 dB. Within 1e-15 of the exact value. Raises as `hann` does. A window of
    one sample is [1].

    >>> passband.blackman_harris(5).round(4)
    array([1.000e-04, 2.175e-01, 1.000e+00, 2.175e-01, 1.000e-04])

    F. J. Harris, *On the use of windows for harmonic analysis with the discrete Fourier
    transform*, Proc. IEEE 66 (1978).
    """

def flattop(
    n: int, *, sym: bool = True, dtype: DTypeLike = "float64", out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the flat top window of `n` samples, `w[i] = sum_k (-1)^k a[k] cos(2 pi k i / D)`.

    * `sym`: symmetric, D = n - 1, for filter design; otherwise periodic, D = n, for spectra.
    * `dtype`: 'float64' or 'float32'.
    * `out`: where to put it, with room for `n` samples.

    The five a[k] are those of `scipy.signal.windows.flattop`; a line has its height wherever it
    lies between two bins. Within 1e-15 of the exact value. Raises as `hann` does. A window of one
    sample is [1].

    >>> passband.flattop(5).round(4)
    array([-4.00e-04, -5.47e-02,  1.00e+00, -5.47e-02, -4.00e-04])

    G. D'Antona and A. Ferrero, *Digital Signal Processing for Measurement Systems*, Springer
    (2006), page 70.
    """

def kaiser(
    n: int,
    beta: float,
    *,
    sym: bool = True,
    dtype: DTypeLike = "float64",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Gives a Kaiser window, `w[i] = I0(beta sqrt(1 - (2 i / D - 1)^2)) / I0(beta)`.

    * `n`: its length in samples.
    * `beta`: at least 0; more of it widens the main lobe and lowers the side lobes. 0 is a
      rectangle, 5 near a Hamming window and 8.6 near a Blackman window.
    * `sym`: symmetric, D = n - 1, for filter design; otherwise periodic, D = n, for spectra.
    * `dtype`: 'float64' or 'float32'.
    * `out`: where to put it, with room for `n` samples.

    Raises ValueError for a `beta` that is negative or not finite, else as `hann` does. Within 8e-16
    of the exact value. A window of one sample is [1].

    >>> passband.kaiser(3, 5.0).round(4)
    array([0.0367, 1.    , 0.0367])

    J. F. Kaiser, *Nonrecursive digital filter design using the I0-sinh window function*, Proc.
    IEEE Int. Symp. Circuits and Systems (1974).
    """
