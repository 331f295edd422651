"""What runs in the worker process of an iterable."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, Literal, NamedTuple, NoReturn

from passband._arena import Arena, Writer
from passband.arena import _placement
from passband.arena._codec import dumps_whole
from passband.arena._errors import ArenaClosed, PassEnded, PeerDied, UnitTooLarge
from passband.arena._failure import describe
from passband.arena._interrupts import let_through
from passband.arena._pipe import Sender

READY = b""
"""What a worker reports when its iterable is made; anything else describes an error."""

# What a shell adds to the number of the signal that ended a process.
_SIGNALLED = 128


class _Interrupted(KeyboardInterrupt):
    """What Ctrl-C raises in a worker, whose code may raise a `KeyboardInterrupt` of its own."""


class Job(NamedTuple):
    """What a worker is to do."""

    fn: Callable[[], Iterable[Any]]
    initializers: Sequence[Callable[[], object]]
    buffer_size: int
    any_size: bool
    """Whether an item without room in the arena goes through the pipe."""


_LEAVING = (SystemExit, _Interrupted)
"""What ends the worker; all else that its code raises goes to the consumer."""


def main(
    arena: Arena,
    job: Job,
    pipe: Connection,
    far_end: Connection | None,
) -> None:
    """Makes the iterable and sends its items, pass after pass, until nobody wants any more."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        let_through(_interrupt)
        if far_end is not None:
            # With a copy of it here, nobody would notice that the consumer has gone.
            far_end.close()
        send = Sender(pipe)
        ready = _start(arena, job, send)
        if ready is not None:
            _serve(*ready, send, any_size=job.any_size)
    except (ArenaClosed, PeerDied, BrokenPipeError):
        pass
    except _Interrupted:
        # The consumer is interrupted as well, or is told by the status.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(_SIGNALLED + signal.SIGINT)


def _interrupt(_number: int, _: FrameType | None) -> NoReturn:
    raise _Interrupted


def _terminate(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    sys.exit(_SIGNALLED + number)


def _start(arena: Arena, job: Job, send: Sender) -> tuple[Writer, Iterable[Any]] | None:
    try:
        writer = arena.open_writer()
        writer.limit_ahead(job.buffer_size)
        writer.be_patient()
        _placement.place_in(writer)
        for initializer in job.initializers:
            initializer()
        iterable = job.fn()
    except _LEAVING:
        raise
    except BaseException as error:
        send(describe(error))
        return None
    send(READY)
    return writer, iterable


def _serve(
    writer: Writer,
    iterable: Iterable[Any],
    pipe: Sender,
    *,
    any_size: bool,
) -> None:
    def put(item: Any) -> None:
        try:
            writer.put(item, pipe=pipe)
        except UnitTooLarge:
            if not any_size:
                raise
            writer._put(dumps_whole(item), [], pipe)

    wanted = 0
    while True:
        wanted = writer.wait_for_pass(wanted, math.inf) or wanted
        writer.begin_pass(wanted)
        kind: Literal["end", "error"] = "end"
        body = b""
        try:
            for item in iterable:
                put(item)
                # It would keep the segment of a unit that was sent.
                del item
        except _LEAVING:
            raise
        except BaseException as error:
            kind, body = "error", describe(error)
        writer.abort_unit()
        # If the error is that the pass has ended, or the arena, this says so again.
        with suppress(PassEnded):
            writer._send(kind, body, pipe)
