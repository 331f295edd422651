"""Mode S at 1090 MHz, which several recordings share: frames of aircraft, their bits as pulses.

A bit is a pulse in its first half (1) or in its second (0). At 2 MS/s half a bit is one sample, so
that the magnitude is cut at a higher rate. Only passband kernels touch the samples; what is done
with bits is framing.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from framing import remainder
from numpy.typing import NDArray
from passband import Chain, Fir, FirInterpolator, MovingAverage
from passband.io import Samples
from passband.math import magnitude
from scipy.signal import firwin

PROTOCOL_RATE = 12_000_000  # at which pulses are cut
PROTOCOL_REACH = 10  # samples of a recording on either side from which others are interpolated
PROTOCOL_MICROSECOND = PROTOCOL_RATE // 1_000_000  # samples, as many as in a bit
PROTOCOL_HALF = PROTOCOL_MICROSECOND // 2  # samples in half a bit
PROTOCOL_PREAMBLE = "1010000101000000"  # halves of bits
PROTOCOL_LENGTH = len(PROTOCOL_PREAMBLE) * PROTOCOL_HALF  # samples in a preamble
PROTOCOL_CONTRAST = 1.2  # of the pulses of a preamble over its gaps, at least
PROTOCOL_FRAMES = {"01011": 56, "10001": 112}  # bits, by the first of them: formats 11 and 17
PROTOCOL_CODE = 0x1FFF409  # the polynomial of the check


def halves(blocks: Iterable[Samples], rate: int) -> NDArray[np.float32]:
    """Give the mean magnitude over half a bit from each sample on, at `PROTOCOL_RATE`."""
    up = PROTOCOL_RATE // rate
    smooth = firwin(2 * PROTOCOL_REACH * up + 1, 1 / up)
    receiver = Chain([FirInterpolator(smooth, up, dtype="float32"), MovingAverage(PROTOCOL_HALF)])
    delay = PROTOCOL_REACH * up + PROTOCOL_HALF - 1
    return np.concatenate([receiver.execute(magnitude(block)) for block in blocks])[delay:]


def frames(sent: NDArray[np.float32]) -> dict[str, float]:
    """Give the frames whose check is good, in hexadecimal, and the microsecond of the first."""
    found: dict[str, float] = {}
    starts = preambles(sent)
    for head, length in PROTOCOL_FRAMES.items():
        first = bits(sent, starts, len(head)) == [bit == "1" for bit in head]
        these = starts[first.all(axis=1)]
        for start, frame in zip(these.tolist(), bits(sent, these, length), strict=True):
            octets = np.packbits(frame).tobytes()
            if remainder(int.from_bytes(octets), PROTOCOL_CODE) == 0:
                found.setdefault(octets.hex(), start / PROTOCOL_MICROSECOND)
    return found


def preambles(sent: NDArray[np.float32]) -> NDArray[np.int64]:
    """Give each sample where a preamble may start, with room for a frame after it."""
    pulses, gaps = map(PROTOCOL_PREAMBLE.count, "10")
    weights = {"1": 1 / pulses, "0": -PROTOCOL_CONTRAST / gaps}
    taps = np.zeros(PROTOCOL_LENGTH)
    taps[::PROTOCOL_HALF] = [weights[half] for half in reversed(PROTOCOL_PREAMBLE)]
    likeness = Fir(taps, dtype="float32").steps(sent)[PROTOCOL_LENGTH - PROTOCOL_HALF :]
    return np.flatnonzero(likeness[: -2 * max(PROTOCOL_FRAMES.values()) * PROTOCOL_HALF] > 0)


def bits(sent: NDArray[np.float32], starts: NDArray[np.int64], count: int) -> NDArray[np.bool]:
    """Give the first bits after the preambles that start at some samples, one row for each."""
    after = PROTOCOL_LENGTH + PROTOCOL_HALF * np.arange(2 * count)
    pulses = sent[starts.reshape(-1, 1) + after]
    ones: NDArray[np.bool] = pulses[:, ::2] > pulses[:, 1::2]
    return ones
