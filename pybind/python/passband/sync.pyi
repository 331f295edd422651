"""Synchronisation: loops that follow a carrier or a symbol clock."""

from typing import Any, Self, final

import numpy as np
from numpy.typing import DTypeLike

from passband.shape import TwoOutput, VariableLength

@final
class Pll(TwoOutput[np.complex64, np.float32]):
    """A phase-locked loop of second order: the signal with its carrier off, and the phase error.

    It gives `signal[n] = x[n] e^(-j phase[n])` and `error[n] = arg signal[n]` in radians, and goes
    on by `freq[n+1] = freq[n] + ki error[n]` and `phase[n+1] = phase[n] + freq[n+1] + kp error[n]`.

    * `loop_bandwidth`: the one-sided noise bandwidth, in the unit of `fs`, above 0 and at most
      fs/2.
    * `damping`: above 0.
    * `freq`: the frequency to start at, in the unit of `fs`.
    * `fs`: the sample rate; without it frequencies are in cycles per sample.

    Takes complex64 of any amplitude. A carrier within about `loop_bandwidth` of `freq` locks in
    about 4 fs / `loop_bandwidth` samples without slipping a cycle. Phase and frequency have 64 bits
    and never drift. `signal` is within 2e-7 |x[n]| and `error` within 5e-7 radians of what the
    phase gives. Zero, NaN and infinity have the error 0: the loop coasts through them. Raises
    ValueError for a bandwidth, a damping, a frequency or a rate that is out of range. A sample
    costs about 70 operations.

    >>> carrier = passband.LocalOscillator(101.0, fs=1000.0).steps(1000)
    >>> pll = passband.Pll(20.0, freq=100.0, fs=1000.0)
    >>> signal, error = pll.steps(carrier)
    >>> round(pll.freq, 3), bool(abs(error[-1]) < 1e-5)
    (101.0, True)

    F. M. Gardner, *Phaselock Techniques*, 3rd ed.; M. Rice, *Digital Communications: A
    Discrete-Time Approach*, appendix C.
    """

    def __new__(
        cls,
        loop_bandwidth: float,
        *,
        damping: float = 0.7071067811865476,
        freq: float = 0.0,
        fs: float = 1.0,
    ) -> Self: ...
    @property
    def freq(self) -> float:
        """The frequency of the loop's oscillator, in the unit of `fs`.

        Raises RuntimeError while another call runs.

        >>> passband.Pll(0.01, freq=0.125).freq
        0.125
        """

@final
class SymbolSync(VariableLength[Any]):
    """Symbol timing recovery after Gardner: samples in, one value for each symbol out.

    Between samples the signal is the cubic through the four nearest. With `y[k]` the value at
    symbol k and `m[k]` that half way before it, the timing error is `e[k] = re(m[k] conj(y[k-1] -
    y[k])) / (|y[k-1]|^2 + |y[k]|^2 + 2 |m[k]|^2)`, and the next period `samples_per_symbol (1 +
    deviation + kp e[k])`, where `deviation` sums `ki e[k]`.

    * `samples_per_symbol`: the nominal period, any real number from 2.
    * `loop_bandwidth`: the one-sided noise bandwidth in cycles per symbol, above 0, at most 0.5.
    * `damping`: above 0.
    * `dtype`: the type of the samples, 'float32' or 'complex64'.

    Give it the output of the matched filter, for rectangular pulses a `MovingAverage` over one
    symbol. The level of the signal does not matter. The first symbol is at the first sample; each
    comes out two samples after its instant. Symbols are within 4e-7 of the largest of their samples
    of the cubic; instants never drift. NaN and infinity reach the symbols whose four samples meet
    them, and the clock coasts. How many symbols come depends on the signal: `max_out` is a bound.
    Raises ValueError for arguments that are out of range. A symbol costs some 50 operations.

    >>> sync = passband.SymbolSync(4.0, 0.01)
    >>> sync.execute(np.tile(np.float32([1, 0, -1, 0]), 5))
    array([1., 1., 1., 1., 1.], dtype=float32)

    F. M. Gardner, *A BPSK/QPSK Timing-Error Detector for Sampled Receivers*, IEEE Trans. Commun.
    34 (1986); L. Erup, F. M. Gardner and R. A. Harris, *Interpolation in Digital Modems, Part II*,
    IEEE Trans. Commun. 41 (1993).
    """

    def __new__(
        cls,
        samples_per_symbol: float,
        loop_bandwidth: float,
        *,
        damping: float = 0.7071067811865476,
        dtype: DTypeLike = "float32",
    ) -> Self: ...
