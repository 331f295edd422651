"""h07: a weather balloon (Vaisala RS41): GFSK, 4800 bd, a frame each second, Reed-Solomon coded.

The receiver had demodulated the frequency, and turned it upside down. Only passband kernels touch
the samples; what is done with symbols is framing. Code words are looked at and not mended: at this
signal's strength there is nothing to mend.
"""

from __future__ import annotations

import binascii
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from framing import remainder
from numpy.typing import NDArray
from passband import Chain, DcBlocker, MovingAverage, SymbolSync
from passband.io import Samples, open_recording

RECORDING = "h07_gfsk4k8_rs41_48k_u8.wav"
FORMAT = "wav"
RATE = 48_000

PROTOCOL_SYMBOL = RATE / 4800  # samples
PROTOCOL_BALANCE = 500 * PROTOCOL_SYMBOL  # samples over which whitened bits have no mean
PROTOCOL_FRAME = 320  # octets, each sent from its lowest bit on
PROTOCOL_BITS = 8 * PROTOCOL_FRAME
PROTOCOL_WHITENING = bytes.fromhex(
    "96833e51b14908983205590ef944c6262160c2ea795d6da15469470cdce85cf1"
    "f776827f0799a22c937c3063f5102e61d0bcb4b606aaf423786e3baebf7b4cc1"
)  # is added to a frame, over and over
PROTOCOL_HEADER = bytes.fromhex("8635f44093df1a60")  # without the whitening
PROTOCOL_NUMBER = slice(59, 61)  # octets

PROTOCOL_BLOCKS = 57  # octets before the first block, of a kind, a length, so much data and a check
PROTOCOL_CHECK_START = 0xFFFF  # of the CRC-16 over the data

PROTOCOL_PARITIES = slice(8, 32), slice(32, 56)  # octets at the head of the two code words
PROTOCOL_CODED = 56  # octets before those that alternate between the words
PROTOCOL_ROOTS = 24  # of the code: the first powers of 2
PROTOCOL_FIELD = 0x11D  # the polynomial of its field
PROTOCOL_POWERS = list(
    itertools.accumulate(
        range(254), lambda power, _: remainder(2 * power, PROTOCOL_FIELD), initial=1
    )
)  # of 2, which are all but 0
PROTOCOL_LOGARITHMS = {power: log for log, power in enumerate(PROTOCOL_POWERS)}


def test_all_frames_are_received(
    recording: Path, truth: dict[str, Any], loop_bandwidth: float
) -> None:
    check = truth[RECORDING]["check"]
    found = open_recording(recording, format=FORMAT, rate=RATE)
    received = list(frames(symbols(found.blocks(), loop_bandwidth) < 0))
    numbers = [int.from_bytes(frame[PROTOCOL_NUMBER], "little") for frame in received]
    assert numbers == list(range(check["first"], check["last"] + 1))
    assert len(numbers) == check["frames"]
    good = [frame for frame in received if all(map(is_good, blocks(frame)))]
    assert len(good) == check["all_block_crcs_good"]
    assert all(is_code_word(word) for frame in received for word in words(frame))


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


def frames(sent: NDArray[np.bool]) -> Iterator[bytes]:
    """Give each frame that is there in full, without the whitening."""
    bits = "".join("01"[bit] for bit in sent.tolist())
    header = f"{int.from_bytes(whitened(PROTOCOL_HEADER), 'little'):064b}"[::-1]
    for found in re.finditer(header, bits):
        frame = bits[found.start() : found.start() + PROTOCOL_BITS]
        if len(frame) == PROTOCOL_BITS:
            yield whitened(int(frame[::-1], 2).to_bytes(PROTOCOL_FRAME, "little"))


def whitened(octets: bytes) -> bytes:
    """Add the whitening, or take it off."""
    pairs = zip(octets, itertools.cycle(PROTOCOL_WHITENING), strict=False)
    return bytes(octet ^ white for octet, white in pairs)


def blocks(frame: bytes) -> Iterator[bytes]:
    """Give data and check of each block."""
    start = PROTOCOL_BLOCKS
    while start < PROTOCOL_FRAME:
        stop = start + 2 + frame[start + 1] + 2
        yield frame[start + 2 : stop]
        start = stop


def is_good(block: bytes) -> bool:
    """Tell whether the check of a block is right."""
    check = binascii.crc_hqx(block[:-2], PROTOCOL_CHECK_START)
    return check == int.from_bytes(block[-2:], "little")


def words(frame: bytes) -> Iterator[bytes]:
    """Give the two code words of a frame, the lowest power first."""
    for start, parity in enumerate(PROTOCOL_PARITIES):
        yield frame[parity] + frame[PROTOCOL_CODED:][start::2]


def is_code_word(word: bytes) -> bool:
    """Tell whether a word, as a polynomial, is zero at all roots of the code."""
    return not any(value(word, root) for root in range(PROTOCOL_ROOTS))


def value(word: bytes, root: int) -> int:
    """Give the value of a polynomial at a power of 2."""
    total = 0
    for octet, power in zip(word, itertools.count(0, root), strict=False):
        if octet:
            log = PROTOCOL_LOGARITHMS[octet] + power
            total ^= PROTOCOL_POWERS[log % len(PROTOCOL_POWERS)]
    return total
