"""Filters.

Most of them take 10 to 300 times as long on subnormal samples, whose values they keep.
"""

from typing import Any, Self, final

from numpy.typing import ArrayLike, DTypeLike, NDArray

from passband.shape import Blockwise, Buffered, MultiChannel, TwoInput

@final
class Fir(Blockwise[Any]):
    """A finite impulse response filter, `y[n] = sum_k h[k] x[n - k]` with `x[n < 0] = 0`.

    * `taps`: h, shape (k,), real or complex, any number of them; they are rounded once to the
      precision of the samples and never padded. A NaN spreads to k outputs and no further.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64', 'complex128', or 'q7', 'q15' and 'q31' for codes of int8,
      int16 and int32, with taps that are codes too (`passband.to_q15`). Outputs are complex if
      samples or taps are.

    Codes are summed exactly, rounded once, halves up, and saturate; CMSIS-DSP's `arm_fir_q15` and
    its like cut off instead, and its sums of Q31 may wrap. Raises TypeError for taps of another
    kind than `dtype` calls for, ValueError for none or for more than one dimension. A sample costs
    k multiply-adds, twice that where samples or taps are complex, four times where both are; Q15
    and Q31 cost up to ten times as much where the magnitudes of the taps add up to 2 or more.
    Symmetric taps delay by (k - 1) / 2 samples.

    >>> from scipy.signal import firwin
    >>> low = passband.Fir(firwin(63, 0.1), dtype="complex64")
    >>> low.steps(np.ones(3, np.complex64)).dtype
    dtype('complex64')
    >>> mean = passband.Fir(passband.to_q15([0.5, 0.5]), dtype="q15")
    >>> mean.steps(np.int16([100, 101, -32768, -32768]))
    array([    50,    101, -16333, -32768], dtype=int16)

    A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 6.5.
    """

    def __new__(cls, taps: ArrayLike, *, dtype: DTypeLike | None = None) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the filter uses them, in the order in which they were given.

        >>> passband.Fir([0.5, 0.25], dtype="float32").taps
        array([0.5 , 0.25], dtype=float32)
        """

@final
class FftFir(Buffered[Any]):
    """A FIR filter by fast convolution, `y[n] = sum_k h[k] x[n - k]` with `x[n < 0] = 0`.

    The outputs are those of `Fir`, in blocks: a block is computed when its last input has come, and
    `flush` gives what is still owed, so that there are as many outputs as inputs in all.

    * `taps`: h, shape (k,), real or complex, up to 2^22; rounded once to the precision of the
      samples.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64' or 'complex128'. Outputs are complex if samples or taps are.

    The error is below 0.8 eps |h| |x|, of which |h| is the root of the sum of squares of the taps
    and |x| that of the samples of one block and the k taps before it. NaN and infinity spread to
    the outputs whose taps meet them and no further; their block is summed tap by tap. Raises
    TypeError for taps of another kind, ValueError for none, for too many or for more than one
    dimension. The cost of a sample grows with the logarithm of k; below some 100 taps `Fir` is
    faster. Symmetric taps delay by (k - 1) / 2 samples, and outputs come up to a block later.

    >>> from scipy.signal import firwin
    >>> low = passband.FftFir(firwin(255, 0.1), dtype="complex64")
    >>> x = np.ones(5000, np.complex64)
    >>> len(low.execute(x)) + len(low.flush())
    5000

    A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 8.7.3
    (overlap-save).
    """

    def __new__(cls, taps: ArrayLike, *, dtype: DTypeLike | None = None) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the filter uses them, in the order in which they were given.

        >>> passband.FftFir([0.5, 0.25], dtype="float32").taps
        array([0.5 , 0.25], dtype=float32)
        """

@final
class Hilbert(Blockwise[Any]):
    """The analytic signal of a real one, by an antisymmetric FIR filter.

    The real part is the input, delayed by `centre = (length - 1) / 2` samples, and the imaginary
    part `sum_m h[m] (x[n - centre - m] - x[n - centre + m])` over m = 1, 3, 5 .., which lags it by
    90 degrees: of a cosine the output is `exp(1j ..)`. Taps are the ideal ones under a Kaiser
    window, `h[m] = 2 / (pi m) w[m]`, and zero at even places.

    * `length`: the number of taps, 3, 7, 11 and so on.
    * `beta`: of the window, at least 0. Images (negative frequencies) lie A = beta / 0.1102 + 8.7
      dB below the signal, within 2 dB for a beta from 5 to 12 and from 31 taps on, at frequencies
      from (A - 7.95) / (28.72 (length - 1)) cycles per sample to half the sample rate less that.
      DC and half the sample rate have no imaginary part.
    * `dtype`: the type of the samples: 'float32' or 'float64'.

    The real part is exact; the error of the imaginary part is below length / 2 * eps times the sum
    of magnitudes. NaN and infinity spread to the outputs whose taps meet them, zeros not counted.
    Raises ValueError for another length or a beta that is negative or not finite. A sample costs
    (length + 1) / 4 subtractions and as many multiply-adds. The delay is (length - 1) / 2 samples.

    >>> x = np.cos(2 * np.pi * 0.1 * np.arange(100))
    >>> envelope = np.abs(passband.Hilbert(31, dtype="float64").steps(x))
    >>> bool(np.allclose(envelope[30:], 1, atol=1e-3))
    True

    A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 12.4.2.
    """

    def __new__(cls, length: int, *, beta: float = 8.0, dtype: DTypeLike = "float32") -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps of the imaginary part, zeros included.

        >>> passband.Hilbert(3, beta=0.0).taps
        array([-0.63661975,  0.        ,  0.63661975], dtype=float32)
        """

@final
class Sos(MultiChannel[Any]):
    """A recursive filter as a cascade of second-order sections, as SciPy designs them.

    Each section computes `y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]` of the
    output of the one before it.

    * `sos`: rows b0, b1, b2, 1, a1, a2, shape (k, 6), real; rounded once to the precision of the
      samples.
    * `channels`: how many streams it filters at once, in arrays of two dimensions; without it one
      stream, in arrays of one.
    * `dtype`: the type of the samples, by default that of `sos` (of lists: float64): 'float32',
      'float64', 'complex64', 'complex128', or 'q15' and 'q31' for codes of int16 and int32.

    Codes are filtered in direct form 1 by sections that are codes too, each at a scale of its own:
    a0, a power of two, is the code of 1. `passband.to_q15(sos.ravel() / 2).reshape(-1, 6)` takes
    coefficients below 2, `sos.ravel() / 4` those below 4. The sum of a section is exact, divided by
    a0, rounded once, halves up, and saturates, which keeps overflows from oscillating. CMSIS-DSP's
    `arm_biquad_cascade_df1_q15` has the scale as `postShift`, takes -a1 and -a2, and cuts off; its
    sums of Q31 wrap.

    One stream runs in place with `out=x`. The signal to error of an 8th-order Butterworth low-pass
    in float32 is 135 dB at a cut-off of 0.1 cycles per sample and 99 dB at 0.005. Once a NaN or
    infinity has entered, outputs are NaN until `reset`. After the input has fallen silent, outputs
    decay into subnormal numbers, on which x86 takes about a hundred times as long. Raises TypeError
    for complex sections and for codes without their `dtype`, ValueError for another shape, for
    none, for an a0 that is not 1 (of codes: no power of two above 1) and for coefficients that are
    not finite. A sample costs 9 operations per section, 12 in fixed point, twice that where it is
    complex, and a call what some 50 samples cost. Frequencies are delayed differently; zero phase
    over a whole recording is SciPy's `sosfiltfilt`.

    >>> from scipy.signal import butter
    >>> low = passband.Sos(butter(8, 0.1, output="sos"), dtype="float32")
    >>> low
    <Sos of 4 sections, float32 to float32>
    >>> low.steps(np.ones(200, np.float32))[-1].round(2)
    np.float32(1.0)
    >>> half = passband.to_q15([0.25, 0.0, 0.0, 0.5, -0.25, 0.0])
    >>> codes = passband.Sos([half], dtype="q15")
    >>> codes.steps(np.int16([100, 0, 0, 0]))
    array([50, 25, 13,  7], dtype=int16)

    A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 6.3.
    """

    def __new__(
        cls, sos: ArrayLike, *, channels: int | None = None, dtype: DTypeLike | None = None
    ) -> Self: ...
    @property
    def sos(self) -> NDArray[Any]:
        """A copy of the sections as the filter uses them, shape (k, 6).

        >>> passband.Sos([[1, 2, 1, 1, -0.5, 0.25]]).sos
        array([[ 1.  ,  2.  ,  1.  ,  1.  , -0.5 ,  0.25]])
        """

@final
class Allpass(Blockwise[Any]):
    """An all-pass section of first or second order, which leaves amplitudes and turns phases.

    The first order is `y[n] = a1 (x[n] - y[n-1]) + x[n-1]`, the second
    `y[n] = a2 (x[n] - y[n-2]) + a1 (x[n-1] - y[n-1]) + x[n-2]`, with zeros before the start.

    * `a1`, `a2`: the denominator after its 1, and from behind the numerator; without `a2` of first
      order. A pair of poles of radius r at f cycles per sample has a1 = -2 r cos(2 pi f) and
      a2 = r^2.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Runs in place with `out=x`. Computed in double precision: float32 is within 0.51 ulp of the
    exact output plus 4e-16 times the largest output so far over the product of the poles'
    distances from the unit circle, float64 within 1.2e-16 plus that. A NaN or infinity stays: all
    later outputs are NaN until `reset`. Raises ValueError for poles that are not within the unit
    circle: a1 has to be between -1 and 1, of second order a2, and a1 below 1 + a2 in magnitude. A
    sample costs four operations, or seven. The delay is the sum of (1 - |p|^2) / |1 - p exp(-2j pi
    f)|^2 over the poles p.

    >>> passband.Allpass(0.5).steps(np.float32([8, 0, 0, 0]))
    array([ 4. ,  6. , -3. ,  1.5], dtype=float32)

    P. A. Regalia, S. K. Mitra and P. P. Vaidyanathan, *The digital all-pass filter: a versatile
    signal processing building block*, Proc. IEEE 76 (1988).
    """

    def __new__(
        cls, a1: float, a2: float | None = None, *, dtype: DTypeLike = "float32"
    ) -> Self: ...

@final
class MovingAverage(Blockwise[Any]):
    """The mean of the last samples, `y[n] = (x[n] + .. + x[n - length + 1]) / length`.

    * `length`: samples that a mean is taken of, at least 1. Those before the start are zero.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Runs in place with `out=x`. Nothing is ever subtracted, so that nothing drifts and a NaN leaves
    after `length` samples. Sums are in double precision: float32 is within 0.51 ulp of the exact
    mean plus length * 2e-17 times the mean of |x|, float64 within (length / 8 + 12) * 1.2e-16 times
    that mean; sums above 1.8e308 overflow. Raises ValueError for a length of 0. A sample costs four
    additions and a division whatever the length. The delay is (length - 1) / 2 samples.

    >>> passband.MovingAverage(3).steps(np.float32([3, 6, 9, 0]))
    array([1., 3., 6., 5.], dtype=float32)

    M. van Herk, *A fast algorithm for local minimum and maximum filters on rectangular and
    octagonal kernels*, Pattern Recognition Letters 13 (1992), for sums in place of extremes.
    """

    def __new__(cls, length: int, *, dtype: DTypeLike = "float32") -> Self: ...

@final
class MovingMedian(Blockwise[Any]):
    """The median of the last samples, `y[n] = median(x[n], .. x[n - length + 1])`.

    * `length`: samples that a median is taken of, 1 to 2^31 - 1. Those before the start are zero.
      Of an even number it is the mean of both in the middle.
    * `dtype`: the type of the samples: 'float32' or 'float64'.

    Runs in place with `out=x`. Exact, the mean of two rounded once. A NaN makes the median of every
    window that holds it NaN and leaves after `length` samples; infinities are numbers. Raises
    ValueError for another length. A sample costs at most 3 log2(length) comparisons and exchanges,
    and an object 16 bytes per sample of its window. The delay is (length - 1) / 2 samples.

    >>> passband.MovingMedian(3).steps(np.float32([1, 2, 99, 3, 4]))
    array([0., 1., 2., 3., 4.], dtype=float32)

    W. Härdle and W. Steiger, *Algorithm AS 296: Optimal median smoothing*, Applied Statistics 44
    (1995).
    """

    def __new__(cls, length: int, *, dtype: DTypeLike = "float32") -> Self: ...

@final
class OnePole(Blockwise[Any]):
    """An exponential smoother, `y[n] = y[n - 1] + alpha (x[n] - y[n - 1])` with `y[-1] = 0`.

    * `alpha`: the weight of each new sample, 2^-32 to 1. For a time constant of tau samples it is
      1 - exp(-1 / tau). White noise leaves with alpha / (2 - alpha) of its power.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Runs in place with `out=x`. Computed in double precision: float32 is within 0.51 ulp of the
    exact output plus 2e-16 / alpha times the largest input so far, float64 within 1.2e-16 plus
    that. A NaN or infinity stays: all later outputs are NaN or infinite until `reset`. Raises
    ValueError for a weight that is out of range. A sample costs five operations. Slow signals are
    delayed by (1 - alpha) / alpha samples, faster ones by less.

    >>> passband.OnePole(0.5).steps(np.full(4, 8, np.float32))
    array([4. , 6. , 7. , 7.5], dtype=float32)

    R. G. Lyons, *Understanding Digital Signal Processing*, 3rd ed., section 11.5.
    """

    def __new__(cls, alpha: float, *, dtype: DTypeLike = "float32") -> Self: ...

@final
class Deemphasis(Blockwise[Any]):
    """The de-emphasis of FM broadcasts, a low-pass of one pole.

    It computes `y[n] = b0 x[n] + b1 x[n - 1] + pole y[n - 1]`. The pole is that of the analogue
    filter `1 / (1 + s time_constant)`, `exp(-1 / tau)` with `tau = time_constant fs`, and so are
    the gains at DC and at a quarter of the sample rate: `b0 + b1 = 1 - pole` and `(b0 - b1)^2 = 2
    (1 + pole^2) / (1 + (pi tau / 2)^2) - (1 - pole)^2`.

    * `time_constant`: in seconds, 75e-6 in the Americas and South Korea and 50e-6 elsewhere; above
      0 and at most 2^20 samples.
    * `fs`: the sample rate in Hz; without it times are in samples.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Runs in place with `out=x`. Its gain is within 0.04 dB of the analogue one up to a quarter of
    the sample rate, 0.15 dB up to 5/16 (15 kHz of 48 kHz) and 1 dB up to 0.42. Computed in double
    precision: float32 is within 0.51 ulp of the exact output plus 2e-16 (tau + 1) times the largest
    input so far, float64 within 1.2e-16 plus that. A NaN or infinity stays: all later outputs are
    NaN or infinite until `reset`. Raises ValueError for times and rates that are out of range. A
    sample costs seven operations. Slow signals are delayed by about the time constant, as by the
    analogue filter.

    >>> low = passband.Deemphasis(50e-6, fs=48000)
    >>> low.steps(np.ones(30, np.float32))[-1].round(3)
    np.float32(1.0)

    ITU-R BS.450, *Transmission standards for FM sound broadcasting at VHF*. M. Vicanek, *Matched
    second order digital filters* (2016), for matching pole and gains.
    """

    def __new__(
        cls, time_constant: float, *, fs: float = 1.0, dtype: DTypeLike = "float32"
    ) -> Self: ...

@final
class DcBlocker(Blockwise[Any]):
    """A first-order high-pass that removes the mean, `y[n] = x[n] - x[n - 1] + pole y[n - 1]`.

    * `pole`: above 0 and below 1, in most uses 0.9 to 0.9999. A step decays by 1/e in
      1 / (1 - pole) samples; 3 dB are lost near (1 - pole) / (2 pi) cycles per sample.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Runs in place with `out=x`. Computed in double precision: float32 is within 0.51 ulp of the
    exact output plus 2e-16 / (1 - pole) times the largest output so far, float64 within 1.2e-16
    plus that. A NaN or infinity stays: all later outputs are NaN until `reset`. Raises ValueError
    for a pole that is out of range. A sample costs seven operations.

    >>> passband.DcBlocker(0.5).steps(np.full(4, 8, np.float32))
    array([8., 4., 2., 1.], dtype=float32)

    J. O. Smith, *Introduction to Digital Filters with Audio Applications*, section B.3.
    """

    def __new__(cls, pole: float, *, dtype: DTypeLike = "float32") -> Self: ...

@final
class Nlms(TwoInput[Any]):
    """An adaptive filter by normalised least mean squares, whose output is the error.

    It learns the filter that makes `d` out of `x`: `e[n] = d[n] - sum_k w[k] x[n - k]`, after which
    `w[k] += step_size e[n] conj(x[n - k]) / (regularization + sum_k |x[n - k]|^2)`. Weights and
    past samples start at 0.

    * `length`: the number of weights, at least 1.
    * `step_size`: above 0 and below 2; the nearer to 1 the faster, small ones average over noise.
    * `regularization`: a power that keeps small inputs from making large steps, at least 0.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64', 'complex128', or 'q15'
      for int16 codes.

    Of codes the power and the sum over products are exact; the sum, the error, the quotient
    `step_size e[n] / (..)` and each weight are rounded to codes, halves up, and saturate. The step
    size is then in steps of 2^-15 and the regularization in steps of 2^-30.

    Sums are computed anew for each sample, so that nothing drifts. In silence the weights stay. NaN
    and infinity in `x` make `length` outputs NaN or infinite, in `d` one, and the weights stay
    meanwhile. Raises ValueError for arguments that are out of range, rounded to the precision of
    the samples. A sample costs three multiply-adds per weight, twelve where it is complex. No
    delay.

    >>> adaptive = passband.Nlms(2, 1.0, regularization=0.0, dtype="float64")
    >>> adaptive.steps([1.0, 0.0, 1.0], [0.5, 0.25, 0.5])
    array([0.5 , 0.25, 0.  ])

    S. Haykin, *Adaptive Filter Theory*, 4th ed., chapter 6.
    """

    def __new__(
        cls,
        length: int,
        step_size: float,
        *,
        regularization: float = 1e-06,
        dtype: DTypeLike = "float32",
    ) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the weights as they are now, that of the newest sample first.

        Raises RuntimeError while another call runs.

        >>> adaptive = passband.Nlms(2, 1.0, regularization=0.0)
        >>> adaptive.step(1.0, 0.5)
        np.float32(0.5)
        >>> adaptive.taps
        array([0.5, 0. ], dtype=float32)
        """

@final
class Lms(TwoInput[Any]):
    """An adaptive filter by least mean squares, whose output is the error.

    It learns the filter that makes `d` out of `x`: `e[n] = d[n] - sum_k w[k] x[n - k]`, after which
    `w[k] += step_size e[n] conj(x[n - k])`. Weights and past samples start at 0.

    * `length`: the number of weights, at least 1.
    * `step_size`: above 0, and for convergence well below 2 / (length P), P being the power of `x`.
      Weights settle within some 1 / (step_size P) samples. Where P varies, `Nlms` needs no such
      bound.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64', 'complex128', or 'q15'
      for int16 codes.

    Of codes the sum over products is exact; it, the error, `step_size e[n]` and each weight are
    rounded to codes, halves up, and saturate. The step size is then below 2, in steps of 2^-15.
    This is CMSIS-DSP's `arm_lms_q15` without a shift of weights, but that one cuts codes off and
    lets errors wrap.

    Sums are computed anew for each sample, so that nothing drifts. NaN and infinity in `x` make
    `length` outputs NaN or infinite, in `d` one, and the weights stay meanwhile. Raises ValueError
    for arguments that are out of range, rounded to the precision of the samples. A sample costs two
    multiply-adds per weight, eight where it is complex. No delay.

    >>> adaptive = passband.Lms(2, 0.5, dtype="float64")
    >>> adaptive.steps([1.0, 0.0, 1.0], [0.5, 0.25, 0.5])
    array([0.5 , 0.25, 0.25])

    S. Haykin, *Adaptive Filter Theory*, 4th ed., chapter 5.
    """

    def __new__(cls, length: int, step_size: float, *, dtype: DTypeLike = "float32") -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the weights as they are now, that of the newest sample first.

        Raises RuntimeError while another call runs.

        >>> adaptive = passband.Lms(2, 0.5)
        >>> adaptive.step(1.0, 0.5)
        np.float32(0.5)
        >>> adaptive.taps
        array([0.25, 0.  ], dtype=float32)
        """

@final
class Pid(Blockwise[Any]):
    """A PID controller with a filtered derivative and a sum that does not wind up.

    Of errors e (set point less measurement), with zeros before the start and tau = derivative_time
    fs:

        d[n] = (tau d[n-1] + kd fs (e[n] - e[n-1])) / (tau + 1)
        s    = i[n-1] + ki / fs e[n]
        v[n] = kp e[n] + s + d[n]
        y[n] = v[n], at least low and at most high
        i[n] = i[n-1] where v[n] is beyond a limit and s moved towards it, otherwise s

    * `kp`, `ki`, `kd`: output per error, per error and second, and per change of the error per
      second.
    * `fs`: the sample rate in Hz; without it times are in samples.
    * `derivative_time`: the time constant of the derivative's filter in seconds, at least 0.
    * `low`, `high`: the least and the largest output; None is no limit.
    * `dtype`: the type of the samples: 'float32' or 'float64'.

    Runs in place with `out=x`. Computed in double precision and rounded once; the error of the sum
    grows by 1.2e-16 of it per sample. An error that is no finite number gives NaN or a limit and
    leaves the state as it was. Raises ValueError for gains that are not finite, a time that is
    negative, and limits in the wrong order. A sample costs twelve operations. No delay.

    >>> pid = passband.Pid(1.0, 0.5, high=3.0)
    >>> pid.steps(np.float32([1, 1, 4, 1, -1]))
    array([1.5, 2. , 3. , 2.5, 0. ], dtype=float32)

    K. J. Åström and T. Hägglund, *PID Controllers: Theory, Design, and Tuning*, 2nd ed.,
    sections 3.5 and 3.6.
    """

    def __new__(
        cls,
        kp: float,
        ki: float = 0.0,
        kd: float = 0.0,
        *,
        fs: float = 1.0,
        derivative_time: float = 0.0,
        low: float | None = None,
        high: float | None = None,
        dtype: DTypeLike = "float32",
    ) -> Self: ...
