"""`pipe=`: the carrier of envelopes that have no room in the arena."""

import threading
from collections.abc import Callable
from multiprocessing import Pipe
from typing import Any

import numpy as np
import passband.arena as arena
import pytest

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


def test_a_reader_without_the_pipe_is_told_and_passes_the_unit_over() -> None:
    writer, reader = ends()
    writer.put(LONG, pipe=[].append)
    writer.put("short")
    with pytest.raises(arena.EndpointError, match="by a way of its own: give the pipe"):
        reader.get()
    assert reader.get() == "short"
    writer.put(LONG, pipe=[].append)
    with pytest.raises(TypeError, match="^pipe: expected a function that gives bytes, given"):
        reader.get(pipe=lambda: "text")  # type: ignore[arg-type,return-value]


def test_without_a_pipe_the_error_says_what_there_is_room_for() -> None:
    writer, _ = ends()
    with pytest.raises(arena.UnitTooLarge, match="^record exceeds the 928 bytes .* a pipe$"):
        writer._send("error", bytes(5000))
    with pytest.raises(arena.UnitTooLarge, match=r"^unit exceeds segment_size \(8192\)"):
        writer.put(LONG)
