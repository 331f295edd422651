"""h10: a pager network's time beacon: POCSAG, 1200 bd.

The receiver had demodulated the frequency, and turned it upside down. Only passband kernels touch
the samples; what is done with symbols is framing.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from framing import remainder
from numpy.typing import NDArray
from passband import Chain, DcBlocker, MovingAverage, SymbolSync
from passband.io import Samples, open_recording

RECORDING = "h10_pocsag1200_22050.wav"
FORMAT = "wav"
RATE = 22_050

PROTOCOL_SYMBOL = RATE / 1200  # samples
PROTOCOL_WORD = 32  # bits
PROTOCOL_BATCH = 16 * PROTOCOL_WORD  # bits, of eight frames, after the sync word
PROTOCOL_SYNC, PROTOCOL_IDLE = f"{0x7CD215D8:032b}", f"{0x7A89C197:032b}"
PROTOCOL_CODE = 0b11101101001  # the polynomial of the BCH code (31, 21); one bit of parity follows
PROTOCOL_ADDRESS, PROTOCOL_FUNCTION = slice(1, 19), slice(19, 21)
PROTOCOL_MESSAGE, PROTOCOL_CHARACTER = slice(1, 21), ".{7}"


def test_the_page_is_received(
    recording: Path, truth: dict[str, Any], loop_bandwidth: float
) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    low = symbols(found.blocks(), loop_bandwidth) < 0
    (batch,) = batches("".join("01"[bit] for bit in low.tolist()))
    assert all(map(is_code_word, batch))
    assert list(pages(batch)) == truth[RECORDING]["check"]["pages"]


def test_blocks_do_not_matter(recording: Path, loop_bandwidth: float, block: int) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    whole, cut = (symbols(found.blocks(size), loop_bandwidth) for size in (found.length, block))
    assert np.array_equal(whole, cut)


def symbols(blocks: Iterable[Samples], loop_bandwidth: float) -> NDArray[np.float32]:
    """Give the frequency at the middle of each symbol."""
    receiver = Chain(
        [
            DcBlocker(1 - 1 / (PROTOCOL_SYMBOL * PROTOCOL_BATCH)),
            MovingAverage(round(PROTOCOL_SYMBOL)),
            SymbolSync(PROTOCOL_SYMBOL, loop_bandwidth),
        ]
    )
    return np.concatenate([receiver.execute(block) for block in blocks])


def batches(bits: str) -> Iterator[list[str]]:
    """Give the words of each batch that is there in full."""
    for sync in re.finditer(PROTOCOL_SYNC, bits):
        sent = bits[sync.end() : sync.end() + PROTOCOL_BATCH]
        if len(sent) == PROTOCOL_BATCH:
            yield [sent[at : at + PROTOCOL_WORD] for at in range(0, len(sent), PROTOCOL_WORD)]


def is_code_word(word: str) -> bool:
    """Tell whether the code's polynomial divides a word, and its ones are even in number."""
    return remainder(int(word, 2) >> 1, PROTOCOL_CODE) == 0 and word.count("1") % 2 == 0


def pages(words: Iterable[str]) -> Iterator[dict[str, object]]:
    """Give address, function and text of each page; the text ends at the first NUL."""
    address, function, message = 0, 0, ""
    for place, word in enumerate([*words, PROTOCOL_IDLE]):
        if word[0] == "1":
            message += word[PROTOCOL_MESSAGE]
            continue
        if message:
            letters = (chr(int(c[::-1], 2)) for c in re.findall(PROTOCOL_CHARACTER, message))
            text = "".join(letters).split("\0")[0]
            yield {"address": address, "function": function, "alpha": text}
        frame = f"{place // 2:03b}"  # the last three bits of an address say in which frame it is
        address = int(word[PROTOCOL_ADDRESS] + frame, 2)
        function = int(word[PROTOCOL_FUNCTION], 2)
        message = ""
