"""h05: the satellite TIGRISAT: 9600 bd, scrambled by the polynomial of G3RUH, AX.25 frames.

The receiver had demodulated the frequency. Only passband kernels touch the samples; what is done
with symbols is framing.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from framing import hdlc, nrzi
from numpy.typing import NDArray
from passband import Chain, DcBlocker, MovingAverage, SymbolSync
from passband.io import Samples, open_recording

RECORDING = "h05_fsk9k6_tigrisat_48k.wav"
FORMAT = "wav"
RATE = 48_000

PROTOCOL_SYMBOL = RATE / 9600  # samples
PROTOCOL_BALANCE = 500 * PROTOCOL_SYMBOL  # samples over which scrambled bits have no mean
PROTOCOL_TAPS = (12, 17)  # of the scrambler


def test_all_frames_are_received(
    recording: Path, truth: dict[str, Any], loop_bandwidth: float
) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    high = symbols(found.blocks(), loop_bandwidth) > 0
    frames = list(hdlc(descrambled(nrzi(high.tolist()))))
    assert frames == truth[RECORDING]["check"]["frames"]


def test_blocks_do_not_matter(recording: Path, loop_bandwidth: float, block: int) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    whole, cut = (symbols(found.blocks(size), loop_bandwidth) for size in (found.length, block))
    assert np.array_equal(whole, cut)


def symbols(blocks: Iterable[Samples], loop_bandwidth: float) -> NDArray[np.float32]:
    """Give the frequency at the middle of each symbol."""
    receiver = Chain(
        [
            DcBlocker(1 - 1 / PROTOCOL_BALANCE),
            MovingAverage(round(PROTOCOL_SYMBOL)),
            SymbolSync(PROTOCOL_SYMBOL, loop_bandwidth),
        ]
    )
    return np.concatenate([receiver.execute(block) for block in blocks])


def descrambled(bits: Iterable[bool]) -> Iterator[bool]:
    """Undo a scrambler that adds its own output, as it was at the taps."""
    near, far = PROTOCOL_TAPS
    sent = deque((False for _ in range(far)), maxlen=far)
    for bit in bits:
        yield bit ^ sent[-near] ^ sent[-far]
        sent.append(bit)
