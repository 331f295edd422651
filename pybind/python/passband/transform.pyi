"""Transforms of whole frames."""

from typing import Any, Self, final

from numpy.typing import DTypeLike

from passband.shape import Batch

@final
class Fft(Batch[Any]):
    """The discrete Fourier transform of frames, `X[k] = sum_m x[m] e^(-j 2 pi k m / n)`.

    With `inverse` it is `x[m] = 1/n sum_k X[k] e^(j 2 pi k m / n)`: sign and scale are NumPy's.

    * `n`: the samples of a frame, a power of two from 1 to 2^24.
    * `dtype`: the type of the samples, 'complex64' or 'complex128'.

    Signal to error is at least 137 dB in complex64 for white frames of up to 2^14 samples, 135 dB
    for 2^20, and 174 dB more in complex128; the same bits at every SIMD level. NaN and infinity
    spread over their own frame and no other. Raises ValueError for another `n`. A frame costs about
    5 n log2(n) operations. The object holds a table and a scratch of n samples each.

    >>> spectrum = passband.Fft(4).batch(np.complex64([[1, 1, 1, 1], [1, -1, 1, -1]]))
    >>> spectrum.real
    array([[4., 0., 0., 0.],
           [0., 0., 4., 0.]], dtype=float32)
    >>> passband.Fft(4, inverse=True).batch(spectrum)[1].real
    array([ 1., -1.,  1., -1.], dtype=float32)

    J. W. Cooley and J. W. Tukey, *An algorithm for the machine calculation of complex Fourier
    series*, Math. Comp. 19 (1965).
    """

    def __new__(cls, n: int, *, inverse: bool = False, dtype: DTypeLike = "complex64") -> Self: ...
