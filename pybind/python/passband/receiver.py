"""The signal path of the main job: shift, decimate, demodulate and detect, block by block.

:class:`Receiver` knows no files; :func:`passband.receive.receive` runs it over one. Every step on
samples is a passband kernel; SciPy designs the filters (:func:`decimation_taps`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passband import BurstDetector, Chain, FirDecimator, FmDemod, Mixer
from passband.io import Samples
from passband.math import magnitude, magnitude_squared

DEMODULATORS = ("fm", "am", "none")
MAX_FACTOR = 10_000
AUDIO_RATE = 48_000
FLOOR_SECONDS = 0.1
MAX_FLOOR_SAMPLES = 1 << 22
_STOPBAND_DB = 80.0

BURST = np.dtype([("start", "i8"), ("stop", "i8"), ("peak", "f4"), ("mean_power", "f4")])
"""A burst record, as :class:`passband.BurstDetector` gives it."""


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
    ``audio_rate`` is in hertz, ``detect`` is a pair of levels (on, off), and ``hang`` in seconds
    bridges gaps in a burst.
    """

    shift: float = 0.0
    decimate: int = 1
    demod: str | None = None
    audio_rate: float | None = None
    detect: tuple[Level, Level] | None = None
    hang: float = 0.0


class Block(NamedTuple):
    """What came out of a block: decimated samples, audio, and bursts in samples of the input."""

    baseband: Samples
    audio: Samples
    bursts: NDArray[np.void]


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


def audio_factor(rate: float, wanted: float | None = None) -> int:
    """Find the factor that takes ``rate`` to ``wanted``, or as near to 48 kHz as integers reach.

    A WAV file states whole hertz, so ``wanted`` is reached when it is met within half a hertz.
    Raises :class:`ReceiveError` with the rates near it that can be reached when it is not.

    >>> audio_factor(250e3), audio_factor(250e3, 25e3)
    (5, 10)
    """
    factors = [m for m in range(1, MAX_FACTOR + 1) if 1 <= rate / m < 2**31]
    if not factors:
        raise ReceiveError(f"no audio rate of whole hertz can be reached from {rate:g} Hz")
    goal = AUDIO_RATE if wanted is None else wanted
    best = min(factors, key=lambda m: abs(rate / m - goal))
    if wanted is not None and abs(rate / best - wanted) > 0.5:
        near = [m for m in factors if abs(m - best) <= 4]
        rates = ", ".join(f"{rate / m:.10g}" for m in near)
        raise ReceiveError(
            f"no integer factor reaches an audio rate of {wanted:.10g} Hz from {rate:.10g} Hz; "
            f"the rates nearest to it that can be reached: {rates}"
        )
    return best


class _Decimator:
    """Kernels and a decimator behind them; the first output belongs to the first input.

    ``before`` are the kernels, ``takes`` is the dtype of the input and ``dtype`` the one that
    reaches the decimator. ``gain`` is the largest factor by which the low-pass can raise a
    magnitude.
    """

    def __init__(self, before: list[Any], factor: int, *, takes: str, dtype: str) -> None:
        self._takes = takes
        self._delay = 0
        self.gain = 1.0
        stages = list(before)
        if factor > 1:
            taps = decimation_taps(factor)
            self._delay = (len(taps) - 1) // 2
            self.gain = float(np.abs(taps).sum())
            stages.append(FirDecimator(taps, factor, dtype=dtype))
        self._chain = Chain(stages) if stages else None
        self._early = self._delay // factor

    def execute(self, x: Samples) -> Samples:
        """Feed a block; outputs from before the first input are dropped."""
        if self._chain is None:
            return x
        y: Samples = self._chain.execute(x)
        early = min(self._early, len(y))
        self._early -= early
        return y[early:]

    def finish(self) -> Samples:
        """Give the outputs of the last inputs, which are still in the filter."""
        return self.execute(np.zeros(self._delay, self._takes))


class Receiver:
    """The signal path: shift, decimate, demodulate, detect.

    ``rate`` is that of the input in hertz, ``iq`` tells complex samples from real ones, ``audio``
    asks for audio. Feed blocks of any length to :meth:`process`, then call :meth:`finish` once.
    Samples, audio and burst times are in step with the input: the delay of the filters is taken
    off. Raises :class:`ReceiveError` for settings that cannot work.

    >>> x = np.zeros(50_000, np.complex64)
    >>> x[20_000:30_000] = 1
    >>> level = Level(-6, absolute=True)
    >>> receiver = Receiver(100e3, Setup(decimate=5, detect=(level, level)))
    >>> block = receiver.process(x)
    >>> block.bursts[["start", "stop"]].tolist()
    [(20000, 30000)]
    >>> len(block.baseband) + len(receiver.finish().baseband)
    10000
    """

    def __init__(self, rate: float, setup: Setup, *, iq: bool = True, audio: bool = False) -> None:
        self._setup = setup
        self._demod = _checked_demod(rate, setup, iq=iq, audio=audio)
        self._dtype = dtype = "complex64" if iq else "float32"
        shifter = [Mixer(setup.shift, fs=rate)] if setup.shift else []
        self._front = _Decimator(shifter, setup.decimate, takes=dtype, dtype=dtype)
        self._audio: _Decimator | None = None
        self._detector: BurstDetector | None = None
        self._waiting: list[Samples] = []
        self._floor_count = 0
        if setup.detect and not all(level.absolute for level in setup.detect):
            count = math.ceil(FLOOR_SECONDS * rate / setup.decimate)
            self._floor_count = min(count, MAX_FLOOR_SAMPLES)
        self._consumed = 0
        self.gain = self._front.gain
        """The largest factor by which the decimated samples can exceed the input."""
        self.rate = rate / setup.decimate
        """Rate of the decimated samples in hertz."""
        self.audio_rate = 0.0
        """Rate of the audio in hertz, 0 without audio."""
        self.audio_iq = iq and self._demod == "none"
        """Whether the audio is complex: the decimated samples themselves."""
        self.floor = self.on = self.off = math.nan
        """Noise floor and thresholds as linear powers, NaN until they are known.

        Absolute thresholds need no noise floor, and it stays NaN.
        """
        if audio:
            factor = audio_factor(self.rate, setup.audio_rate)
            self.audio_rate = self.rate / factor
            if self._demod == "fm":
                # full scale is a deviation of half the rate: only the low-pass can overshoot it
                demodulator = [FmDemod(gain=1 / math.pi)]
                self._audio = _Decimator(demodulator, factor, takes="complex64", dtype="float32")
            else:
                kind = "complex64" if self.audio_iq else "float32"
                self._audio = _Decimator([], factor, takes=kind, dtype=kind)

    def run(
        self, blocks: Iterable[Samples], advance: Callable[[int], object] = lambda _: None
    ) -> Iterator[Block]:
        """Receive all blocks; ``advance`` is called with the length of each one that is done."""
        for x in blocks:
            yield self.process(x)
            advance(len(x))
        yield self.finish()

    def process(self, x: Samples) -> Block:
        """Take a block of input and give what it yields."""
        self._consumed += len(x)
        y = self._front.execute(x)
        return Block(y, self._listen(y), self._in_input_samples(self._detect(y)))

    def finish(self) -> Block:
        """Give what the filters and the detector still hold; a burst that is still on ends here."""
        y = self._front.finish()
        audio = self._listen(y)
        if self._audio:
            audio = np.concatenate([audio, self._audio.finish()])
        found = self._detect(y)
        if any(map(len, self._waiting)):
            found = self._start_detector()
        if self._detector:
            found = np.concatenate([found, self._detector.flush()])
        return Block(y, audio, self._in_input_samples(found))

    def _listen(self, y: Samples) -> Samples:
        if self._audio is None:
            return np.zeros(0, np.float32)
        return self._audio.execute(magnitude(y) if self._demod == "am" else y)

    def _detect(self, y: Samples) -> NDArray[np.void]:
        if self._detector:
            return self._detector.detect(y)
        if self._setup.detect:
            self._waiting.append(y)
            if sum(map(len, self._waiting)) >= self._floor_count:
                return self._start_detector()
        return np.zeros(0, BURST)

    def _start_detector(self) -> NDArray[np.void]:
        """Measure the noise floor, where it is needed, and begin with what waited for it."""
        assert self._setup.detect
        on, off = self._setup.detect
        first = np.concatenate(self._waiting)
        self._waiting = []
        if self._floor_count:
            power = magnitude_squared(first[: self._floor_count])
            power = power[np.isfinite(power)].astype(np.float64)
            self.floor = float(np.median(power)) if len(power) else math.nan
            if not self.floor > 0:
                raise ReceiveError(
                    f"the first {1e3 * FLOOR_SECONDS:g} ms have no noise to measure "
                    f"(median power {self.floor:g}): give the detection thresholds in dBFS"
                )
        self.on, self.off = on.power(self.floor), off.power(self.floor)
        if self.off > self.on:
            raise ReceiveError(
                f"detection: the off threshold ({decibels(self.off):.1f} dBFS) is above "
                f"the on threshold ({decibels(self.on):.1f} dBFS)"
            )
        for name, threshold in (("on", self.on), ("off", self.off)):
            with np.errstate(over="ignore", under="ignore"):
                if not 0 < np.float32(threshold) < np.inf:
                    raise ReceiveError(
                        f"detection: the {name} threshold ({decibels(threshold):.1f} dBFS) "
                        "is beyond the powers of float32 samples"
                    )
        hang = round(self._setup.hang * self.rate)
        self._detector = BurstDetector(self.on, self.off, hang=hang, dtype=self._dtype)
        return self._detector.detect(first)

    def _in_input_samples(self, found: NDArray[np.void]) -> NDArray[np.void]:
        for field in ("start", "stop"):
            found[field] = np.minimum(found[field] * self._setup.decimate, self._consumed)
        return found


def _checked_demod(rate: float, setup: Setup, *, iq: bool, audio: bool) -> str:
    """Refuse what cannot work; return the demodulator."""
    if not (1 <= setup.decimate <= MAX_FACTOR):
        raise ReceiveError(f"decimation by {setup.decimate}: expected 1 to {MAX_FACTOR}")
    if not (math.isfinite(setup.hang) and 0 <= setup.hang <= 3600):
        raise ReceiveError(f"a hang of {setup.hang:g} s: expected 0 s to an hour")
    if setup.shift and not iq:
        raise ReceiveError("a shift needs IQ samples, and this recording is real")
    if not abs(setup.shift) <= rate / 2:
        raise ReceiveError(
            f"a shift of {setup.shift:g} Hz (--shift): expected at most half of the rate, "
            f"{rate / 2:g} Hz; is the rate (--rate) right?"
        )
    demod = setup.demod or ("fm" if iq else "none")
    if demod not in DEMODULATORS:
        raise ReceiveError(
            f"unknown demodulator {demod!r}: expected one of {', '.join(DEMODULATORS)}"
        )
    if demod != "none" and not iq:
        raise ReceiveError(f"{demod} demodulation needs IQ samples, and this recording is real")
    if setup.audio_rate is not None and not audio:
        raise ReceiveError("an audio rate is of no use without audio")
    return demod
