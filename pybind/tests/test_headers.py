"""Damaged headers of files, as a fuzzer makes them: read as something, or refused in one line."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile
from passband import io
from passband.io import RecordingError
from surface import once

pytestmark = once

ROUNDS = 1000
SEED = 20260101


def sound(path: Path, subtype: str) -> bytes:
    """A short sound file of a kind."""
    soundfile.write(path, np.linspace(-0.5, 0.5, 64).reshape(32, 2), 8000, subtype=subtype)
    return path.read_bytes()


def metadata(path: Path) -> bytes:
    """The metadata of a short recording, whose samples it writes beside them."""
    np.zeros(32, "<i2").tofile(path.with_suffix(".sigmf-data"))
    meta = {
        "global": {"core:datatype": "ci16_le", "core:sample_rate": 1e6, "core:version": "1.0.0"},
        "captures": [{"core:sample_start": 0, "core:frequency": 1e9}],
        "annotations": [],
    }
    return json.dumps(meta).encode()


def damaged(header: bytes, rng: random.Random) -> bytes:
    """Some bytes flipped, overwritten, doubled, or the end cut off."""
    data = bytearray(header)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                data[at : at + 4] = rng.choice(
                    [bytes(4), b"\xff" * 4, b"\x00\x00\x00\x80", b"9e99"]
                )
            case 2:
                data[at:at] = data[at : at + rng.randint(1, 8)]
            case _:
                del data[max(at, 1) :]
    return bytes(data)


def faults(path: Path, header: bytes) -> list[str]:
    """What is neither a recording nor a refusal, over many damaged headers."""
    rng, found = random.Random(SEED), []
    for _ in range(ROUNDS):
        path.write_bytes(damaged(header, rng))
        try:
            blocks = io.open_recording(path).blocks(16)
            if any(len(block) > 16 for _, block in zip(range(100), blocks, strict=False)):
                found.append("a block longer than asked for")
        except RecordingError as refusal:
            if "\n" in str(refusal):
                found.append(f"more than one line: {refusal!r}")
        except Exception as error:
            found.append(repr(error))
    return found


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "FLOAT", "ULAW", "IMA_ADPCM"])
def test_a_damaged_wav_header_is_read_or_refused(tmp_path: Path, subtype: str) -> None:
    path = tmp_path / "r.wav"
    assert faults(path, sound(path, subtype)) == []


def test_damaged_metadata_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.sigmf-meta"
    assert faults(path, metadata(path)) == []


@pytest.mark.parametrize("header", [lambda path: sound(path, "PCM_16"), metadata])
def test_a_planted_fault_is_found(
    tmp_path: Path, header: Callable[[Path], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def trusting(path: Path) -> io.Recording:
        if b"\xff" in path.read_bytes() or b"9e99" in path.read_bytes():
            raise ZeroDivisionError
        return opened(path)

    opened = io.open_recording
    monkeypatch.setattr(io, "open_recording", trusting)
    path = tmp_path / ("r.wav" if header is not metadata else "r.sigmf-meta")
    assert "ZeroDivisionError()" in faults(path, header(path))
