"""What a run is to do: the settings of the user, and the rates and filters that they come to.

A :class:`Plan` is plain data: another process can be sent one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passband import ArbitraryResampler, FirDecimator
from passband.recording import digits

DEMODULATORS = ("fm", "am", "none")
MAX_FACTOR = 10_000
AUDIO_RATE = 48_000
_STOPBAND_DB = 80.0
_RATIOS = 1 / 1024, 65_536
"""The ratios of :class:`passband.ArbitraryResampler`."""


class ReceiveError(ValueError):
    """Settings that cannot work together or with this recording; the message is one line."""


def decibels(power: float) -> float:
    """10 log10 of a power, minus infinity for none."""
    return 10 * math.log10(power) if power > 0 else -math.inf


@dataclass(frozen=True)
class Level:
    """A power threshold in dB over the noise floor, or ``absolute`` in dBFS: 0 is |x|^2 = 1."""

    db: float
    absolute: bool = False

    def power(self, floor: float) -> float:
        """Give the threshold as a linear power, given that of the noise floor."""
        return (1.0 if self.absolute else floor) * 10 ** (self.db / 10)


@dataclass(frozen=True)
class Setup:
    """What to do with the samples.

    ``shift`` moves the spectrum up by so many hertz, ``decimate`` is an integer factor, ``demod``
    is one of :data:`DEMODULATORS` (by default ``fm`` for IQ and ``none`` for real samples),
    ``audio_rate`` is in hertz, by default 48 kHz, ``detect`` is a pair of levels (on, off), and
    ``hang`` in seconds bridges gaps in a burst.
    """

    shift: float = 0.0
    decimate: int = 1
    demod: str | None = None
    audio_rate: float | None = None
    detect: tuple[Level, Level] | None = None
    hang: float = 0.0


@dataclass(frozen=True)
class LowPass:
    """A decimation by ``factor``, and the taps of the filter before it; 1 leaves all as it is."""

    factor: int
    taps: NDArray[np.float64]

    @classmethod
    def of(cls, factor: int) -> LowPass:
        """Design the filter."""
        return cls(factor, decimation_taps(factor) if factor > 1 else np.ones(1))

    @property
    def delay(self) -> int:
        """The delay of the filter, in samples before the decimation."""
        return (len(self.taps) - 1) // 2

    @property
    def gain(self) -> float:
        """The largest factor by which it can raise a magnitude."""
        return float(np.abs(self.taps).sum())

    @property
    def early(self) -> int:
        """How many outputs of the filter come before the one that belongs to the first input."""
        return self.delay // self.factor

    def outputs(self, count: int) -> int:
        """Give the most outputs that ``count`` inputs and the end of the stream lead to."""
        return -(-(count + self.delay) // self.factor)

    def kernel(self, dtype: str) -> Any:
        """Make the decimator, or nothing where all stays as it is."""
        return FirDecimator(self.taps, self.factor, dtype=dtype) if self.factor > 1 else None


@dataclass(frozen=True)
class Resampling:
    """A change of rate to ``ratio`` outputs per input; 1 leaves all as it is."""

    ratio: float

    early = 0
    """Its phase takes the delay off."""

    @classmethod
    def of(cls, rate: float, wanted: float) -> Resampling:
        """From one rate to another, both in hertz.

        The ratio is rounded down, so that no output comes before its time.

        Raises :class:`ReceiveError` for rates too far apart, or that a WAV file cannot state.

        >>> Resampling.of(250e3, 48e3).outputs(1000)
        234
        """
        if not 1 <= wanted < 2**31:
            raise ReceiveError(f"an audio rate of {digits(wanted)} Hz: expected 1 Hz to 2 GHz")
        exact = Fraction(wanted) / Fraction(rate)
        ratio = float(exact)
        ratio = ratio if Fraction(ratio) <= exact else math.nextafter(ratio, 0)
        if not _RATIOS[0] <= ratio <= _RATIOS[1]:
            raise ReceiveError(
                f"an audio rate of {digits(wanted)} Hz from {digits(rate)} Hz: expected "
                f"{digits(max(1, rate * _RATIOS[0]))} Hz to {digits(rate * _RATIOS[1])} Hz"
            )
        return cls(ratio)

    @property
    def delay(self) -> int:
        """The delay of the filter, in samples before the change of rate."""
        return int(ArbitraryResampler(self.ratio).group_delay) if self.ratio != 1 else 0

    def outputs(self, count: int) -> int:
        """Give the most outputs that ``count`` inputs and the end of the stream lead to."""
        return math.ceil((count + self.delay) * self.ratio)

    def kernel(self, dtype: str) -> Any:
        """Make the resampler, or nothing where all stays as it is."""
        if self.ratio == 1:
            return None
        return ArbitraryResampler(self.ratio, phase=self.delay, dtype=dtype)


@dataclass(frozen=True)
class Plan:
    """What the settings come to for samples of one kind: rates, filters, demodulator.

    ``input_rate`` is in hertz, ``iq`` tells complex samples from real ones, ``front`` is the
    decimation of the samples and ``audio`` the change of rate behind it, ``None`` without audio.
    """

    setup: Setup
    input_rate: float
    iq: bool
    demod: str
    front: LowPass
    audio: Resampling | None

    @classmethod
    def of(cls, setup: Setup, rate: float, *, iq: bool = True, audio: bool = False) -> Plan:
        """Check the settings and design the filters, for samples at ``rate`` hertz.

        Raises :class:`ReceiveError` for settings that cannot work.

        >>> plan = Plan.of(Setup(decimate=8), 2e6, audio=True)
        >>> plan.rate, plan.audio_rate
        (250000.0, 48000.0)
        """
        demod = _checked_demod(rate, setup, iq=iq, audio=audio)
        front = LowPass.of(setup.decimate)
        wanted = AUDIO_RATE if setup.audio_rate is None else setup.audio_rate
        resampling = Resampling.of(rate / setup.decimate, wanted) if audio else None
        return cls(setup, rate, iq, demod, front, resampling)

    @property
    def rate(self) -> float:
        """Rate of the decimated samples in hertz."""
        return self.input_rate / self.front.factor

    @property
    def dtype(self) -> str:
        """Type of the samples, decimated or not."""
        return "complex64" if self.iq else "float32"

    @property
    def audio_rate(self) -> float:
        """Rate of the audio in hertz, 0 without audio."""
        if not self.audio:
            return 0.0
        return float(AUDIO_RATE if self.setup.audio_rate is None else self.setup.audio_rate)

    @property
    def audio_dtype(self) -> str:
        """Type of the audio: complex where it is the decimated samples themselves."""
        return self.dtype if self.demod == "none" else "float32"

    def nbytes(self, count: int) -> int:
        """Give the most bytes that ``count`` samples and the end of the stream lead to.

        Each array takes a multiple of 64 bytes.
        """
        outputs = self.front.outputs(count)
        sizes = [outputs * np.dtype(self.dtype).itemsize]
        if self.audio:
            sizes.append(self.audio.outputs(outputs) * np.dtype(self.audio_dtype).itemsize)
        return sum(-(-size // 64) * 64 for size in sizes)


def decimation_taps(factor: int) -> NDArray[np.float64]:
    """Design the low-pass before a decimation by ``factor``.

    It is flat to 0.4 of the output rate and 79 dB down from 0.5 on.
    The group delay is a multiple of ``factor``, so that outputs fall on inputs when it is taken
    off. Method: Kaiser window (J. F. Kaiser, 1974), by SciPy.

    >>> len(decimation_taps(8))
    417
    """
    from scipy.signal import firwin, kaiserord

    count, beta = kaiserord(_STOPBAND_DB, 2 * 0.1 / factor)
    half = factor * math.ceil((count - 1) / (2 * factor))
    taps: NDArray[np.float64] = firwin(2 * half + 1, 0.45 / factor, window=("kaiser", beta), fs=1.0)
    return taps


def _checked_demod(rate: float, setup: Setup, *, iq: bool, audio: bool) -> str:
    """Refuse what cannot work; return the demodulator."""
    if not (1 <= setup.decimate <= MAX_FACTOR):
        raise ReceiveError(f"decimation by {setup.decimate:,}: expected 1 to {MAX_FACTOR:,}")
    if not (math.isfinite(setup.hang) and 0 <= setup.hang <= 3600):
        raise ReceiveError(f"a hang of {digits(setup.hang)} s: expected 0 s to an hour")
    if setup.hang and not setup.detect:
        raise ReceiveError("a hang (--hang) is of no use without detection (--detect)")
    if setup.shift and not iq:
        raise ReceiveError("a shift needs IQ samples, and this recording is real")
    if not abs(setup.shift) <= rate / 2:
        raise ReceiveError(
            f"a shift of {digits(setup.shift)} Hz (--shift): expected at most half of the rate, "
            f"{digits(rate / 2)} Hz; is the rate (--rate) right?"
        )
    demod = setup.demod or ("fm" if iq else "none")
    if demod not in DEMODULATORS:
        raise ReceiveError(
            f"unknown demodulator {demod!r}: expected one of {', '.join(DEMODULATORS)}"
        )
    if demod != "none" and not iq:
        raise ReceiveError(f"{demod} demodulation needs IQ samples, and this recording is real")
    if setup.demod is not None and not audio:
        raise ReceiveError("a demodulator (--demod) is of no use without audio (--audio)")
    if setup.audio_rate is not None and not audio:
        raise ReceiveError("an audio rate (--audio-rate) is of no use without audio (--audio)")
    return demod
