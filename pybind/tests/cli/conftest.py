"""Recordings for the command line."""

from pathlib import Path

import numpy as np
import pytest
import soundfile
from receiving import noise, tone, write_iq


@pytest.fixture
def keyed(tmp_path: Path) -> tuple[Path, list[tuple[int, int]]]:
    """A carrier at +20 kHz that is on three times, in noise; with starts and stops in samples."""
    truth = [(40_000, 48_000), (60_001, 70_017), (90_000, 91_500)]
    iq = noise(128_000)
    for start, stop in truth:
        iq[start:stop] += tone(20e3)[start:stop]
    return write_iq(tmp_path / "keyed.cf32", iq), truth


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with some recordings, good and bad."""
    np.random.default_rng(0).integers(0, 256, 20_000).astype("u1").tofile(tmp_path / "r.cu8")
    (tmp_path / "half.cu8").write_bytes(bytes(7))
    (tmp_path / "empty.cu8").touch()
    (tmp_path / "folder.wav").mkdir()
    write_iq(tmp_path / "loud.cf32", np.full(1000, 1e15 + 0j))
    soundfile.write(tmp_path / "real.wav", np.full(1000, 0.1), 48000)
    soundfile.write(tmp_path / "silence.wav", np.zeros(1000), 48000)
    monkeypatch.chdir(tmp_path)
    return tmp_path
