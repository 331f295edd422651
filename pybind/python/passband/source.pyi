"""Oscillators, the mixer that multiplies by one, sweeps, noise, chips, test signals.

The mixer takes some 15 times as long on subnormal samples, whose values it keeps.
"""

from typing import Any, Literal, Self, final

import numpy as np
from numpy.typing import DTypeLike

from passband.shape import Blockwise, Generator

@final
class LocalOscillator(Generator[np.complex64]):
    """A complex oscillator, `y[n] = e^(j 2 pi (phase + n freq / fs))`, that can be retuned.

    * `freq`: the frequency in the unit of `fs`; without `fs` in cycles per sample. Beyond fs/2 it
      is that of its alias.
    * `fs`: the sample rate.
    * `phase`: the phase of the first sample in cycles.

    Raises ValueError for a frequency or phase that is not finite and for a rate that is not above
    zero. The phase has 64 bits: after days the oscillator is where it should be.

    >>> passband.LocalOscillator(-250e3, fs=1e6, phase=0.5).steps(3).imag.astype(int)
    array([0, 1, 0])

    J. Tierney, C. M. Rader and B. Gold, *A Digital Frequency Synthesizer*, IEEE Trans. Audio
    Electroacoust. 19 (1971).
    """

    def __new__(cls, freq: float, *, fs: float = 1.0, phase: float = 0.0) -> Self: ...
    @property
    def freq(self) -> float:
        """The frequency from the next sample on, as its alias within +-fs/2.

        Setting it leaves the phase where it is. Raises ValueError for what is not finite,
        RuntimeError while another call runs.

        >>> tone = passband.LocalOscillator(0.25)
        >>> tone.steps(3).imag.astype(int)
        array([0, 1, 0])
        >>> tone.freq = -0.25
        >>> tone.steps(3).imag.astype(int)
        array([-1,  0,  1])
        """

    @freq.setter
    def freq(self, freq: float) -> None: ...

@final
class Mixer(Blockwise[np.complex64]):
    """Shifts a spectrum up by `freq`, `y[n] = x[n] e^(j 2 pi (phase + n freq / fs))`.

    * `freq`: the shift in the unit of `fs`; without `fs` in cycles per sample.
    * `fs`: the sample rate.
    * `phase`: the phase of the first sample in cycles.

    Takes complex64 and runs in place with `out=x`. Raises ValueError for a frequency or phase
    that is not finite and for a rate that is not above zero.

    >>> x = np.ones(3, np.complex64)
    >>> shifted = passband.Mixer(0.25).steps(x, out=x)
    >>> shifted is x
    True
    >>> x.real.astype(int)
    array([ 1,  0, -1])
    """

    def __new__(cls, freq: float, *, fs: float = 1.0, phase: float = 0.0) -> Self: ...
    @property
    def freq(self) -> float:
        """The shift from the next sample on, as its alias within +-fs/2.

        Setting it leaves the phase where it is. Raises ValueError for what is not finite,
        RuntimeError while another call runs.

        >>> mixer = passband.Mixer(100.0, fs=1000.0)
        >>> mixer.freq = 200.0
        >>> round(mixer.freq, 6)
        200.0
        """

    @freq.setter
    def freq(self, freq: float) -> None: ...

@final
class Nco(Blockwise[np.complex64]):
    """An oscillator whose frequency is an input, `y[n] = e^(j 2 pi (phase + sum_(k<n) x[k] / fs))`.

    * `fs`: the sample rate, in whose unit the frequencies are; without it they are in cycles per
      sample.
    * `phase`: the phase of the first sample in cycles.
    * `dtype`: the type of the frequencies, 'float32' or 'float64'.

    The phase advances by a frequency after its output, as that of `LocalOscillator` does. It has 64
    bits, and the sum of the frequencies is exact, however long the stream. A component is within
    1.3e-7 of the exact value. NaN and infinity count as 0, also as `x / fs`: the phase stays.
    Raises ValueError for a phase that is not finite and for a rate that is not above zero or too
    near it for a finite `1 / fs`. A sample costs about 35 operations.

    >>> passband.Nco(fs=1000.0).steps(np.float32([250, 500, -250, 1000])).imag.round()
    array([ 0.,  1., -1., -0.], dtype=float32)

    J. Tierney, C. M. Rader and B. Gold, *A Digital Frequency Synthesizer*, IEEE Trans. Audio
    Electroacoust. 19 (1971).
    """

    def __new__(
        cls, *, fs: float = 1.0, phase: float = 0.0, dtype: DTypeLike = "float32"
    ) -> Self: ...

@final
class Pn(Generator[Any]):
    """A pseudo-noise sequence of a shift register, `a[n + length] = sum_k c[k] a[n + k]` modulo 2.

    * `length`: that of the register, 2 to 64.
    * `polynomial`: an integer whose bit `k` is the coefficient `c[k]` of `x^k`, of degree `length`
      and with the term 1. By default a primitive one, up to 32 that of SciPy's `max_len_seq`.
    * `state`: an integer whose bits are the first outputs, the lowest first; by default all ones.
    * `dtype`: 'uint8' gives 0 and 1; 'int8' and 'float32' give 1 for 0 and -1 for 1.

    With a primitive polynomial the sequence is maximal: its period is `2^length - 1`, in which
    there is one more 1 than there are 0s. This is the register in the form of Fibonacci; that of
    Galois gives the same sequence at another phase. Documents that write the polynomial in
    delays, as `1 + x^3 + x^10`, have the reciprocal one, here `x^10 + x^7 + 1`.

    Raises ValueError for a length, polynomial or state beyond these. Results are exact. 64 outputs
    take `length / 2` steps of three operations; a call of 64 or more begins with 63 single outputs.

    >>> passband.Pn(3).steps(9)
    array([1, 1, 1, 0, 1, 0, 0, 1, 1], dtype=uint8)
    >>> int(passband.Pn(10, polynomial=1 << 10 | 1 << 3 | 1, dtype="int8").steps(1023).sum())
    -1

    S. W. Golomb, *Shift Register Sequences*, Holden-Day, 1967.
    """

    def __new__(
        cls,
        length: int,
        *,
        polynomial: int | None = None,
        state: int | None = None,
        dtype: DTypeLike = "uint8",
    ) -> Self: ...
    def advance(self, count: int) -> None:
        """Leaves out the next `count` outputs, in some microseconds however many they are.

        Raises ValueError for a count that is negative or not below 2^64, RuntimeError while another
        call runs.

        >>> pn = passband.Pn(61)
        >>> pn.advance(10**18)
        >>> pn.steps(4)
        array([1, 0, 0, 0], dtype=uint8)
        """

@final
class Gold(Generator[Any]):
    """A Gold code, `y[n] = u[n] + v[n - shift]` modulo 2, of a preferred pair of maximal sequences.

    * `length`: that of both registers: 5, 6, 7, 9, 10, 11, 13, 14, 15, 17 or 18.
    * `shift`: which code of the family, 0 to `2^length - 2`.
    * `dtype`: 'uint8' gives 0 and 1; 'int8' and 'float32' give 1 for 0 and -1 for 1.

    `u`, which is `Pn(length)`, and `v` begin with `length` ones and have the period `2^length - 1`.
    Over a period, any two codes of one length have a correlation of -1 or
    `-1 +- 2^floor((length + 2) / 2)`. Of length 10 they are the C/A codes of GPS, with the code
    delays of IS-GPS-200 as shifts. Codes of other pairs are the `^` of two `Pn`.

    Raises ValueError for another length or shift. Results are exact; a sample costs that of two
    `Pn`.

    >>> passband.Gold(10, 5).steps(10)  # the first satellite's
    array([1, 1, 0, 0, 1, 0, 0, 0, 0, 0], dtype=uint8)

    R. Gold, *Optimal binary sequences for spread spectrum multiplexing*, IEEE Trans. Inf. Theory 13
    (1967).
    """

    def __new__(cls, length: int, shift: int, *, dtype: DTypeLike = "uint8") -> Self: ...
    def advance(self, count: int) -> None:
        """Leaves out the next `count` outputs, in some microseconds however many they are.

        Raises ValueError for a count that is negative or not below 2^64, RuntimeError while another
        call runs.

        >>> code, later = passband.Gold(10, 5), passband.Gold(10, 5)
        >>> later.advance(1023 * 10**9)
        >>> bool((later.steps(100) == code.steps(100)).all())
        True
        """

@final
class Chirp(Generator[np.complex64]):
    """A linear sweep, `y[n] = e^(j 2 pi (phase + n freq / fs + (n / fs)^2 rate / 2))`.

    * `freq`: the frequency of the first sample, in the unit of `fs`; without `fs` in cycles per
      sample.
    * `rate`: by how much the frequency grows in a second (without `fs`, from sample to sample).
    * `fs`: the sample rate.
    * `phase`: the phase of the first sample in cycles.

    The sweep goes on past fs/2 as its alias; `reset` begins it again. Its real part is SciPy's
    `chirp(t, f0=freq, t1=1, f1=freq + rate)`. Phase, frequency and rate have 128 bits, and their
    sums are exact, however long the stream. A component is within 1.3e-7 of the exact value for
    `freq / fs` and `rate / fs / fs` as double precision rounds them: a relative 2e-16 of the rate
    is 1e-16 rate n^2 cycles after n samples. Raises ValueError for numbers that are not finite and
    for a rate of samples that is not above zero. A sample costs some 35 operations.

    >>> passband.Chirp(0.0, 0.5).steps(4).imag.round()
    array([0., 1., 0., 1.], dtype=float32)

    M. I. Skolnik, *Radar Handbook*, 3rd ed., chapter 8.
    """

    def __new__(cls, freq: float, rate: float, *, fs: float = 1.0, phase: float = 0.0) -> Self: ...
    @property
    def freq(self) -> float:
        """The frequency at the next sample, as its alias within +-fs/2.

        Raises RuntimeError while another call runs.

        >>> sweep = passband.Chirp(100.0, 50.0, fs=1000.0)
        >>> _ = sweep.steps(2000)
        >>> round(sweep.freq, 9)
        200.0
        """

@final
class Impulse(Generator[Any]):
    """A unit impulse, `y[n] = 1` at `n = delay` and 0 elsewhere; with a period, again and again.

    * `delay`: the samples before it.
    * `period`: from one impulse to the next in samples, at least 1; None for a single one.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Raises ValueError for a delay or period beyond these. Results are exact; a sample costs its
    writing.

    >>> passband.Impulse(1, period=3).steps(6)
    array([0., 1., 0., 0., 1., 0.], dtype=float32)
    """

    def __new__(
        cls, delay: int = 0, *, period: int | None = None, dtype: DTypeLike = "float32"
    ) -> Self: ...

@final
class Step(Generator[Any]):
    """A unit step, `y[n] = 1` from `n = delay` on and 0 before.

    * `delay`: the samples before it.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Raises ValueError for a delay that is negative or not below 2^64. Results are exact; a sample
    costs its writing.

    >>> passband.Step(2).steps(4)
    array([0., 0., 1., 1.], dtype=float32)
    """

    def __new__(cls, delay: int = 0, *, dtype: DTypeLike = "float32") -> Self: ...

@final
class Noise(Generator[Any]):
    """White noise, in which each sample is a function of the seed and of its number alone.

    * `seed`: which noise, from 0 to `2^64 - 1`.
    * `distribution`: 'gaussian' has mean 0 and variance 1, in complex samples half of it in each
      part, so that their power is 1; 'uniform' is even from -1 to 1, in each part.
    * `dtype`: the type of the samples: 'float32', 'float64', 'complex64' or 'complex128'.

    Words of 32 bits come from the counter-based generator Philox4x32-10, whose key is the seed;
    word `w` stands for `u = (w + 1/2) / 2^32`. A real number of uniform noise is `2 u - 1`; a pair
    of Gaussian ones is `sqrt(-2 ln u) [cos 2 pi v, sin 2 pi v]`, of two words. They are computed in
    double precision, within 1e-14, and rounded once: the same bits at every level and on every
    machine. Gaussian numbers end at 6.77, beyond which a true one is once in 10^11. The period is
    2^64 numbers. Raises ValueError for another seed or distribution. A Gaussian number costs some
    90 operations, a uniform one 20, 32 at a time: single samples cost as much as 32.

    >>> noise = passband.Noise(1).steps(100_000)
    >>> round(float(noise.std()), 2)
    1.0

    J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, *Parallel random numbers: as easy as 1,
    2, 3*, SC '11. G. E. P. Box and M. E. Muller, *A note on the generation of random normal
    deviates*, Ann. Math. Stat. 29 (1958).
    """

    def __new__(
        cls,
        seed: int,
        *,
        distribution: Literal["gaussian", "uniform"] = "gaussian",
        dtype: DTypeLike = "float32",
    ) -> Self: ...
    def advance(self, count: int) -> None:
        """Leaves out the next `count` samples, at the cost of an addition.

        Raises ValueError for a count that is negative or not below 2^64, RuntimeError while another
        call runs.

        >>> noise, later = passband.Noise(1), passband.Noise(1)
        >>> later.advance(1000)
        >>> bool((later.steps(10) == noise.steps(1010)[1000:]).all())
        True
        """
