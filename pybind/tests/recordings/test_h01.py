"""h01: an aircraft (ADS-B), strong, at 2 MS/s, one sample for each half of a bit.

Only passband kernels touch the samples; what is done with bits is framing.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mode_s import frames, halves
from passband.io import open_recording

RECORDING = "h01_adsb_2M.cu8"
FORMAT = "cu8"
RATE = 2_000_000

PROTOCOL_LONG, PROTOCOL_SHORT = 28, 14  # hexadecimal digits of frames of formats 17 and 11
PROTOCOL_ADDRESS = slice(2, 8)  # of these digits

TRUTH_FRAMES = "h01_adsb_2M.df17.txt"  # lines of a microsecond and a frame of format 17
TRUTH_TOLERANCE = 0.25  # microseconds


@pytest.fixture
def known(recordings: Path) -> dict[str, float]:
    """The distinct frames of format 17, and the microsecond of the first."""
    lines = (recordings / TRUTH_FRAMES).read_text(encoding="utf-8").splitlines()
    return {frame: float(time) for time, frame in map(str.split, lines)}


def test_frames_are_received(
    recording: Path, known: dict[str, float], truth: dict[str, Any]
) -> None:
    check = truth[RECORDING]["check"]
    found = frames(halves(open_recording(recording, format=FORMAT, rate=RATE).blocks(), RATE))
    long = {frame: time for frame, time in found.items() if len(frame) == PROTOCOL_LONG}
    assert long.keys() <= known.keys()
    assert len(long) >= check["df17_distinct"]["min"]
    assert long == pytest.approx({frame: known[frame] for frame in long}, abs=TRUTH_TOLERANCE)
    short = [frame for frame in found if len(frame) == PROTOCOL_SHORT]
    assert len(short) == check["df11_distinct"]
    assert sorted({frame[PROTOCOL_ADDRESS] for frame in found}) == check["icao"]


def test_blocks_do_not_matter(recording: Path, block: int) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    whole, cut = (halves(found.blocks(size), RATE) for size in (found.length, block))
    assert np.array_equal(whole, cut)
