"""What a run leaves behind: audio and burst records, in files that appear whole or not at all."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passband import F32ToI16
from passband.io import Recording, digits
from passband.plan import Plan, decibels
from passband.receiver import BURST, Block, Detection

STOP_SIGNALS = tuple(s for s in signal.Signals if s.name in ("SIGINT", "SIGTERM", "SIGHUP"))
"""What asks a run to stop, on systems that have it."""

_WAV_LIMIT = 2**32 - 4096


class Outputs:
    """Output files under temporary names beside their targets, renamed when the block succeeds.

    When it fails, Ctrl-C included, the temporary files are removed and the targets are as they
    were. Signals that come while the files are renamed come too late, and an error there names the
    files that are already in place. ``keep`` names files that no output may replace.
    """

    def __init__(self, keep: Iterable[Path] = ()) -> None:
        self._keep = list(keep)
        self._parts: dict[Path, Path] = {}

    def part(self, target: str | Path) -> Path:
        """Create the temporary file for ``target``; raises ``OSError`` where that cannot work."""
        target = Path(target)
        final = Path(os.path.realpath(target))
        if final.is_symlink():
            raise OSError(f"{target}: is a link that leads to itself")
        if not final.parent.is_dir():
            raise OSError(f"{target}: there is no folder {final.parent}")
        if target.exists() and not target.is_file():
            raise OSError(f"{target}: exists and is not a regular file")
        if target.exists() and any(k.exists() and target.samefile(k) for k in self._keep):
            raise OSError(f"{target}: is the recording itself")
        if final in self._parts:
            raise OSError(f"{target}: another output is this file, too")
        part = final.with_name(f".{final.name}.{os.getpid()}.part")
        self._parts[final] = part
        with writing(target):
            part.touch()
        return part

    def __enter__(self) -> Outputs:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with _signals_ignored():
            try:
                if kind is None:
                    self._rename()
            finally:
                for part in self._parts.values():
                    part.unlink(missing_ok=True)

    def _rename(self) -> None:
        done: list[str] = []
        for target, part in self._parts.items():
            try:
                part.replace(target)
            except OSError as error:
                others = f"; already written: {', '.join(done)}" if done else ""
                raise OSError(f"{target}: {error.strerror or error}{others}") from error
            done.append(str(target))


@contextmanager
def _signals_ignored() -> Iterator[None]:
    """Ignore requests to stop, where handlers can be set: only in the main thread."""
    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            for kind in STOP_SIGNALS:
                handler = signal.getsignal(kind)
                if handler is not None:  # else it is not Python's, and cannot be put back
                    stack.callback(signal.signal, kind, handler)
                    signal.signal(kind, signal.SIG_IGN)
        yield


@contextmanager
def writing(target: str | Path) -> Iterator[None]:
    """Have errors of input and output name the file that the user knows."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{target}: {error.strerror or error}") from error


class Sink(ABC):
    """Takes what was received, block by block, and writes one file."""

    @abstractmethod
    def take(self, block: Block) -> None:
        """Take what a block of input yielded."""

    def finish(self, detection: Detection) -> None:  # noqa: B027 (most files need no end)
        """Write what is known only when all is received."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file, finished or not."""


class AudioFile(Sink):
    """A 16-bit WAV file: one channel for real audio, two for I and Q; full scale is 1."""

    def __init__(self, path: Path, plan: Plan, length: int, note: Callable[[str], object]) -> None:
        import soundfile

        rate = plan.audio_rate
        whole = round(rate)
        self._channels = 2 if plan.audio_dtype == "complex64" else 1
        # RIFF sizes have 32 bits; RF64 is its extension for longer files
        container = "RF64" if 2 * self._channels * length > _WAV_LIMIT else "WAV"
        with _libsndfile_errors():
            self._file = soundfile.SoundFile(
                os.fsencode(path), "w", whole, self._channels, subtype="PCM_16", format=container
            )
        self._codes = F32ToI16()
        self._note = note
        inexact = "" if whole == rate else f", stated in the file as {whole:,}"
        note(f"audio: {digits(rate)} Hz, from {digits(plan.rate)} Hz{inexact}")

    def take(self, block: Block) -> None:
        """Append the audio, rounded to 16 bits."""
        codes = self._codes.steps(block.audio.view(np.float32))
        with _libsndfile_errors():
            self._file.write(codes.reshape(-1, self._channels))

    def finish(self, detection: Detection) -> None:
        """Say how much was clipped."""
        if self._codes.clip_count:
            self._note(f"audio: {self._codes.clip_count:,} samples beyond full scale were clipped")

    def close(self) -> None:
        """Complete the header and close."""
        with _libsndfile_errors():
            self._file.close()


@contextmanager
def _libsndfile_errors() -> Iterator[None]:
    """Raise libsndfile's errors as what they are, errors of input and output."""
    import soundfile

    try:
        yield
    except soundfile.LibsndfileError as error:
        raise OSError(f"the audio cannot be written: {error.error_string}") from error


def burst_rows(bursts: NDArray[np.void], rate: float) -> Iterator[dict[str, int | float]]:
    """Name the fields of burst records: times in samples and seconds, powers linear and in dBFS."""
    for start, stop, peak, mean in bursts.tolist():
        yield {
            "start": start,
            "stop": stop,
            "start_s": start / rate,
            "stop_s": stop / rate,
            "peak_power": peak,
            "mean_power": mean,
            "peak_dbfs": decibels(peak),
            "mean_dbfs": decibels(mean),
        }


class CsvRecords(Sink):
    """Burst records as CSV: a line of names, then one line each."""

    def __init__(self, path: Path, recording: Recording) -> None:
        self._rate = recording.rate
        self._file = path.open("w", encoding="utf-8", newline="")
        (columns,) = burst_rows(np.zeros(1, BURST), self._rate)
        self._csv = csv.DictWriter(self._file, list(columns), lineterminator="\n")
        self._csv.writeheader()

    def take(self, block: Block) -> None:
        """Append the bursts."""
        self._csv.writerows(burst_rows(block.bursts, self._rate))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class JsonRecords(Sink):
    """Burst records as a JSON object: recording, rate, the list ``bursts``, and the thresholds."""

    def __init__(self, path: Path, recording: Recording) -> None:
        self._rate = recording.rate
        self._file = path.open("w", encoding="utf-8")
        head = {
            "recording": recording.path.name,
            "rate": recording.rate,
            "samples": recording.length,
        }
        self._file.write(f'{_json(head)[:-1]}, "bursts": [')
        self._separator = "\n  "

    def take(self, block: Block) -> None:
        """Append the bursts."""
        for row in burst_rows(block.bursts, self._rate):
            self._file.write(self._separator + _json(row))
            self._separator = ",\n  "

    def finish(self, detection: Detection) -> None:
        """End the list and give the thresholds as linear powers."""
        tail = {"floor_power": detection.floor, "on_power": detection.on}
        tail["off_power"] = detection.off
        self._file.write(f"\n], {_json(tail)[1:]}\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


RECORD_FILES: dict[str, type[CsvRecords] | type[JsonRecords]] = {
    ".csv": CsvRecords,
    ".json": JsonRecords,
}
"""The kinds of record file by the ending of their name."""


def _json(facts: dict[str, Any]) -> str:
    """JSON knows no infinity and no NaN: they become null."""
    return json.dumps(
        {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in facts.items()}
    )
