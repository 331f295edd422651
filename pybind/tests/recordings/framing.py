"""Framing that several recordings share: what is done with symbols once they are received."""

import binascii
import itertools
from collections.abc import Iterable, Iterator

PROTOCOL_FLAG = "1111110"  # HDLC: six ones between zeros, the first of which two flags may share
PROTOCOL_STUFFED, PROTOCOL_PLAIN = "111110", "11111"
PROTOCOL_OCTET = 8
PROTOCOL_CHECK_START, PROTOCOL_CHECK_GOOD = 0xFFFF, 0x1D0F  # CRC-16 of X.25, over frame and check


def nrzi(levels: Iterable[bool]) -> Iterator[bool]:
    """Give a one for each level that stays, a zero for each that changes."""
    return (before == after for before, after in itertools.pairwise(levels))


def hdlc(bits: Iterable[bool]) -> Iterator[str]:
    """Give the frames whose check is good, without it, in hexadecimal."""
    for part in "".join("01"[bit] for bit in bits).split(PROTOCOL_FLAG):
        sent = part[:-1].replace(PROTOCOL_STUFFED, PROTOCOL_PLAIN)
        count = len(sent) // PROTOCOL_OCTET
        if count > 2 and len(sent) % PROTOCOL_OCTET == 0:
            octets = int(sent, 2).to_bytes(count)  # bits in the order in which the check takes them
            if binascii.crc_hqx(octets, PROTOCOL_CHECK_START) == PROTOCOL_CHECK_GOOD:
                yield int(sent[::-1], 2).to_bytes(count, "little")[:-2].hex()


def remainder(word: int, polynomial: int) -> int:
    """Divide by a polynomial, both with one bit for each power, and give what is left."""
    while (excess := word.bit_length() - polynomial.bit_length()) >= 0:
        word ^= polynomial << excess
    return word
