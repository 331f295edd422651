"""Recordings read block by block, in constant memory: raw IQ, WAV and SigMF.

:func:`open_recording` looks at a file once, before any sample is read, and refuses what it cannot
read with a :class:`RecordingError` of one line. Its blocks are ``complex64`` (IQ) or ``float32``
(real), full scale being 1; integer codes are converted by :class:`passband.U8ToF32`,
:class:`passband.I8ToF32` and :class:`passband.I16ToF32`.
"""

from __future__ import annotations

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from passband import I8ToF32, I16ToF32, U8ToF32

Samples: TypeAlias = NDArray[np.complex64 | np.float32]

BLOCK = 1 << 18
"""Samples in a block unless told otherwise: 2 MiB of complex64."""

MAX_RATE = 1e12


_WAV_BYTES = {
    "PCM_U8": 1,
    "PCM_S8": 1,
    "PCM_16": 2,
    "PCM_24": 3,
    "PCM_32": 4,
    "FLOAT": 4,
    "DOUBLE": 8,
    "ALAW": 1,
    "ULAW": 1,
}
"""Bytes of one sample of a channel, in the codings where each sample has its own."""


class RecordingError(ValueError):
    """A file that cannot be read as asked; the message is one line and names the file."""


def printable(text: object) -> str:
    """Escape what cannot be printed on one line, such as a line feed in a file name."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


@dataclass(frozen=True)
class SampleFormat:
    """How a sample lies in a file: the NumPy type of a component, and whether I and Q alternate."""

    component: str
    iq: bool

    @property
    def bytes(self) -> int:
        """Bytes of one sample."""
        return np.dtype(self.component).itemsize * (2 if self.iq else 1)


RAW_FORMATS = {
    "cu8": SampleFormat("u1", iq=True),
    "cs8": SampleFormat("i1", iq=True),
    "cs16": SampleFormat("<i2", iq=True),
    "cf32": SampleFormat("<f4", iq=True),
}
FORMATS = (*RAW_FORMATS, "wav", "sigmf")

_CONVERTERS: dict[str, type[U8ToF32] | type[I8ToF32] | type[I16ToF32]] = {
    "u1": U8ToF32,
    "i1": I8ToF32,
    "i2": I16ToF32,
}
_SIGMF_COMPONENTS = {"u8": "u1", "i8": "i1", "i16": "i2", "f32": "f4"}


@dataclass(frozen=True)
class Recording(ABC):
    """A file of samples at a known rate.

    ``rate`` is in hertz, ``length`` in samples, ``iq`` tells complex samples from real ones, and
    ``center`` is the radio frequency at 0 Hz of the recording, where the file says it.
    """

    path: Path
    format: str
    rate: float
    iq: bool
    length: int
    center: float | None

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return self.length / self.rate

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it lies in: two for SigMF."""
        pair = self.path.suffix == ".sigmf-data"
        return (self.path, self.path.with_suffix(".sigmf-meta")) if pair else (self.path,)

    @property
    @abstractmethod
    def max_power(self) -> float:
        """The largest |x|^2 that its format can hold, infinity where there is no bound."""

    @abstractmethod
    def blocks(self, size: int = BLOCK) -> Iterator[Samples]:
        """Yield all samples in order, in fresh arrays of ``size`` (the last one may be shorter).

        Raises :class:`RecordingError` when the file turns out shorter than it was when it was
        opened.
        """

    def _cut_short(self, left: int) -> RecordingError:
        return RecordingError(
            f"{self.path}: changed while it was read: {left} samples are missing at its end"
        )


@dataclass(frozen=True)
class RawRecording(Recording):
    """Samples without a header: the raw formats, and the data file of a SigMF pair."""

    sample: SampleFormat

    @property
    def max_power(self) -> float:
        """The largest |x|^2 that its format can hold."""
        return _max_power(self.iq) if np.dtype(self.sample.component).kind in "iu" else math.inf

    def blocks(self, size: int = BLOCK) -> Iterator[Samples]:
        """Yield all samples in order; see :meth:`Recording.blocks`."""
        kind = np.dtype(self.sample.component)
        native = kind.newbyteorder("=")
        converter = _CONVERTERS.get(native.str[1:])
        kernel = converter(iq=self.iq) if converter else None
        codes = np.empty(size * (2 if self.iq else 1), kind)
        left = self.length
        with self.path.open("rb") as file:
            while left:
                count = min(left, size)
                part = codes[: count * (2 if self.iq else 1)]
                if file.readinto(part.data.cast("B")) != part.nbytes:
                    raise self._cut_short(left)
                yield (
                    kernel.steps(part.astype(native, copy=False))
                    if kernel
                    else _floats(part.astype("f4"), self.iq)
                )
                left -= count


@dataclass(frozen=True)
class WavRecording(Recording):
    """A WAV file: one channel is real, two are I and Q; ``codes`` tells 8 and 16 bits from more."""

    codes: bool

    @property
    def max_power(self) -> float:
        """The largest |x|^2 that its format can hold."""
        return _max_power(self.iq) if self.codes else math.inf

    def blocks(self, size: int = BLOCK) -> Iterator[Samples]:
        """Yield all samples in order; see :meth:`Recording.blocks`."""
        kernel = I16ToF32(iq=self.iq)
        left = self.length
        with _wav_file(self.path) as file:
            while left:
                count = min(left, size)
                frames = file.read(
                    count, dtype="int16" if self.codes else "float32", always_2d=True
                )
                if len(frames) != count:
                    raise self._cut_short(left)
                flat = frames.reshape(-1)
                yield kernel.steps(flat) if self.codes else _floats(flat, self.iq)
                left -= count


@contextmanager
def _wav_file(path: Path) -> Iterator[Any]:
    """Open a WAV file by its descriptor: soundfile would make something of the name."""
    import soundfile

    try:
        with path.open("rb") as file, soundfile.SoundFile(file.fileno(), closefd=False) as wav:
            yield wav
    except soundfile.LibsndfileError as error:
        raise RecordingError(
            f"{path}: not a WAV file that can be read: {error.error_string}"
        ) from error


def _max_power(iq: bool) -> float:
    return 2.0 if iq else 1.0


def _floats(values: NDArray[np.float32], iq: bool) -> Samples:
    return values.view(np.complex64) if iq else values


def open_recording(
    path: str | Path, *, format: str | None = None, rate: float | None = None
) -> Recording:
    """Look at a recording and say what is in it, without reading its samples.

    ``format`` is one of :data:`FORMATS`, by default the file name's ending. ``rate`` is in hertz:
    required for the raw formats, otherwise it replaces what the file says. Raises
    :class:`RecordingError` for a missing, empty or unreadable file, an unknown format, an
    impossible rate, and a size that ends in the middle of a sample.
    """
    path = Path(path)
    if rate is not None:
        _check_rate(path, rate)
    if not path.exists():
        raise RecordingError(f"{path}: no such file")
    if not path.is_file():
        raise RecordingError(f"{path}: not a regular file")
    kind = format or _format_of(path)
    if kind not in FORMATS:
        raise RecordingError(
            f"{path}: unknown format {kind!r}: expected one of {', '.join(FORMATS)}"
        )
    try:
        if kind == "wav":
            return _open_wav(path, rate)
        if kind == "sigmf":
            return _open_sigmf(path, rate)
        return _open_raw(path, path, kind, RAW_FORMATS[kind], rate)
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from error


def _check_rate(path: Path, rate: float) -> float:
    if not 0 < rate <= MAX_RATE:
        raise RecordingError(
            f"{path}: impossible sample rate {rate:g} Hz: expected above 0, up to {MAX_RATE:g} Hz"
        )
    return rate


def _format_of(path: Path) -> str:
    ending = path.suffix.lower().removeprefix(".")
    if ending in ("sigmf-meta", "sigmf-data"):
        return "sigmf"
    if ending not in FORMATS:
        raise RecordingError(
            f"{path}: unknown format: the name ends in none of .{', .'.join(FORMATS)}; "
            "name the format (--format)"
        )
    return ending


def _open_raw(
    path: Path,
    data: Path,
    format: str,
    sample: SampleFormat,
    rate: float | None,
    center: float | None = None,
) -> RawRecording:
    size = data.stat().st_size
    if size == 0:
        raise RecordingError(f"{data}: empty file")
    if size % sample.bytes:
        raise RecordingError(
            f"{data}: ends in the middle of a sample: "
            f"{size} bytes, and a {format} sample has {sample.bytes}"
        )
    if rate is None:
        raise RecordingError(
            f"{path}: {format} data does not carry its sample rate: give it (--rate)"
        )
    return RawRecording(
        data, format, _check_rate(path, rate), sample.iq, size // sample.bytes, center, sample
    )


def _open_wav(path: Path, rate: float | None) -> WavRecording:
    if path.stat().st_size == 0:
        raise RecordingError(f"{path}: empty file")
    with _wav_file(path) as file:
        container, coding, channels = file.format, file.subtype, file.channels
        frames, header_rate, log = file.frames, file.samplerate, file.extra_info
    if container not in ("WAV", "WAVEX", "RF64"):
        raise RecordingError(f"{path}: not a WAV file: it holds {container}")
    if channels > 2:
        raise RecordingError(f"{path}: {channels} channels: expected 1 (real) or 2 (I and Q)")
    # libsndfile drops a half sample at the end without a word; its log has the size that it found
    found = re.search(r"^data : (?:\d+ \(should be )?(\d+)", log, re.MULTILINE)
    size = _WAV_BYTES.get(coding, 0) * channels
    if found and size and int(found[1]) % size:
        raise RecordingError(
            f"{path}: ends in the middle of a sample: "
            f"{found[1]} bytes of data, and a sample has {size}"
        )
    if frames == 0:
        raise RecordingError(f"{path}: holds no samples")
    rate = _check_rate(path, header_rate if rate is None else rate)
    return WavRecording(
        path, "wav", rate, channels == 2, frames, None, coding in ("PCM_U8", "PCM_16")
    )


def _open_sigmf(path: Path, rate: float | None) -> RawRecording:
    if path.suffix not in (".sigmf-meta", ".sigmf-data"):
        raise RecordingError(
            f"{path}: a SigMF recording is a pair of .sigmf-meta and .sigmf-data: name one of them"
        )
    meta_path, data_path = path.with_suffix(".sigmf-meta"), path.with_suffix(".sigmf-data")
    for part in (meta_path, data_path):
        if not part.is_file():
            raise RecordingError(f"{part}: no such file (the other half of {path.name})")
    try:
        meta = json.loads(meta_path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{meta_path}: not JSON: {error}") from error

    def field(section: Any, key: str, kind: type[Any] | tuple[type[Any], ...], default: Any) -> Any:
        value = section.get(key, default) if isinstance(section, dict) else None
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RecordingError(f"{meta_path}: {key} is missing or of the wrong type")
        return value

    about = field(meta, "global", dict, None)
    captures = field(meta, "captures", list, [])
    datatype = field(about, "core:datatype", str, None)
    parts = re.fullmatch(r"([cr])(u8|i8|i16|f32)(?:_([lb])e)?", datatype)
    if not parts:
        raise RecordingError(
            f"{meta_path}: core:datatype {datatype!r}: expected c or r with u8, i8, i16 or f32"
        )
    if field(about, "core:num_channels", int, 1) != 1:
        raise RecordingError(f"{meta_path}: {about['core:num_channels']} channels: expected one")
    if field(about, "core:trailing_bytes", int, 0) or any(
        field(c, "core:header_bytes", int, 0) for c in captures
    ):
        raise RecordingError(f"{meta_path}: headers or trailers inside the data are not supported")
    sample = SampleFormat(
        (">" if parts[3] == "b" else "<") + _SIGMF_COMPONENTS[parts[2]], iq=parts[1] == "c"
    )
    if rate is None and "core:sample_rate" in about:
        rate = _float(field(about, "core:sample_rate", (int, float), None))
    center = captures[0].get("core:frequency") if captures else None
    center = _float(center) if isinstance(center, (int, float)) else math.nan
    return _open_raw(
        meta_path, data_path, datatype, sample, rate, center if math.isfinite(center) else None
    )


def _float(value: float) -> float:
    """Integers in JSON have no bound."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
