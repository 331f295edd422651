"""Functions of samples, one by one and all together."""

from typing import Any

from numpy.typing import ArrayLike, NDArray

def add(a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Adds two arrays of samples, `a[n] + b[n]`.

    * `a`, `b`: shape (n,), both float32, float64, complex64 or complex128.
    * `out`: where to put the result, of the same type.

    One rounding. NaN and infinity pass through, in each part apart. Raises TypeError for other
    types, ValueError for unequal lengths, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.add([1, 2], [0.5, -2])
    array([1.5, 0. ])
    """

def sub(a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Subtracts two arrays of samples, `a[n] - b[n]`.

    * `a`, `b`: shape (n,), both float32, float64, complex64 or complex128.
    * `out`: where to put the result, of the same type.

    Accuracy, NaN and errors are those of `add`.

    >>> passband.math.sub([1, 2], [0.5, -2])
    array([0.5, 4. ])
    """

def mul(a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Multiplies two arrays of samples, `a[n] b[n]`.

    * `a`, `b`: shape (n,), both float32, float64, complex64 or complex128.
    * `out`: where to put the result, of the same type.

    One rounding; complex products are within sqrt(5) 2^-24 (single precision) or sqrt(5) 2^-53
    (double) of `|a b|` where nothing underflows. They are computed by the formula, as NumPy does
    it: an infinite part times a part that is zero is NaN. Raises as `add` does.

    >>> passband.math.mul([3 - 4j], [2j])
    array([8.+6.j])

    R. Brent, C. Percival and P. Zimmermann, *Error bounds on complex floating-point
    multiplication*, Math. Comp. 76 (2007).
    """

def mac(
    acc: ArrayLike, a: ArrayLike, b: ArrayLike, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Multiplies and accumulates, `acc[n] + a[n] b[n]`.

    * `acc`, `a`, `b`: shape (n,), all float32, float64, complex64 or complex128.
    * `out`: where to put the result, of the same type; not `acc` itself.

    The bits of `add(acc, mul(a, b))`, without the array in between. Raises as `add` does.

    >>> passband.math.mac([10, 20], [1, 2], [0.5, -2])
    array([10.5, 16. ])
    """

def unwrap(
    x: ArrayLike, period: float = 6.283185307179586, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Adds whole periods to samples, so that no two neighbours are further apart than half of one.

    * `x`: shape (n,), float32 or float64.
    * `period`: in the unit of `x`; 2 pi for the radians of `phase`.
    * `out`: where to put it, of the same type.

    Half a period stays as it is, as in `numpy.unwrap`. Periods are counted, not summed, so that
    errors do not grow: float32 is computed in double precision and rounded once, float64 is within
    one rounding of the output and one of what is added. All is NaN from a NaN or infinity on.
    `passband.Unwrap` does the same to a stream. Raises ValueError for a period that is not finite
    or not above 0, TypeError for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.unwrap([0, 1, 2, -1, 0], period=4)
    array([0., 1., 2., 3., 4.])

    K. Itoh, *Analysis of the phase unwrapping algorithm*, Applied Optics 21 (1982).
    """

def dot(a: ArrayLike, b: ArrayLike) -> Any:
    """Gives the dot product of two arrays, `sum a[n] b[n]`, a NumPy scalar of their type.

    * `a`, `b`: shape (n,), both float32, float64, complex64 or complex128. Complex samples are not
      conjugated; `vdot` does that.

    Products are added in double precision in 16 lanes, and after 64 additions each lane goes into a
    compensated sum: the error is below one rounding of the result and 1e-14 of
    `sum |a[n]| |b[n]|`, however many samples there are. NaN gives NaN, as does infinity times zero;
    no samples give 0. Raises TypeError for other types, ValueError for unequal lengths.

    >>> passband.math.dot([1, 2, 3], [0.5, -1, 2])
    np.float64(4.5)

    A. Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*, ZAMM 54
    (1974).
    """

def vdot(a: ArrayLike, b: ArrayLike) -> Any:
    """Gives the dot product of the conjugate of an array with another, `sum conj(a[n]) b[n]`.

    * `a`, `b`: shape (n,), both float32, float64, complex64 or complex128.

    The first is conjugated, as in `numpy.vdot`; real samples have none, and give what `dot` gives.
    The result is a NumPy scalar of their type. Accuracy, NaN and errors are those of `dot`.

    >>> passband.math.vdot([3 - 4j, 1j], [3 - 4j, 1j])
    np.complex128(26+0j)
    """

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

def phase(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the phase of each sample in radians, `atan2(im, re)` in [-pi, pi].

    * `x`: shape (n,), complex64 or complex128.
    * `out`: where to put it, real, of the same precision.

    Within 2 ulp of float32 and 2.4 ulp of float64. NaN gives NaN. The phase of zero is zero
    whatever the signs of its parts, where `numpy.angle` has pi for a real part of -0. Raises
    TypeError for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.phase([1, 1j, -1])
    array([0.        , 1.57079633, 3.14159265])
    """

def conj(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the complex conjugate of each sample.

    * `x`: shape (n,), complex64 or complex128.
    * `out`: where to put it, of the same type.

    Exact; the sign of the imaginary part turns, also of NaN and zero. Raises TypeError for another
    type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.conj([3 - 4j])
    array([3.+4.j])
    """

def scale(x: ArrayLike, gain: float, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Multiplies each sample by a real number, `gain x`.

    * `x`: shape (n,), float32, float64, complex64 or complex128.
    * `gain`: rounded once to the precision of `x`.
    * `out`: where to put it, of the same type.

    Real and imaginary parts are multiplied apart, so that an infinite part leaves the other as it
    is. Raises TypeError for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.scale([3 - 4j], 0.5)
    array([1.5-2.j])
    """

def clamp(x: ArrayLike, low: float, high: float, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Limits each sample, `min(max(x, low), high)`.

    * `x`: shape (n,), float32 or float64.
    * `low`, `high`: the limits, rounded once to the precision of `x`; infinite for none.
    * `out`: where to put it, of the same type.

    NaN gives NaN. Raises ValueError for `high` below `low` and for limits that are NaN, TypeError
    for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.clamp([-2, 0.25, 7], -1, 1)
    array([-1.  ,  0.25,  1.  ])
    """

def sqrt(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the square root of each sample.

    * `x`: shape (n,), float32 or float64.
    * `out`: where to put it, of the same type.

    Correctly rounded. Samples below zero give NaN, without a warning. Raises TypeError for another
    type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.sqrt([2.25, 0])
    array([1.5, 0. ])
    """

def exp(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the exponential of each sample, `e^x`.

    * `x`: shape (n,), float32 or float64.
    * `out`: where to put it, of the same type.

    Within 1 ulp, subnormal results included. NaN gives NaN; results beyond the type are infinity or
    0, without a warning. Raises TypeError for another type, else as
    `passband.shape.Blockwise.steps` does.

    >>> passband.math.exp([0, 1])
    array([1.        , 2.71828183])

    W. J. Cody and W. Waite, *Software Manual for the Elementary Functions*, 1980.
    """

def log(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the natural logarithm of each sample.

    * `x`: shape (n,), float32 or float64.
    * `out`: where to put it, of the same type.

    Within 1 ulp of float32 and 1.3 ulp of float64. Zero gives minus infinity, samples below zero
    and NaN give NaN, without a warning. Raises TypeError for another type, else as
    `passband.shape.Blockwise.steps` does.

    >>> passband.math.log([1, 10])
    array([0.        , 2.30258509])

    Sun Microsystems, *Freely Distributable Math Library* (fdlibm), 1993, for the coefficients.
    """

def power_to_db(
    x: ArrayLike, floor: float | None = None, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the level of each power in decibels, `max(floor, 10 log10 x)`.

    * `x`: shape (n,), float32 or float64.
    * `floor`: the least level, in decibels, which is also that of zero; without one zero gives
      minus infinity.
    * `out`: where to put it, of the same type.

    Within 2.5 ulp. Powers below zero and NaN give NaN, without a warning. Raises ValueError for a
    floor that is NaN, TypeError for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.power_to_db([1, 100, 0], floor=-120)
    array([   0.,   20., -120.])
    """

def amplitude_to_db(
    x: ArrayLike, floor: float | None = None, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Gives the level of each amplitude in decibels, `max(floor, 20 log10 |x|)`.

    * `x`: shape (n,), float32, float64, complex64 or complex128.
    * `floor`: the least level, in decibels, which is also that of zero; without one zero gives
      minus infinity.
    * `out`: where to put it, real, of the same precision.

    Within 2.5 ulp for real samples; for complex ones also within what an ulp of the magnitude is in
    decibels, 5.2e-7 in single and 1.5e-15 in double precision, where that is no subnormal number.
    NaN gives NaN, without a warning. Raises ValueError for a floor that is NaN, TypeError for
    another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.amplitude_to_db([0.1, -10j])
    array([-20.,  20.])
    """

def sin(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the sine of each sample, an angle in radians.

    * `x`: shape (n,), float32 or float64.
    * `out`: where to put it, of the same type.

    Within 1.6 ulp of float32 and 1 ulp of float64 at any angle. Infinity and NaN give NaN, without
    a warning. Angles beyond ±8192 (float32) and ±1.6e6 (float64) take some hundred times as long.
    Raises TypeError for another type, else as `passband.shape.Blockwise.steps` does.

    >>> passband.math.sin([0, np.pi / 2])
    array([0., 1.])

    W. J. Cody and W. Waite, *Software Manual for the Elementary Functions*, 1980; M. Payne and
    R. Hanek, *Radian reduction for trigonometric functions*, SIGNUM Newsletter 18 (1983).
    """

def cos(x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Gives the cosine of each sample, an angle in radians.

    * `x`: shape (n,), float32 or float64.
    * `out`: where to put it, of the same type.

    Accuracy, NaN, cost and literature are those of `sin`. Raises TypeError for another type, else
    as `passband.shape.Blockwise.steps` does.

    >>> passband.math.cos([0, np.pi])
    array([ 1., -1.])
    """

def sincos(
    x: ArrayLike, out: tuple[NDArray[Any], NDArray[Any]] | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Gives the sine and the cosine of each sample, an angle in radians.

    * `x`: shape (n,), float32 or float64.
    * `out`: a tuple of where to put them, of the same type.

    The bits of `sin` and `cos`, for little more than the cost of one of them. Raises TypeError for
    another type, else as `passband.shape.TwoOutput.steps` does.

    >>> sine, cosine = passband.math.sincos([0, np.pi / 2])
    >>> sine
    array([0., 1.])
    """

def mean(x: ArrayLike) -> Any:
    """Gives the mean of the samples, a NumPy scalar of their type; NaN of none.

    * `x`: shape (n,), float32, float64, complex64 or complex128.

    Single precision is summed in double; the error is below one rounding and 1e-14 of the mean
    magnitude, however many samples there are; sums above 1.8e308 overflow. NaN gives NaN. Raises
    TypeError for another type.

    >>> passband.math.mean([1, 2, 6])
    np.float64(3.0)
    """

def variance(x: ArrayLike, ddof: int = 0) -> Any:
    """Gives the variance of the samples, `sum |x - mean|^2 / (n - ddof)`, a real NumPy scalar.

    * `x`: shape (n,), float32, float64, complex64 or complex128.
    * `ddof`: 0 for the variance of these samples, 1 for the estimate of that which they are drawn
      from.

    Two passes, so that an offset far above the deviations costs no digits. NaN and infinity give
    NaN, and so do no more samples than `ddof`, without a warning. Raises TypeError for another
    type, ValueError for a negative `ddof`.

    >>> passband.math.variance(np.float32([10000, 10001, 10002, 10003]))
    np.float32(1.25)

    T. F. Chan, G. H. Golub and R. J. LeVeque, *Algorithms for computing the sample variance*, The
    American Statistician 37 (1983).
    """

def std_dev(x: ArrayLike, ddof: int = 0) -> Any:
    """Gives the standard deviation of the samples, the square root of their `variance`.

    * `x`: shape (n,), float32, float64, complex64 or complex128.
    * `ddof`: as `variance` has it.

    Raises as `variance` does.

    >>> passband.math.std_dev([1, 1, 5, 5])
    np.float64(2.0)
    """

def rms(x: ArrayLike) -> Any:
    """Gives the root mean square of the samples, `sqrt(sum |x|^2 / n)`, a real NumPy scalar.

    * `x`: shape (n,), float32, float64, complex64 or complex128.

    Within one rounding and 1e-14 of the result; squares of float64 beyond its range give infinity
    or 0. NaN gives NaN, and so do no samples. Raises TypeError for another type.

    >>> passband.math.rms([3, -3, 3])
    np.float64(3.0)
    """

def min(x: ArrayLike) -> Any:
    """Gives the least sample, a NumPy scalar.

    * `x`: shape (n,), float32 or float64, at least one sample.

    Any NaN gives NaN; a zero of negative sign is less than one of positive sign. Raises ValueError
    for no samples, TypeError for another type.

    >>> passband.math.min([2, -1, 5])
    np.float64(-1.0)
    """

def max(x: ArrayLike) -> Any:
    """Gives the largest sample, a NumPy scalar.

    * `x`: shape (n,), float32 or float64, at least one sample.

    Any NaN gives NaN; a zero of negative sign is less than one of positive sign. Raises ValueError
    for no samples, TypeError for another type.

    >>> passband.math.max([2, -1, 5])
    np.float64(5.0)
    """

def argmin(x: ArrayLike) -> int:
    """Gives the index of the first sample that is as little as `min`.

    * `x`: shape (n,), float32 or float64, at least one sample.

    The first NaN where there is one; zeros of both signs are the same. Raises ValueError for no
    samples, TypeError for another type.

    >>> passband.math.argmin([2, -1, 5])
    1
    """

def argmax(x: ArrayLike) -> int:
    """Gives the index of the first sample that is as large as `max`.

    * `x`: shape (n,), float32 or float64, at least one sample.

    The first NaN where there is one; zeros of both signs are the same. Raises ValueError for no
    samples, TypeError for another type.

    >>> passband.math.argmax([2, -1, 5])
    2
    """
