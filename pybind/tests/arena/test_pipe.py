"""`pipe=`: the carrier of envelopes that have no room in the arena."""

import threading
import time
from collections.abc import Callable
from multiprocessing import Pipe
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from passband.arena._pipe import Receiver, Sender

# Neither fits a record, nor lies in a segment by itself.
LONG = "x" * 10_000


def ends(**options: Any) -> tuple[arena.Writer, arena.Reader]:
    """Both ends of a pool."""
    pool = arena.SharedMemorySegmentPool(**{"segment_size": 1 << 13, "count": 2, **options})
    return pool.open_writer(), pool.open_reader()


def with_unit() -> Any:
    """An object that fills its unit, and whose envelope finds no room beside it."""
    return [np.arange(1 << 13, dtype=np.uint8), LONG]


def refuses(_: bytes) -> None:
    raise OSError("no way")


@pytest.mark.parametrize("send", ["put", "_put", "_send"])
def test_what_is_no_function_is_refused_before_anything_changes(send: str) -> None:
    writer, reader = ends()
    arguments: dict[str, tuple[Any, ...]] = {
        "put": (LONG,),
        "_put": (b"", []),
        "_send": ("end", b""),
    }
    with pytest.raises(TypeError, match="^pipe: expected a function or None, given 3"):
        getattr(writer, send)(*arguments[send], pipe=3)
    with pytest.raises(TypeError, match="^pipe: expected a function or None, given 3"):
        reader.get(0, pipe=3)  # type: ignore[arg-type]
    assert (writer.published, writer.has_unit) == (0, False)


@pytest.mark.parametrize("make", [lambda: LONG, with_unit], ids=["without a unit", "with a unit"])
def test_what_a_pipe_refuses_is_not_sent_and_the_writer_goes_on(make: Callable[[], Any]) -> None:
    writer, reader = ends()
    for _ in range(5):
        with pytest.raises(OSError, match="no way"):
            writer.put(make(), pipe=refuses)
        assert (writer.published, writer.has_unit) == (0, False)
    aside: list[bytes] = []
    writer.put("short")
    writer.put(make(), pipe=aside.append)
    assert reader.get() == "short"
    assert str(reader.get(pipe=aside.pop)) == str(make())
    assert (aside, reader.delivered) == ([], 2)


def test_a_pipe_that_refuses_an_error_of_the_stream_leaves_it_as_it_was() -> None:
    writer, reader = ends()
    with pytest.raises(OSError, match="no way"):
        writer._send("error", bytes(5000), refuses)
    assert writer.published == 0
    writer.put(1)
    assert reader.get() == 1


@pytest.mark.parametrize("make", [lambda: LONG, with_unit], ids=["without a unit", "with a unit"])
def test_a_pipe_may_hold_less_than_an_envelope(make: Callable[[], Any]) -> None:
    writer, reader = ends(segment_size=1 << 13)
    receive, send = Pipe(duplex=False)
    sent = [make(), "short", [make(), "y" * (1 << 20)]]

    def write() -> None:
        for item in sent:
            writer.put(item, pipe=send.send_bytes)

    thread = threading.Thread(target=write)
    thread.start()
    for item in sent:
        # It neither waits for ever, nor misses what is on its way when it only looks.
        got = None
        while got is None:
            try:
                got = reader.get(0, pipe=receive.recv_bytes)
            except TimeoutError:
                continue
        assert str(got) == str(item)
        del got
    thread.join()


def test_bytes_that_came_before_their_unit_are_kept_for_it() -> None:
    writer, reader = ends()
    taken = threading.Event()
    calls: list[bytes] = []

    def carry(envelope: bytes) -> None:
        calls.append(envelope)
        # Until the reader has come for it, and waits for the unit itself.
        assert taken.wait(10)

    def bring() -> bytes:
        taken.set()
        return calls[0]

    thread = threading.Thread(target=writer.put, args=(LONG,), kwargs={"pipe": carry})
    thread.start()
    assert reader.get(pipe=bring) == LONG
    thread.join()
    assert len(calls) == 1


def test_a_unit_without_its_envelope_stays_the_next_one() -> None:
    writer, reader = ends()
    aside: list[bytes] = []
    writer.put(LONG, pipe=aside.append)
    writer.put("short")

    def fails() -> bytes:
        raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(arena.EndpointError, match="by a way of its own: give the pipe"):
            reader.get()
        with pytest.raises(TypeError, match="^pipe: expected a function that gives bytes, given"):
            reader.get(pipe=lambda: "text")  # type: ignore[arg-type,return-value]
        with pytest.raises(KeyboardInterrupt):
            reader.get(pipe=fails)
        with pytest.raises(TimeoutError):
            reader.get(0.05, pipe=lambda: None)
        assert reader.delivered == 0
    assert reader.get(pipe=aside.pop) == LONG
    assert reader.get() == "short"


def test_an_envelope_of_another_unit_ends_the_one_that_is_read() -> None:
    writer, reader = ends()
    aside: list[bytes] = []
    writer.put(LONG, pipe=aside.append)
    writer.put("short")
    with pytest.raises(arena.ArenaCorrupt):
        reader.get(pipe=lambda: b"another")
    assert reader.get() == "short"


def test_another_attempt_at_a_unit_brings_its_own_envelope() -> None:
    writer, reader = ends()
    came, went = threading.Event(), threading.Event()
    aside: list[bytes] = []

    def fails(envelope: bytes) -> None:
        aside.append(envelope)
        assert came.wait(10)
        raise OSError("half-way")

    def carry(envelope: bytes) -> None:
        aside.append(envelope)
        # No room: the reader has to come for it.
        assert went.wait(10)

    def write() -> None:
        with pytest.raises(OSError, match="half-way"):
            writer.put(LONG, pipe=fails)
        writer.put(LONG + "again", pipe=carry)

    def bring() -> bytes | None:
        if not aside:
            time.sleep(0.01)
            return None
        (went if came.is_set() else came).set()
        return aside.pop()

    thread = threading.Thread(target=write)
    thread.start()
    assert reader.get(10, pipe=bring) == LONG + "again"
    thread.join()


def test_without_a_pipe_the_error_says_what_there_is_room_for() -> None:
    writer, _ = ends()
    with pytest.raises(arena.UnitTooLarge, match="^record exceeds the 928 bytes .* a pipe$"):
        writer._send("error", bytes(5000))
    with pytest.raises(arena.UnitTooLarge, match=r"^unit exceeds segment_size \(8192\)"):
        writer.put(LONG)


def test_a_message_that_is_given_up_leaves_the_next_one_whole() -> None:
    end, far_end = Pipe(duplex=False)
    receive, send = Receiver(end), Sender(far_end)
    assert receive() is None
    for message in (b"", b"short", bytes(range(256)) * 100):
        send(message)
        assert receive() == message
    # As an exception leaves it behind.
    send._pipe = Stopping(far_end, after=3)  # type: ignore[assignment]
    with pytest.raises(InterruptedError):
        send(bytes(50_000))
    send._pipe = far_end
    assert receive() is None
    send(b"whole")
    assert receive() == b"whole"
    far_end.close()
    with pytest.raises(EOFError):
        receive()


class Stopping:
    """An end of a pipe that is interrupted after so many pieces."""

    def __init__(self, end: Any, after: int) -> None:
        self.end, self.left = end, after

    def send_bytes(self, piece: bytes) -> None:
        """Sends a piece, or is interrupted."""
        if not self.left:
            raise InterruptedError
        self.left -= 1
        self.end.send_bytes(piece)


def test_a_receiver_whose_pipe_is_closed_by_another_thread_has_no_sender() -> None:
    receive, _send = Pipe(duplex=False)
    threading.Timer(0.05, receive.close).start()
    with pytest.raises(EOFError):
        list(iter(Receiver(receive), b"never sent"))
