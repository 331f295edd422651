"""A pipe for messages of any length that are given up half-way as safely as they arrive."""

from __future__ import annotations

import itertools
import select
import struct
from multiprocessing.connection import Connection

# Before each piece: the number of its message, and the bytes of that which come after the piece.
_HEAD = struct.Struct("<QQ")
# A connection writes the length of a piece before it. So many bytes are written all or not at all,
# and whoever sees the first of them need not wait for the rest.
_PIECE = select.PIPE_BUF - 4 - _HEAD.size
# Seconds after which a receiver looks up from a pipe in which nothing arrives.
_GLANCE = 0.02


class Sender:
    """Sends messages in pieces; an exception meanwhile leaves the rest of one out."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._numbers = itertools.count()

    def __call__(self, message: bytes) -> None:
        """Sends a message, as the receiver takes it."""
        number, view = next(self._numbers), memoryview(message)
        for start in range(0, max(len(view), 1), _PIECE):
            piece = view[start : start + _PIECE]
            left = len(view) - start - len(piece)
            self._pipe.send_bytes(b"".join((_HEAD.pack(number, left), piece)))


class Receiver:
    """Receives what a `Sender` sends, and forgets what it left unfinished."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._number = -1
        self._pieces: list[bytes] = []

    def __call__(self) -> bytes | None:
        """Gives the next message, or None where no more of it arrives for a moment.

        Raises EOFError where the sender has gone, or another thread closes the pipe.
        """
        try:
            return self._message()
        except (OSError, TypeError, ValueError):
            if self._pipe.closed:
                raise EOFError from None
            raise

    def _message(self) -> bytes | None:
        while self._pipe.poll(_GLANCE):
            piece = self._pipe.recv_bytes()
            number, left = _HEAD.unpack_from(piece)
            if number != self._number:
                self._number, self._pieces = number, []
            self._pieces.append(piece[_HEAD.size :])
            if not left:
                message, self._pieces = b"".join(self._pieces), []
                return message
        return None
