"""Receive a recording: the signal path run over a file, in constant memory, and what it writes."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from passband.io import BLOCK, Recording, open_recording
from passband.isolate import Cost, isolated
from passband.outputs import RECORD_FILES, AudioFile, Outputs, Sink, writing
from passband.plan import Plan, ReceiveError, Setup, decibels
from passband.receiver import BURST, Block, Detection, tune

KEPT_BURSTS = 10_000
"""How many burst records a summary keeps: the files have them all."""

PLOT_ENDINGS = (".png", ".svg", ".pdf")

Note: TypeAlias = Callable[[str], object]
Progress: TypeAlias = Callable[[Recording], Callable[[int], object]]


@dataclass(frozen=True)
class Summary:
    """What a run found: the recording, the plan with its rates, thresholds, and the bursts.

    ``bursts`` holds the first :data:`KEPT_BURSTS` of ``burst_count``, in samples of the recording.
    ``cost`` is that of a worker process, ``None`` without one.
    """

    recording: Recording
    plan: Plan
    detection: Detection
    burst_count: int
    bursts: NDArray[np.void]
    cost: Cost | None


def receive(
    path: str | Path,
    setup: Setup | None = None,
    *,
    format: str | None = None,
    rate: float | None = None,
    audio: str | Path | None = None,
    records: str | Path | None = None,
    plot: str | Path | None = None,
    isolate: bool = False,
    watch: Callable[[Block], object] = lambda _: None,
    note: Note = lambda _: None,
    progress: Progress = lambda _: lambda _: None,
) -> Summary:
    """Run a receiver over a recording; write audio, burst records and a picture.

    ``format`` and ``rate`` (hertz) are those of :func:`passband.io.open_recording`. ``audio`` names
    a WAV file, ``records`` a CSV or JSON file, ``plot`` a PNG, SVG or PDF file. They appear
    together when all is done, and not at all otherwise. ``isolate`` reads and tunes in a worker
    process, whose samples are read where its kernels wrote them, with the same results. ``watch``
    is called with each block, and must copy what it keeps. ``note`` is called with remarks for the
    user. ``progress`` is called once with the recording, and what it returns with the length of
    each block that is done. Memory does not grow with the recording.

    Raises :class:`passband.plan.ReceiveError`, :class:`passband.io.RecordingError`, ``OSError`` for
    a file that cannot be written, or :class:`passband.arena.PeerDied` where the worker was killed.

    >>> import tempfile
    >>> from passband.plan import Level
    >>> codes = np.full(100_000, 128, np.uint8)
    >>> codes[40_000:60_000] = 200
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "capture.cu8"
    ...     codes.tofile(path)
    ...     setup = Setup(detect=(Level(20), Level(17)))
    ...     summary = receive(path, setup, rate=1e6, records=path.with_suffix(".csv"))
    >>> [(int(burst["start"]), int(burst["stop"])) for burst in summary.bursts]
    [(20000, 30000)]
    """
    setup = setup or Setup()
    _check_ending("audio", audio, (".wav",))
    _check_ending("records", records, tuple(RECORD_FILES))
    _check_ending("plot", plot, PLOT_ENDINGS)
    if records and not setup.detect:
        raise ReceiveError("burst records (--records) need detection (--detect)")
    recording = open_recording(path, format=format, rate=rate, note=note)
    plan = Plan.of(setup, recording.rate, iq=recording.iq, audio=audio is not None)
    detection = Detection(plan)
    length = math.ceil(recording.length * plan.audio_rate / recording.rate)
    kept = [np.zeros(0, BURST)]
    count = 0
    with Outputs(keep=[*recording.files, Path(path)]) as outputs, ExitStack() as stack:
        sinks: list[tuple[str | Path, Sink]] = []

        def add(target: str | Path, make: Callable[[Path], Sink]) -> None:
            part = outputs.part(target)
            with writing(target):
                sink = make(part)
            stack.callback(writing(target)(sink.close))
            sinks.append((target, sink))

        if audio:
            add(audio, lambda part: AudioFile(part, plan, length, note))
        if records:
            kind = RECORD_FILES[Path(records).suffix]
            add(records, lambda part: kind(part, recording))
        if plot:
            from passband.plot import Picture

            ending = Path(plot).suffix
            add(plot, lambda part: Picture(part, ending, recording, plan))
        advance = progress(recording)
        tuned = partial(tune, plan, recording)
        worker = stack.enter_context(isolated(tuned, plan.nbytes(BLOCK))) if isolate else None
        for block in detection.run(worker or tuned(), advance):
            if len(block.bursts) and count < KEPT_BURSTS:
                kept.append(block.bursts)
            count += len(block.bursts)
            watch(block)
            for target, sink in sinks:
                with writing(target):
                    sink.take(block)
        for target, sink in sinks:
            with writing(target):
                sink.finish(detection)
        cost = worker.cost if worker else None
    # the margin covers the rounding of the kernels
    if detection.on > 1.01 * plan.front.gain**2 * recording.max_power:
        note(f"detection: nothing can reach the on threshold, {decibels(detection.on):.1f} dBFS")
    return Summary(recording, plan, detection, count, np.concatenate(kept)[:KEPT_BURSTS], cost)


def _check_ending(name: str, path: str | Path | None, endings: tuple[str, ...]) -> None:
    if path is not None and Path(path).suffix not in endings:
        raise ReceiveError(
            f"{name} file {path}: expected a name that ends in {' or '.join(endings)}"
        )
