"""h04: a radio switch (EnOcean): ASK on a carrier that never quite ceases, telegrams by ERP1.

Only passband kernels touch the samples; what is done with pulses is framing.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from passband import LevelMeter, MovingAverage, PulseSlicer
from passband.io import Samples, open_recording
from passband.math import magnitude

RECORDING = "h04_ask_enocean.cf32"
FORMAT = "cf32"
RATE = 5_000_000

PROTOCOL_BIT = RATE // 125_000  # samples
PROTOCOL_SMOOTH = PROTOCOL_BIT // 4  # samples: leaves half of a bit undisturbed
PROTOCOL_PAUSE = 20 * PROTOCOL_BIT  # samples before the first telegram, at least
PROTOCOL_START = "01010101001"  # a preamble, whose first bit is a pause, and 1001
PROTOCOL_OCTET = "(?=..(?:01|10)..(?:01|10))(...).(...).(..)"  # bits 5 and 2 are sent inverted too
PROTOCOL_TELEGRAM = f"{PROTOCOL_START}((?:{PROTOCOL_OCTET}01)*{PROTOCOL_OCTET}10)"  # then a pause
PROTOCOL_CHECK = 16  # the last digit is the sum of all others, modulo this


def test_all_telegrams_are_received(recording: Path, truth: dict[str, Any]) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    (sent,) = envelope(found.blocks())
    received = list(telegrams(line(pulses([sent], threshold(sent)))))
    assert received == truth[RECORDING]["check"]["telegrams"]
    assert all(map(is_good, received))


def test_blocks_do_not_matter(recording: Path, block: int) -> None:
    found = open_recording(recording, format=FORMAT, rate=RATE)
    (sent,) = envelope(found.blocks())
    cut = pulses(envelope(found.blocks(block)), threshold(sent))
    assert np.array_equal(pulses([sent], threshold(sent)), cut)


def envelope(blocks: Iterable[Samples]) -> Iterator[NDArray[np.float32]]:
    """Give the smoothed magnitude, block by block."""
    smooth = MovingAverage(PROTOCOL_SMOOTH)
    return (smooth.steps(magnitude(block)) for block in blocks)


def threshold(sent: NDArray[np.float32]) -> float:
    """Give twice the level to which the carrier falls, as it is before the first telegram."""
    return 2 * LevelMeter().measure(sent[PROTOCOL_SMOOTH:PROTOCOL_PAUSE]).rms


def pulses(blocks: Iterable[NDArray[np.float32]], level: float) -> NDArray[np.void]:
    """Give the pulses of the carrier."""
    slicer = PulseSlicer(level, level)
    return np.concatenate([*(slicer.detect(block) for block in blocks), slicer.flush()])


def line(found: NDArray[np.void]) -> str:
    """Give the bits on the line: the carrier is a zero, a gap is a one."""
    return "".join(
        "1" * round(gap / PROTOCOL_BIT) + "0" * round(width / PROTOCOL_BIT)
        for gap, width in zip(found["gap"].tolist(), found["width"].tolist(), strict=True)
    )


def telegrams(bits: str) -> Iterator[str]:
    """Give the octets of each telegram in hexadecimal."""
    for telegram in re.finditer(PROTOCOL_TELEGRAM, bits):
        octets = re.findall(PROTOCOL_OCTET + "..", telegram[1])
        yield "".join(f"{int(''.join(octet), 2):02x}" for octet in octets)


def is_good(telegram: str) -> bool:
    """Tell whether the checksum is right."""
    total = 0
    for digit in telegram[:-1]:
        total += int(digit, PROTOCOL_CHECK)
    return total % PROTOCOL_CHECK == int(telegram[-1], PROTOCOL_CHECK)
