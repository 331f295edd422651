"""h06: the satellite Swiatowid: 1200 bd by two tones (Bell 202), AX.25 frames.

Only passband kernels touch the samples; what is done with symbols is framing.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from framing import hdlc, nrzi
from numpy.typing import NDArray
from passband import Chain, FirDecimator, FmDemod, Mixer, MovingAverage, SymbolSync
from passband.io import Samples, open_recording
from scipy.signal import firwin

RECORDING = "h06_afsk1k2_swiatowid_48k.wav"
FORMAT = "wav"
RATE = 48_000

PROTOCOL_BAUD = 1200
PROTOCOL_CENTRE = (1200 + 2200) / 2  # between the tones
PROTOCOL_DECIMATION = 4  # leaves ten samples a symbol
PROTOCOL_SYMBOL = RATE / PROTOCOL_BAUD / PROTOCOL_DECIMATION  # samples


def test_all_frames_are_received(
    recording: Path, truth: dict[str, Any], loop_bandwidth: float
) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    high = symbols(found.blocks(), loop_bandwidth) > 0
    assert list(hdlc(nrzi(high.tolist()))) == truth[RECORDING]["check"]["frames"]


def test_blocks_do_not_matter(recording: Path, loop_bandwidth: float, block: int) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    whole, cut = (symbols(found.blocks(size), loop_bandwidth) for size in (found.length, block))
    assert np.array_equal(whole, cut)


def symbols(blocks: Iterable[Samples], loop_bandwidth: float) -> NDArray[np.float32]:
    """Give the frequency at the middle of each symbol, from the centre of the tones."""
    low = firwin(2 * round(RATE / PROTOCOL_BAUD) + 1, PROTOCOL_BAUD, fs=RATE)
    receiver = Chain(
        [
            Mixer(-PROTOCOL_CENTRE, fs=RATE),
            FirDecimator(low, PROTOCOL_DECIMATION, dtype="complex64"),
            FmDemod(),
            MovingAverage(round(PROTOCOL_SYMBOL)),
            SymbolSync(PROTOCOL_SYMBOL, loop_bandwidth),
        ]
    )
    return np.concatenate([receiver.execute(block.astype(np.complex64)) for block in blocks])
