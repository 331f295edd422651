"""The signal path of the main job in its two halves, which may run in two processes.

:class:`Tuner` shifts, decimates and demodulates, :class:`Detection` finds the bursts in what it
gives. Every step on samples is a passband kernel. They know no files:
:func:`passband.receive.receive` runs them over one.

>>> from passband.plan import Level, Setup
>>> level = Level(-6, absolute=True)
>>> plan = Plan.of(Setup(decimate=5, detect=(level, level)), 100e3)
>>> x = np.zeros(50_000, np.complex64)
>>> x[20_000:30_000] = 1
>>> blocks = list(Detection(plan).run(Tuner(plan).run([x])))
>>> [block.bursts[["start", "stop"]].tolist() for block in blocks if len(block.bursts)]
[[(20000, 30000)]]
>>> sum(len(block.baseband) for block in blocks)
10000
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passband import BurstDetector, Chain, FmDemod, Mixer, arena
from passband.io import Empty, Recording, Samples
from passband.math import magnitude, magnitude_squared
from passband.plan import LowPass, Plan, ReceiveError, Resampling, decibels

FLOOR_SECONDS = 0.1
MAX_FLOOR_SAMPLES = 1 << 22
_SILENCE = np.zeros(0, np.float32)

BURST = np.dtype([("start", "i8"), ("stop", "i8"), ("peak", "f4"), ("mean_power", "f4")])
"""A burst record, as :class:`passband.BurstDetector` gives it."""


class Tuned(NamedTuple):
    """What a tuner makes of a block of input: decimated samples, audio, and its length."""

    baseband: Samples
    audio: Samples
    consumed: int


class Block(NamedTuple):
    """What came out of a block: decimated samples, audio, and bursts in samples of the input."""

    baseband: Samples
    audio: Samples
    bursts: NDArray[np.void]


class _Changer:
    """Kernels and a change of rate behind them; the first output belongs to the first input.

    ``takes`` is the type of the input and ``gives`` that of the output. The outputs lie in
    :func:`passband.arena.empty`.
    """

    def __init__(
        self, before: list[Any], change: LowPass | Resampling, *, takes: str, gives: str
    ) -> None:
        kernel = change.kernel(gives)
        stages = [*before, kernel] if kernel else before
        self._chain = Chain(stages) if stages else None
        self._gives = gives
        self._rest = np.zeros(change.delay, takes)
        self._early = change.early

    @property
    def empty(self) -> Empty:
        """What makes the arrays for its input, which may be the output as well."""
        return np.empty if self._chain else arena.empty

    def execute(self, x: Samples) -> Samples:
        """Feed a block; outputs from before the first input are dropped."""
        if self._chain is None:
            return x
        y: Samples = self._chain.execute(x, arena.empty(self._chain.max_out(len(x)), self._gives))
        early = min(self._early, len(y))
        self._early -= early
        return y[early:]

    def finish(self, x: Samples) -> Samples:
        """Feed the last block, and give the outputs that are still in the filter as well."""
        return self.execute(np.concatenate([x, self._rest]) if len(self._rest) else x)


class Tuner:
    """The first half of the signal path: shift, decimate, demodulate.

    Samples and audio are in step with the input: the delay of the filters is taken off. In a
    worker of :func:`passband.arena.iterate_in_subprocess` they lie in its arena, where the kernels
    wrote them.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        dtype = plan.dtype
        shifter = [Mixer(plan.setup.shift, fs=plan.input_rate)] if plan.setup.shift else []
        self._front = _Changer(shifter, plan.front, takes=dtype, gives=dtype)
        self._audio: _Changer | None = None
        if plan.audio:
            # full scale is a deviation of half the rate: only the filter can overshoot it
            demodulator = [FmDemod(gain=1 / math.pi)] if plan.demod == "fm" else []
            takes = "complex64" if demodulator else plan.audio_dtype
            self._audio = _Changer(demodulator, plan.audio, takes=takes, gives=plan.audio_dtype)

    @property
    def empty(self) -> Empty:
        """What makes the arrays for its input, as ``blocks`` of a recording takes it."""
        return self._front.empty

    def run(self, blocks: Iterable[Samples]) -> Iterator[Tuned]:
        """Tune into blocks of any length, then give what is still in the filters."""
        yield from map(self._tune, blocks)
        y = self._front.finish(np.zeros(0, self._plan.dtype))
        yield Tuned(y, self._audio.finish(self._audible(y)) if self._audio else _SILENCE, 0)

    def _tune(self, x: Samples) -> Tuned:
        y = self._front.execute(x)
        return Tuned(y, self._audio.execute(self._audible(y)) if self._audio else _SILENCE, len(x))

    def _audible(self, y: Samples) -> Samples:
        assert self._audio
        if self._plan.demod != "am":
            return y
        return magnitude(y, self._audio.empty(len(y), "float32"))


def tune(plan: Plan, recording: Recording) -> Iterator[Tuned]:
    """Run a tuner over a recording."""
    tuner = Tuner(plan)
    return tuner.run(recording.blocks(empty=tuner.empty))


class Detection:
    """The second half of the signal path: the bursts in what a tuner gives.

    ``floor``, ``on`` and ``off`` are the noise floor and the thresholds as linear powers, NaN until
    they are known. Absolute thresholds need no noise floor, and it stays NaN.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._detector: BurstDetector | None = None
        self._waiting: list[Samples] = []
        self._floor_count = 0
        if plan.setup.detect and not all(level.absolute for level in plan.setup.detect):
            self._floor_count = min(math.ceil(FLOOR_SECONDS * plan.rate), MAX_FLOOR_SAMPLES)
        self._consumed = 0
        self.floor = self.on = self.off = math.nan

    def run(
        self, parts: Iterable[Tuned], advance: Callable[[int], object] = lambda _: None
    ) -> Iterator[Block]:
        """Detect in all parts; ``advance`` is called with the inputs of each one that is done.

        A burst that is still on at the end ends there. Raises :class:`ReceiveError` for thresholds
        that turn out to make no sense.
        """
        for part in parts:
            self._consumed += part.consumed
            found = self._detect(part.baseband)
            yield Block(part.baseband, part.audio, self._in_input_samples(found))
            advance(part.consumed)
        found = self._in_input_samples(self._finish())
        yield Block(np.zeros(0, self._plan.dtype), np.zeros(0, self._plan.audio_dtype), found)

    def _detect(self, y: Samples) -> NDArray[np.void]:
        if self._detector:
            return self._detector.detect(y)
        if self._plan.setup.detect:
            # copied: where the block lies, others are to come
            self._waiting.append(y.copy())
            if sum(map(len, self._waiting)) >= self._floor_count:
                return self._begin()
        return np.zeros(0, BURST)

    def _finish(self) -> NDArray[np.void]:
        found = self._begin() if any(map(len, self._waiting)) else np.zeros(0, BURST)
        return np.concatenate([found, self._detector.flush()]) if self._detector else found

    def _begin(self) -> NDArray[np.void]:
        """Measure the noise floor, where it is needed, and detect in what waited for it."""
        setup = self._plan.setup
        assert setup.detect
        on, off = setup.detect
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
        hang = round(setup.hang * self._plan.rate)
        self._detector = BurstDetector(self.on, self.off, hang=hang, dtype=self._plan.dtype)
        return self._detector.detect(first)

    def _in_input_samples(self, found: NDArray[np.void]) -> NDArray[np.void]:
        for field in ("start", "stop"):
            found[field] = np.minimum(found[field] * self._plan.front.factor, self._consumed)
        return found
