"""h14: a seismogram (station BW.UH1): the onsets of small earthquakes, by the means STA and LTA.

Only passband kernels touch the samples. The means of the power over a short and a long time are
recursive; where the short one exceeds the long one, something has begun.

M. Withers et al., *A comparison of select trigger algorithms for automated global seismic phase
and event detection*, Bull. Seism. Soc. Am. 88 (1998).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from passband import Chain, I32ToF32, OnePole, Sos
from passband.math import magnitude_squared, scale
from scipy.signal import butter

RECORDING = "h14_seismo_uh1_50.s32"
FORMAT = np.int32
RATE = 50

PROTOCOL_LOW, PROTOCOL_HIGH = 10, 20  # Hz: the band of small earthquakes that are near
PROTOCOL_ORDER = 4  # of the band-pass, at either edge
PROTOCOL_SHORT, PROTOCOL_LONG = RATE // 2, 10 * RATE  # samples
PROTOCOL_ON, PROTOCOL_OFF = 3.5, 1.0  # of the short mean over the long one


@pytest.fixture
def codes(recordings: Path) -> NDArray[np.int32]:
    """The samples of the file."""
    return np.fromfile(recordings / RECORDING, FORMAT)


def test_earthquakes_are_found(codes: NDArray[np.int32], truth: dict[str, Any]) -> None:
    """The first onset is no earthquake: the long mean is still short of what it will be."""
    known = truth[RECORDING]["check"].values()
    first, *found = onsets(*means(codes, codes.size))
    assert first == PROTOCOL_LONG
    for onset, this in zip(found, known, strict=True):
        assert onset / RATE == pytest.approx(this["near"], abs=this["tol"])


def test_blocks_do_not_matter(codes: NDArray[np.int32], block: int) -> None:
    for whole, cut in zip(means(codes, codes.size), means(codes, block), strict=True):
        assert np.array_equal(whole, cut)


def means(codes: NDArray[np.int32], block: int) -> tuple[NDArray[np.float32], ...]:
    """Give the mean power over a short and over a long time."""
    edges = [PROTOCOL_LOW, PROTOCOL_HIGH]
    band = butter(PROTOCOL_ORDER, edges, "bandpass", fs=RATE, output="sos")
    receiver = Chain([I32ToF32(), Sos(band, dtype="float32")])
    starts = range(0, codes.size, block)
    powers = [magnitude_squared(receiver.execute(codes[at : at + block])) for at in starts]
    averages = (OnePole(1 / length) for length in (PROTOCOL_SHORT, PROTOCOL_LONG))
    return tuple(np.concatenate([mean.steps(power) for power in powers]) for mean in averages)


def onsets(short: NDArray[np.float32], long: NDArray[np.float32]) -> Iterator[int]:
    """Give the samples at which the short mean exceeds the long one anew."""
    above = np.flatnonzero(short > scale(long, PROTOCOL_ON))
    below = np.flatnonzero(short < scale(long, PROTOCOL_OFF))
    ready = PROTOCOL_LONG
    while (later := above[above >= ready]).size:
        yield later[0]
        ended = below[below > later[0]]
        ready = ended[0] if ended.size else short.size
