"""Oscillators, and the mixer that multiplies by one."""

from typing import Self, final

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
