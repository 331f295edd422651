"""Functions of samples."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

def magnitude(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the magnitude of each sample, `sqrt(re^2 + im^2)`, of real ones `|x|`.

    * `x`: shape (n,), float32, float64, complex64 or complex128.
    * `out`: where to put it, real, of the same precision.

    Within 1 ulp; squares neither overflow nor underflow. Raises TypeError for another type, else
    as `passband.shape.Blockwise.steps` does.

    >>> passband.math.magnitude(np.complex64([3 - 4j, 3e38 + 1e38j]))
    array([5.0000000e+00, 3.1622777e+38], dtype=float32)

    T. J. Dekker, *A floating-point technique for extending the available precision*, Numer.
    Math. 18 (1971), for the exact squares.
    """

def magnitude_squared(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the power of each sample, `re^2 + im^2`, of real ones `x^2`.

    * `x`: shape (n,), float32, float64, complex64 or complex128.
    * `out`: where to put it, real, of the same precision.

    Raises TypeError for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.magnitude_squared([3 - 4j])
    array([25.])
    """
