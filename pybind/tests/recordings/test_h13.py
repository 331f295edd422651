"""h13: an electrocardiogram (MIT-BIH record 100): its beats, by the method of Pan and Tompkins.

Only passband kernels touch the samples; what is done with peaks is bookkeeping. The kernels are
causal: beats are found at the peaks of the energy less the delay of the kernels.

J. Pan and W. J. Tompkins, *A Real-Time QRS Detection Algorithm*, IEEE Trans. Biomed. Eng. 32
(1985).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from passband import Chain, Fir, I16ToF32, MovingAverage, Sos, find_peaks
from passband.math import magnitude_squared
from scipy.signal import butter

RECORDING = "h13_ecg_mitbih100_360.s16"
FORMAT = np.int16
RATE = 360

PROTOCOL_LOW, PROTOCOL_HIGH = 5, 15  # Hz: the band of a heart's QRS complexes
PROTOCOL_WIDTH = round(0.15 * RATE)  # samples: the length of a complex
PROTOCOL_REST = round(0.2 * RATE)  # samples: no heart beats again within this time
PROTOCOL_LONGEST = round(1.5 * RATE)  # samples: a heart has beaten again within this time
PROTOCOL_SHARE = 0.25  # of the energy of the beats before, that a beat has at least

# samples: of the band-pass in the middle of its band, of the derivative and of the mean
PROTOCOL_DELAY = RATE / (3.1416 * (PROTOCOL_HIGH - PROTOCOL_LOW)) + 1 / 2 + (PROTOCOL_WIDTH - 1) / 2

TRUTH_TOLERANCE = round(0.1 * RATE)  # samples


@pytest.fixture
def codes(recordings: Path) -> NDArray[np.int16]:
    """The samples of the file."""
    return np.fromfile(recordings / RECORDING, FORMAT)


def test_beats_are_found(codes: NDArray[np.int16], truth: dict[str, Any]) -> None:
    known = truth[RECORDING]
    found = list(beats(energy(codes, codes.size)))
    beaten = known["r_peak_samples"]
    matched = [beat for beat in beaten if is_near(beat, found)]
    extra = [beat for beat in found if not is_near(beat, beaten)]
    assert len(matched) >= known["check"]["matched_within_100ms"]["min"]
    assert len(extra) <= known["check"]["extra"]["max"]


def test_blocks_do_not_matter(codes: NDArray[np.int16], block: int) -> None:
    assert np.array_equal(energy(codes, codes.size), energy(codes, block))


def energy(codes: NDArray[np.int16], block: int) -> NDArray[np.float32]:
    """Give the energy of the slope over the length of a complex.

    The kernels start long before the recording, at its first value: its offset is no step to them.
    """
    band = butter(1, [PROTOCOL_LOW, PROTOCOL_HIGH], "bandpass", fs=RATE, output="sos")
    slope = Chain([I16ToF32(), Sos(band, dtype="float32"), Fir([1, -1], dtype="float32")])
    mean = MovingAverage(PROTOCOL_WIDTH)
    slope.execute(np.full(2 * RATE, codes[0]))
    blocks = (codes[start : start + block] for start in range(0, codes.size, block))
    return np.concatenate([mean.steps(magnitude_squared(slope.execute(x))) for x in blocks])


def beats(energy: NDArray[np.float32]) -> Iterator[float]:
    """Give the sample numbers of the peaks that are no small ones beside those before them."""
    peaks = find_peaks(energy, distance=PROTOCOL_REST)
    at, height = peaks["index"], peaks["height"]
    first = np.searchsorted(at, at - PROTOCOL_LONGEST)
    for this, start in enumerate(first):
        if height[this] > PROTOCOL_SHARE * max(height[start : this + 1]):
            yield at[this] - PROTOCOL_DELAY


def is_near(beat: float, others: Iterable[float]) -> bool:
    """Tell whether another beat is near enough to be the same."""
    return any(-TRUTH_TOLERANCE <= beat - other <= TRUTH_TOLERANCE for other in others)
