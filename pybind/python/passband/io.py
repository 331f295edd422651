"""Recordings read block by block, in constant memory: raw IQ, WAV and SigMF.

:func:`open_recording` looks at a file once, before any sample is read, and refuses what it cannot
read with a :class:`RecordingError` of one line. :mod:`passband.recording` has what it gives.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from passband.recording import (
    BLOCK,
    Empty,
    RawRecording,
    Recording,
    RecordingError,
    SampleFormat,
    Samples,
    WavRecording,
    digits,
    printable,
    wav_file,
)

__all__ = [
    "BLOCK",
    "FORMATS",
    "MAX_RATE",
    "RAW_FORMATS",
    "Empty",
    "RawRecording",
    "Recording",
    "RecordingError",
    "SampleFormat",
    "Samples",
    "WavRecording",
    "digits",
    "open_recording",
    "printable",
]

MAX_RATE = 1e12

RAW_FORMATS = {
    "cu8": SampleFormat("u1", iq=True),
    "cs8": SampleFormat("i1", iq=True),
    "cs16": SampleFormat("<i2", iq=True),
    "cf32": SampleFormat("<f4", iq=True),
}
FORMATS = (*RAW_FORMATS, "wav", "sigmf")

_SIGMF_COMPONENTS = {"u8": "u1", "i8": "i1", "i16": "i2", "f32": "f4"}
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


def open_recording(
    path: str | Path,
    *,
    format: str | None = None,
    rate: float | None = None,
    note: Callable[[str], object] = lambda _: None,
) -> Recording:
    """Look at a recording and say what is in it, without reading its samples.

    ``format`` is one of :data:`FORMATS`, by default the file name's ending. ``rate`` is in hertz:
    required for the raw formats, otherwise it replaces what the file says, and ``note`` is called
    with a remark that it does. Raises :class:`RecordingError` for a missing, empty or unreadable
    file, an unknown format, an impossible rate, and a size that ends in the middle of a sample.
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
            return _open_wav(path, rate, note)
        if kind == "sigmf":
            return _open_sigmf(path, rate, note)
        return _open_raw(path, path, kind, RAW_FORMATS[kind], rate)
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from error


def _check_rate(path: Path, rate: float) -> float:
    if not 0 < rate <= MAX_RATE:
        raise RecordingError(
            f"{path}: impossible sample rate {digits(rate)} Hz: "
            f"expected above 0, up to {digits(MAX_RATE)} Hz"
        )
    return rate


def _chosen_rate(rate: float | None, stated: float, note: Callable[[str], object]) -> float:
    """Take the rate that was asked for, or the one that the file states."""
    if rate is None:
        return stated
    if rate != stated:
        note(f"rate: {digits(rate)} Hz (--rate), in place of the file's {digits(stated)} Hz")
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
            f"{size:,} bytes, and a {format} sample has {sample.bytes}"
        )
    if rate is None:
        raise RecordingError(
            f"{path}: {format} data does not carry its sample rate: give it (--rate)"
        )
    return RawRecording(
        data, format, _check_rate(path, rate), sample.iq, size // sample.bytes, center, sample
    )


def _open_wav(path: Path, rate: float | None, note: Callable[[str], object]) -> WavRecording:
    if path.stat().st_size == 0:
        raise RecordingError(f"{path}: empty file")
    with wav_file(path) as file:
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
            f"{int(found[1]):,} bytes of data, and a sample has {size}"
        )
    if frames == 0:
        raise RecordingError(f"{path}: holds no samples")
    rate = _check_rate(path, _chosen_rate(rate, header_rate, note))
    return WavRecording(
        path, "wav", rate, channels == 2, frames, None, coding in ("PCM_U8", "PCM_16")
    )


def _open_sigmf(path: Path, rate: float | None, note: Callable[[str], object]) -> RawRecording:
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
    stated = about.get("core:sample_rate")
    if rate is None and stated is not None:
        rate = _float(field(about, "core:sample_rate", (int, float), None))
    elif isinstance(stated, (int, float)):
        rate = _chosen_rate(rate, _float(stated), note)
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
