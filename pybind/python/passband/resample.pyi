"""Changes of the sample rate.

Most resamplers take 10 to 300 times as long on subnormal samples, whose values they keep.
"""

from typing import Any, Self, final

from numpy.typing import ArrayLike, DTypeLike, NDArray

from passband.shape import VariableLength

@final
class FirDecimator(VariableLength[Any]):
    """A FIR filter that computes every M-th output only, `y[m] = sum_k h[k] x[phase + m M - k]`.

    * `taps`: h, shape (k,), real or complex, rounded once to the precision of the samples.
    * `factor`: M, 1 to 16777216.
    * `phase`: the input sample at which the first output is, 0 to M - 1.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64', 'complex128', or 'q7', 'q15' and 'q31' for codes of int8,
      int16 and int32, with taps that are codes too (`passband.to_q15`). Outputs are complex if
      samples or taps are.

    Codes are summed exactly, rounded once, halves up, and saturate; CMSIS-DSP's
    `arm_fir_decimate_q15` cuts off instead, and its sums of Q31 may wrap. Raises TypeError for taps
    of another kind, ValueError for none, for a factor or a phase that is out of range. After N
    inputs it has given exactly ceil((N - phase) / M) outputs, whatever the blocks. An input costs
    k / M multiply-adds. Symmetric taps delay by (k - 1) / 2 input samples.

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
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.FirDecimator([1.0, 2.0, 2.0, 1.0], 2).group_delay
        1.5
        """

@final
class FirInterpolator(VariableLength[Any]):
    """A FIR filter that computes L outputs per input, `y[m] = sum_k h[k] u[m - k]`.

    `u` is the input with L - 1 zeros after each sample, `u[n L] = x[n]`; products with those are
    not computed.

    * `taps`: h, shape (k,), real or complex, rounded once to the precision of the samples. For a
      gain of 1 their sum is L.
    * `factor`: L, 1 to 16777216.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64' or 'complex128'. Outputs are complex if samples or taps are.

    Raises TypeError for taps of another kind, ValueError for none or for a factor out of range.
    After N inputs it has given exactly N L outputs, whatever the blocks. An output costs k / L
    multiply-adds. Symmetric taps delay by (k - 1) / (2 L) input samples.

    >>> linear = passband.FirInterpolator([0.5, 1.0, 0.5], 2)
    >>> linear.execute([2.0, 4.0, 6.0])
    array([1., 2., 3., 4., 5., 6.])

    R. E. Crochiere and L. R. Rabiner, *Multirate Digital Signal Processing*, section 3.3.
    """

    def __new__(cls, taps: ArrayLike, factor: int, *, dtype: DTypeLike | None = None) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the interpolator uses them, in the order in which they were given.

        >>> passband.FirInterpolator([1, 2], 2).taps
        array([1., 2.])
        """
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.FirInterpolator([0.5, 1.0, 0.5], 2).group_delay
        0.5
        """

@final
class RationalResampler(VariableLength[Any]):
    """A FIR filter between two rates, `y[m] = sum_k h[k] u[m M + phase - k]`.

    `u` is the input with L - 1 zeros after each sample, `u[n L] = x[n]`; only products with inputs
    are computed, by a polyphase bank.

    * `taps`: h, shape (k,), real or complex, rounded once to the precision of the samples. For a
      gain of 1 their sum is L.
    * `up`, `down`: L and M, 1 to 16777216. The output rate is L / M of the input's.
    * `phase`: the first output's time in samples of u, 0 to M - 1.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64' or 'complex128'. Outputs are complex if samples or taps are.

    Raises TypeError for taps of another kind, ValueError for none, for a factor or a phase that is
    out of range. After N inputs it has given exactly ceil((N L - phase) / M)
    outputs, whatever the blocks and however long the stream. An output costs k / L multiply-adds.
    Symmetric taps delay by (k - 1) / (2 L) input samples.

    >>> resampler = passband.RationalResampler([0.5, 1.0, 0.5], 2, 3)
    >>> resampler.max_out(4)
    3
    >>> resampler.execute([2.0, 4.0, 6.0, 8.0])
    array([1., 4., 7.])

    R. E. Crochiere and L. R. Rabiner, *Multirate Digital Signal Processing*, section 3.3.
    """

    def __new__(
        cls,
        taps: ArrayLike,
        up: int,
        down: int,
        *,
        phase: int = 0,
        dtype: DTypeLike | None = None,
    ) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the resampler uses them, in the order in which they were given.

        >>> passband.RationalResampler([1, 2], 2, 3).taps
        array([1., 2.])
        """
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.RationalResampler([0.5, 1.0, 0.5], 2, 3).group_delay
        0.5
        """

@final
class ArbitraryResampler(VariableLength[Any]):
    """A resampler to any rate, `y[m] = sum_n h(m / ratio + phase - n) x[n]`.

    h is a sine cardinal under a Kaiser window, flat to 0.4 of the lower rate and down by the
    stop-band from 0.5 of it on. It is computed as polynomials of the time between two inputs, piece
    by piece, of order 2, 3 or 4 (60, 100, 140 dB).

    * `ratio`: outputs per input, from 1/1024 to 65536. It may be set while the stream runs; the
      filter stays that of the constructor's ratio.
    * `stopband`: the attenuation of images and aliases in dB: 60, 100 or 140, the last to be seen
      in double precision only.
    * `phase`: the first output's time in input samples, 0 to 2^20. With `group_delay` as `phase`
      outputs are in step with the input.
    * `dtype`: the type of samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Raises ValueError for what is out of range. Time is kept in units of 2^-64 input samples, to
    which an output's period is rounded up once: within 6e-11 samples after 10^9 outputs. After N
    inputs it has given ceil((N - phase) ratio) outputs; `max_out` tells of each call before. An
    output costs 3, 4 or 5 multiply-adds for each of 48, 80 or 96 taps (60, 100, 140 dB), one more
    where samples are complex; below a ratio of 1 the taps are that over the ratio.

    >>> resampler = passband.ArbitraryResampler(48 / 44.1)
    >>> resampler.max_out(441)
    480
    >>> resampler.execute(np.ones(441, np.float32))[-2:].round(4)
    array([1., 1.], dtype=float32)

    J. O. Smith and P. Gossett, *A flexible sampling-rate conversion method*, Proc. ICASSP (1984).
    """

    def __new__(
        cls,
        ratio: float,
        *,
        stopband: int = 100,
        phase: float = 0.0,
        dtype: DTypeLike = "float32",
    ) -> Self: ...
    @property
    def group_delay(self) -> float:
        """The delay in input samples, the same at every frequency and ratio.

        >>> passband.ArbitraryResampler(1.5, stopband=60).group_delay
        24.0
        """
    @property
    def ratio(self) -> float:
        """Outputs per input from the output after the next on; the next one stays where it is.

        Raises ValueError for what is out of range, RuntimeError while another call runs.

        >>> resampler = passband.ArbitraryResampler(1.0)
        >>> resampler.ratio = 1.00001
        >>> resampler.ratio
        1.00001
        """

    @ratio.setter
    def ratio(self, ratio: float) -> None: ...

@final
class Farrow(VariableLength[Any]):
    """A resampler to any rate by polynomials, `y[m] = p(m / ratio + phase - delay)`.

    Between two inputs p is the polynomial that meets as many inputs on either side (Lagrange). Each
    of its coefficients is a branch of fixed taps, and Horner's rule puts them together for the time
    at hand, so that a new ratio costs nothing: what a timing loop wants. Nothing is filtered:
    signals have to be oversampled, and below a ratio of 1 what lies above half of the output's rate
    aliases. ArbitraryResampler filters as well, for several times the work.

    * `ratio`: outputs per input, from 1/1024 to 65536. It may be set while the stream runs.
    * `order`: that of the polynomials, 1, 3, 5 or 7. A tone at f cycles per input sample comes with
      images around whole cycles, the largest of them below it by

      | order | f = 0.05 | f = 0.1 | f = 0.2 |
      | --- | --- | --- | --- |
      | 1 | 51 dB | 38 dB | 25 dB |
      | 3 | 85 dB | 60 dB | 36 dB |
      | 5 | 119 dB | 82 dB | 46 dB |
      | 7 | 152 dB | 104 dB | 56 dB |

    * `phase`: the first output's time in input samples, 0 to 2^20. With `group_delay` as `phase`
      outputs are in step with the input.
    * `dtype`: the type of samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Raises ValueError for what is out of range. Time is kept in units of 2^-64 input samples, to
    which an output's period is rounded up once: within 6e-11 samples after 10^9 outputs. After N
    inputs it has given ceil((N - phase) ratio) outputs; `max_out` tells of each call before. An
    output costs (order + 1)^2 multiply-adds, twice that where samples are complex.

    >>> twice = passband.Farrow(2.0, phase=2.0, dtype="float64")
    >>> twice.max_out(6)
    8
    >>> twice.execute([0.0, 1.0, 4.0, 9.0, 16.0, 25.0])[2:]
    array([ 1.  ,  2.25,  4.  ,  6.25,  9.  , 12.25])

    C. W. Farrow, *A continuously variable digital delay element*, Proc. IEEE ISCAS (1988).
    """

    def __new__(
        cls,
        ratio: float,
        *,
        order: int = 3,
        phase: float = 0.0,
        dtype: DTypeLike = "float32",
    ) -> Self: ...
    @property
    def group_delay(self) -> float:
        """The delay in input samples, (order + 1) / 2, the same at every frequency and ratio.

        >>> passband.Farrow(1.5).group_delay
        2.0
        """
    @property
    def ratio(self) -> float:
        """Outputs per input from the output after the next on; the next one stays where it is.

        Raises ValueError for what is out of range, RuntimeError while another call runs.

        >>> timing = passband.Farrow(0.5)
        >>> timing.ratio = 0.5001
        >>> timing.ratio
        0.5001
        """

    @ratio.setter
    def ratio(self, ratio: float) -> None: ...

@final
class CicDecimator(VariableLength[Any]):
    """A decimator by moving sums, `y[m] = sum_k h[k] x[m R + phase - k] / (R D)^N`.

    h is a boxcar of R D ones convolved with itself N times. Sums are integers; the result is that
    of the formula, rounded half up once. The magnitude is `|sin(pi f R D) / (R D sin(pi f))|^N` at
    f cycles per input sample: a FIR of its inverse, of SciPy's `firwin2`, flattens the pass-band.

    * `factor`: R, any integer from 1.
    * `order`: N, 1 to 8.
    * `delay`: D, the differential delay in outputs, 1 or 2.
    * `phase`: the input sample at which the first output is, 0 to R - 1.
    * `dtype`: 'q15', codes of int16, or 'q31', codes of int32; outputs are of the same type.

    Raises ValueError for what is out of range and for a growth (R D)^N that does not fit 62 bits
    with the samples. After n inputs it has given exactly ceil((n - phase) / R) outputs. An input
    costs N additions.

    >>> mean = passband.CicDecimator(2, 1, phase=1)
    >>> mean.execute(np.array([1, 3, 5, 8], np.int16))
    array([2, 7], dtype=int16)

    E. B. Hogenauer, *An economical class of digital filters for decimation and interpolation*,
    IEEE Trans. ASSP-29 (1981).
    """

    def __new__(
        cls,
        factor: int,
        order: int,
        *,
        delay: int = 1,
        phase: int = 0,
        dtype: DTypeLike = "q15",
    ) -> Self: ...
    @property
    def group_delay(self) -> float:
        """The delay in input samples, N (R D - 1) / 2.

        >>> passband.CicDecimator(8, 4).group_delay
        14.0
        """

@final
class CicInterpolator(VariableLength[Any]):
    """An interpolator by moving sums, `y[m] = sum_k h[k] u[m - k] R / (R D)^N`.

    u is the input with R - 1 zeros after each sample, and h a boxcar of R D ones convolved with
    itself N times: N of 1 holds samples, N of 2 draws lines between them. Sums are integers; the
    result is that of the formula, rounded half up once.

    * `factor`: R, any integer from 1.
    * `order`: N, 1 to 8.
    * `delay`: D, the differential delay in inputs, 1 or 2.
    * `dtype`: 'q15', codes of int16, or 'q31', codes of int32; outputs are of the same type.

    Raises ValueError for what is out of range and for a growth (R D)^N that does not fit 62 bits
    with the samples. After n inputs it has given exactly n R outputs. An output costs N additions
    and a division.

    >>> lines = passband.CicInterpolator(2, 2)
    >>> lines.execute(np.array([2, 4, 8], np.int16))
    array([1, 2, 3, 4, 6, 8], dtype=int16)

    E. B. Hogenauer, *An economical class of digital filters for decimation and interpolation*,
    IEEE Trans. ASSP-29 (1981).
    """

    def __new__(
        cls, factor: int, order: int, *, delay: int = 1, dtype: DTypeLike = "q15"
    ) -> Self: ...
    @property
    def group_delay(self) -> float:
        """The delay in input samples, N (R D - 1) / (2 R).

        >>> passband.CicInterpolator(8, 4).group_delay
        1.75
        """

@final
class HalfbandDecimator(VariableLength[Any]):
    """A half-band filter that computes every other output, `y[m] = sum_k h[k] x[2 m - k]`.

    Taps at odd places are zero save the one in the middle, and are not multiplied. After n
    inputs it has given exactly ceil(n / 2) outputs. An input costs k / 4 multiply-adds.

    * `taps`: h, shape (k,) with k one of 3, 7, 11 and so on, real or complex, rounded once to the
      precision of the samples, or codes where those are. With SciPy: `firwin(k, 0.5)` whose zeros
      are made exact, `taps[1::2] = 0` and `taps[k // 2] = 0.5`.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64', 'complex128', or 'q7', 'q15' and 'q31' for codes of int8,
      int16 and int32. Outputs are complex if samples or taps are.

    Codes are summed exactly, rounded once, halves up, and saturate. Raises TypeError for taps of
    another kind, ValueError for taps that are not half-band.

    >>> half = passband.HalfbandDecimator([0.25, 0.5, 0.25])
    >>> half.execute([4.0, 8.0, 4.0, 0.0, 4.0])
    array([1., 6., 2.])

    M. G. Bellanger, J. L. Daguet and G. P. Lepagnol, *Interpolation, extrapolation, and reduction
    of computation speed in digital filters*, IEEE Trans. ASSP-22 (1974).
    """

    def __new__(cls, taps: ArrayLike, *, dtype: DTypeLike | None = None) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps, zeros included.

        >>> passband.HalfbandDecimator([0.5, 1, 0.5]).taps
        array([0.5, 1. , 0.5])
        """
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.HalfbandDecimator([0.5, 1, 0.5]).group_delay
        1.0
        """

@final
class HalfbandInterpolator(VariableLength[Any]):
    """A half-band filter that computes two outputs per input, `y[m] = sum_k h[k] u[m - k]`.

    Taps at odd places are zero save the one in the middle, and are not multiplied. u is
    the input with a zero after each sample; for a gain of 1 the taps add up to 2. After n inputs it
    has given exactly 2 n outputs. An output costs k / 4 multiply-adds.

    * `taps`: h, shape (k,) with k one of 3, 7, 11 and so on, real or complex, rounded once to the
      precision of the samples, or codes where those are. With SciPy: `firwin(k, 0.5)` whose zeros
      are made exact, `taps[1::2] = 0` and `taps[k // 2] = 0.5`.
    * `dtype`: the type of the samples, by default that of the taps (of lists: float64):
      'float32', 'float64', 'complex64', 'complex128', or 'q7', 'q15' and 'q31' for codes of int8,
      int16 and int32. Outputs are complex if samples or taps are.

    Codes are summed exactly, rounded once, halves up, and saturate. Raises TypeError for taps of
    another kind, ValueError for taps that are not half-band.

    >>> lines = passband.HalfbandInterpolator([0.5, 1.0, 0.5])
    >>> lines.execute([2.0, 4.0, 6.0])
    array([1., 2., 3., 4., 5., 6.])

    M. G. Bellanger, J. L. Daguet and G. P. Lepagnol, *Interpolation, extrapolation, and reduction
    of computation speed in digital filters*, IEEE Trans. ASSP-22 (1974).
    """

    def __new__(cls, taps: ArrayLike, *, dtype: DTypeLike | None = None) -> Self: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps, zeros included.

        >>> passband.HalfbandInterpolator([0.5, 1, 0.5]).taps
        array([0.5, 1. , 0.5])
        """
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.HalfbandInterpolator([0.5, 1, 0.5]).group_delay
        0.5
        """

@final
class Ddc(VariableLength[Any]):
    """A down-converter: the band around `freq` comes to zero, a FIR filter follows, and every M-th.

    `y[m] = sum_k h[k] u[m M - k]` with `u[n] = x[n] exp(-2j pi (phase + n freq / fs))`. Blocks are
    shifted in a small scratch and filtered from there, so that no stream of the full rate passes
    through memory. For a cascade, put further decimators behind it in a Chain.

    * `freq`: the middle of the band, in units of `fs`, any finite number. It may be set while the
      stream runs, and the phase continues.
    * `taps`: h, shape (k,), real, rounded once to float32: a low-pass.
    * `factor`: M, 1 to 16777216.
    * `fs`: the sample rate of the input.
    * `phase`: that of the oscillator at the first input, in cycles.
    * `dtype`: the type of the input, 'complex64' or 'float32'; outputs are complex64. Of a real
      tone half the amplitude is at `freq`, the other half at `-freq`.

    Raises TypeError for taps that are complex or no numbers, ValueError for none, for a factor out
    of range and for a frequency, rate or phase that makes no sense. The shift is within 3.5e-7 of
    each component, however long the stream. After N inputs it has given exactly ceil(N / M)
    outputs. An input costs ten operations for the shift (six where it is real) and 2 k / M
    multiply-adds. Symmetric taps delay by (k - 1) / 2 input samples.

    >>> tone = np.exp(2j * np.pi * 0.1 * np.arange(12)).astype(np.complex64)
    >>> np.abs(passband.Ddc(0.1, [0.25] * 4, 4).execute(tone)[1:]).round(4)
    array([1., 1.], dtype=float32)

    F. J. Harris, *Multirate Signal Processing for Communication Systems*, section 6.
    """

    def __new__(
        cls,
        freq: float,
        taps: ArrayLike,
        factor: int,
        *,
        fs: float = 1.0,
        phase: float = 0.0,
        dtype: DTypeLike = "complex64",
    ) -> Self: ...
    @property
    def freq(self) -> float:
        """The middle of the band in units of `fs`, within half of it; setting it keeps the phase.

        Samples that the filter holds stay as they were shifted. Raises ValueError for a frequency
        that is not finite, RuntimeError while another call runs.

        >>> tuner = passband.Ddc(100e3, [1.0], 1, fs=2e6)
        >>> tuner.freq = -250e3
        >>> tuner.freq
        -250000.0
        """

    @freq.setter
    def freq(self, freq: float) -> None: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the converter uses them, in the order in which they were given.

        >>> passband.Ddc(0.1, [1, 2], 2).taps
        array([1., 2.], dtype=float32)
        """
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.Ddc(0.1, [1.0, 2.0, 2.0, 1.0], 2).group_delay
        1.5
        """

@final
class Duc(VariableLength[Any]):
    """An up-converter: a FIR filter computes L outputs per input, which are shifted to `freq`.

    `y[m] = exp(2j pi (phase + m freq / fs)) sum_k h[k] u[m - k]`, u being the input with L - 1
    zeros after each sample, or the real part of that. For a cascade, put interpolators before it in
    a Chain.

    * `freq`: the middle of the band, in units of `fs`, any finite number. It may be set while the
      stream runs, and the phase continues.
    * `taps`: h, shape (k,), real, rounded once to float32. For a gain of 1 their sum is L.
    * `factor`: L, 1 to 16777216.
    * `fs`: the sample rate of the output.
    * `phase`: that of the oscillator at the first output, in cycles.
    * `real_part`: whether outputs are the real part, float32, as converters to analog take it.
      Otherwise they are complex64; inputs are complex64.

    Raises TypeError for taps that are complex or no numbers, ValueError for none, for a factor out
    of range and for a frequency, rate or phase that makes no sense. The shift is within 3.5e-7
    times the magnitude, however long the stream. After N inputs it has given exactly N L outputs.
    An output costs 2 k / L multiply-adds and ten operations for the shift (seven where it is real).
    Symmetric taps delay by (k - 1) / (2 L) input samples.

    >>> carrier = passband.Duc(0.25, [1.0] * 4, 4, real_part=True)
    >>> carrier.execute(np.complex64([1, 2j])).astype(int)
    array([ 1,  0, -1,  0,  0, -2,  0,  2])

    F. J. Harris, *Multirate Signal Processing for Communication Systems*, section 6.
    """

    def __new__(
        cls,
        freq: float,
        taps: ArrayLike,
        factor: int,
        *,
        fs: float = 1.0,
        phase: float = 0.0,
        real_part: bool = False,
    ) -> Self: ...
    @property
    def freq(self) -> float:
        """The middle of the band in units of `fs`, within half of it; setting it keeps the phase.

        Raises ValueError for a frequency that is not finite, RuntimeError while another call runs.

        >>> carrier = passband.Duc(0.1, [1.0], 1)
        >>> carrier.freq = 0.25
        >>> carrier.freq
        0.25
        """

    @freq.setter
    def freq(self, freq: float) -> None: ...
    @property
    def taps(self) -> NDArray[Any]:
        """A copy of the taps as the converter uses them, in the order in which they were given.

        >>> passband.Duc(0.1, [1, 2], 2).taps
        array([1., 2.], dtype=float32)
        """
    @property
    def group_delay(self) -> float | None:
        """The delay in input samples of taps that are their own mirror image; None for others.

        >>> passband.Duc(0.1, [0.5, 1.0, 0.5], 2).group_delay
        0.5
        """
