"""h02: several aircraft (ADS-B), weak, at 2.4 MS/s: half a bit is no whole number of samples.

Only passband kernels touch the samples; what is done with bits is framing.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mode_s import frames, halves
from passband.io import open_recording

RECORDING = "h02_adsb_2400k.cs16"
FORMAT = "cs16"
RATE = 2_400_000

TRUTH_TOLERANCE = 0.25  # microseconds


def test_all_frames_are_received(recording: Path, truth: dict[str, Any]) -> None:
    found = frames(halves(open_recording(recording, format=FORMAT, rate=RATE).blocks(), RATE))
    assert found == pytest.approx(truth[RECORDING]["frames_us"], abs=TRUTH_TOLERANCE)


def test_blocks_do_not_matter(recording: Path, block: int) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    whole, cut = (halves(found.blocks(size), RATE) for size in (found.length, block))
    assert np.array_equal(whole, cut)
