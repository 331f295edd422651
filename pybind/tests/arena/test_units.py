"""Units of a writer: whose they are, and how many bytes they may have."""

from collections.abc import Callable
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from workers import make_pool, make_ring

END: dict[str, Callable[[arena.Writer, arena.Unit], object]] = {
    "committed": lambda _, unit: unit.commit(),
    "aborted": lambda _, unit: unit.abort(),
    "committed by the writer": lambda writer, _: writer.commit_unit(),
    "aborted by the writer": lambda writer, _: writer.abort_unit(),
    "reset": lambda writer, _: writer.reset(),
    "sent by put": lambda writer, _: writer.put(b""),
    "ended by another pass": lambda writer, _: writer.begin_pass(0),
}
USE: dict[str, Callable[[arena.Unit], object]] = {
    "write": lambda unit: unit.write(b"late"),
    "empty": lambda unit: unit.empty(3),
    "commit": lambda unit: unit.commit(),
    "abort": lambda unit: unit.abort(),
}


@pytest.mark.parametrize("end", END)
@pytest.mark.parametrize("use", USE)
def test_a_unit_that_has_ended_does_nothing_to_the_next_one(use: str, end: str) -> None:
    pool = make_pool()
    writer, reader = pool.open_writer(), pool.open_reader()
    ended = writer.begin_unit()
    END[end](writer, ended)
    sent = writer.published
    with pytest.raises(arena.EndpointError, match="was sent or given up: begin another one"):
        USE[use](ended)
    unit = writer.begin_unit()
    place = unit.write(b"next")
    with pytest.raises(arena.EndpointError, match="was sent or given up: begin another one"):
        USE[use](ended)
    assert writer.has_unit
    ticket = unit.commit()
    assert ticket.unit == sent
    while reader.delivered < sent:
        reader.read_binary(0, 0)
        reader.reset()
    assert bytes(reader.read_binary(*place)) == b"next"
    assert ticket.nbytes == 4


@pytest.mark.parametrize("make", [make_pool, make_ring], ids=["pool", "ring"])
def test_a_unit_has_the_bytes_that_it_was_begun_with(make: Callable[[], Any]) -> None:
    pool = make()
    writer, reader = pool.open_writer(), pool.open_reader()
    unit = writer.begin_unit(100)
    unit.write(b"x" * 30)
    text = r"exceeds the nbytes that it was begun with \(100\): it needs 101 bytes"
    for data in (b"y" * 37, np.zeros(37, np.uint8)):
        with pytest.raises(arena.UnitTooLarge, match=text):
            unit.write(data)
    with pytest.raises(arena.UnitTooLarge, match=r"begun with \(100\): it needs 2\d\d\d bytes"):
        unit.commit(b"z" * 2000)
    place = unit.write(b"y" * 36)
    assert unit.commit().nbytes == 100
    assert bytes(reader.read_binary(*place)) == b"y" * 36


def test_arrays_in_a_unit_count_and_a_unit_without_nbytes_has_its_segment() -> None:
    writer = make_pool().open_writer()
    unit = writer.begin_unit(100)
    with pytest.raises(arena.UnitTooLarge, match=r"begun with \(100\): it needs 104 bytes"):
        unit.empty(26)
    unit.empty(25)
    unit.abort()
    for begin in (writer.begin_unit, lambda: writer.empty(1)):
        begin()
        writer.empty((1 << 16) - 64, "u1")
        with pytest.raises(arena.UnitTooLarge, match=r"segment_size \(65536\)"):
            writer.empty(65, "u1")
        writer.abort_unit()


@pytest.mark.parametrize(
    "make", [make_ring, lambda: make_pool(count=1)], ids=["ring", "one segment"]
)
def test_what_cannot_be_placed_opens_no_unit(make: Callable[[], Any]) -> None:
    pool = make()
    writer, reader = pool.open_writer(), pool.open_reader()
    with pytest.raises(arena.EndpointError, match="nothing can be placed in a"):
        writer.empty(3)
    assert not writer.has_unit
    writer.put(1)
    assert reader.get() == 1
