"""Types of the user's own through an arena, by registration and by handlers."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from passband.arena import Export, _registry, register, register_handler
from trips import POOL, Trip, everywhere, sizes


class Frame:
    """Memory in two parts, and something else."""

    def __init__(self, luma: Any, chroma: Any, note: Any = None) -> None:
        self.luma, self.chroma, self.note = luma, chroma, note

    def __reduce__(self) -> Any:
        raise TypeError("a frame is not pickled")


class Packet:
    """Memory in one part."""

    def __init__(self, payload: Any, time: float) -> None:
        self.payload, self.time = payload, time


class LatePacket(Packet):
    """A packet that came late."""


class Packets:
    """Handles packets of any class."""

    kind = "packets"

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.restored: list[tuple[bool, Any]] = []

    def matches(self, obj: Any, threshold: int) -> bool:
        """Whether it is a packet."""
        self.asked.append(threshold)
        return isinstance(obj, Packet)

    def get_buffer(self, obj: Packet) -> tuple[Any, Any]:
        """The payload, not copied."""
        return obj.payload, (type(obj), obj.time)

    def from_buffer(self, buf: memoryview, meta: Any, zero_copy: bool) -> tuple[Packet, Any]:
        """A packet over the buffer."""
        self.restored.append((zero_copy, buf.obj))
        return meta[0](buf, meta[1]), buf


def restored(state: Any, buffers: list[memoryview]) -> Frame:
    """A frame of its parts."""
    return Frame(*buffers, note=state)


@pytest.fixture(autouse=True)
def handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry of the test's own."""
    monkeypatch.setattr(_registry, "_handlers", {})


@everywhere
def test_a_registered_type(trip: Trip) -> None:
    register(Frame, lambda frame: (frame.note, [frame.luma, frame.chroma]), restored)
    luma, note = np.arange(6000.0), {"x": np.arange(5000), "raw": b"r" * 5000}
    frame = Frame(luma, bytearray(b"abc"), note)
    item = {"frame": frame, "again": [frame], "x": note["x"]}
    assert sorted(sizes(item)) == [5000, 5000 * 8, 6000 * 8]
    there = trip(item)
    assert type(there["frame"]) is Frame
    assert there["frame"] is there["again"][0]
    assert (np.frombuffer(there["frame"].luma) == luma).all()
    assert there["frame"].chroma == b"abc"
    assert there["frame"].note["x"] is there["x"]
    assert there["frame"].note["raw"] == b"r" * 5000
    assert (type(there["frame"].luma.obj) is Export) == trip.is_pool


@everywhere
def test_a_handler(trip: Trip) -> None:
    handler = Packets()
    register_handler(handler)
    packet = LatePacket(b"p" * 9000, 0.5)
    there = trip([packet, packet, Packet(b"few", 1.0)])
    assert there[0] is there[1]
    assert type(there[0]) is LatePacket
    assert there[0].payload == b"p" * 9000
    assert (there[2].payload, there[2].time) == (b"few", 1.0)
    assert set(handler.asked) == {4096}
    # Few bytes are no memory of the arena.
    assert [zero_copy for zero_copy, _ in handler.restored] == [trip.is_pool, False]


def test_buffers_share_memory_with_arrays() -> None:
    register(Frame, lambda frame: (None, [frame.luma, frame.chroma]), restored)
    x = np.zeros(6000)
    item = [Frame(x, x[100:200]), x]
    assert sizes(item) == [x.nbytes]
    there = POOL(item)
    there[1][100] = 7
    assert there[0].luma.cast("d")[100] == there[0].chroma.cast("d")[0] == 7


def test_buffers_with_gaps_are_copied() -> None:
    register(Frame, lambda frame: (None, [frame.luma, frame.chroma]), restored)
    x = np.arange(6000.0)
    there = POOL(Frame(x[::2], x.reshape(60, 100).T))
    assert (np.frombuffer(there.luma) == x[::2]).all()
    assert there.chroma.nbytes == x.nbytes


def test_a_type_of_the_main_module_in_a_child(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        """
import multiprocessing
from passband import arena

class Own:
    def __init__(self, raw):
        self.raw = raw

arena.register(Own, lambda own: (None, [own.raw]), lambda _, buffers: Own(bytes(buffers[0])))

def send(pool):
    pool.open_writer().put([Own(b"own")])

if __name__ == "__main__":
    pool = arena.SharedMemorySegmentPool(1 << 16, 2)
    reader = pool.open_reader()
    child = multiprocessing.get_context("spawn").Process(target=send, args=(pool,))
    child.start()
    print(reader.get(timeout=30)[0].raw)
    child.join()
"""
    )
    ran = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.stdout, ran.stderr) == ("b'own'\n", "")


def test_the_first_that_matches_has_the_object() -> None:
    handler = Packets()
    register(LatePacket, lambda packet: ("first", [packet.payload]), lambda state, _: state)
    register_handler(handler)
    register(Packet, lambda packet: ("last", [packet.payload]), lambda state, _: state)
    there = POOL([LatePacket(b"a", 0), Packet(b"b", 0)])
    assert there[0] == "first"
    assert type(there[1]) is Packet


def test_kinds_are_unique() -> None:
    register_handler(Packets())
    with pytest.raises(ValueError, match="'packets'"):
        register_handler(Packets())
    register(Frame, lambda frame: (None, []), restored)
    with pytest.raises(ValueError, match="Frame"):
        register(Frame, lambda frame: (None, []), restored)


@pytest.mark.parametrize("cls", [bytes, dict, int, np.ndarray, memoryview])
def test_what_goes_its_own_way_cannot_be_registered(cls: type) -> None:
    with pytest.raises(ValueError, match=f"type: .*{cls.__name__}"):
        register(cls, lambda obj: (None, []), lambda state, buffers: None)


def test_an_unknown_kind_is_named_and_the_next_item_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    register_handler(Packets())
    with POOL.arena() as arena:
        writer, reader = arena.open_writer(), arena.open_reader()
        writer.put([Packet(b"p" * 9000, 0.5)])
        writer.put([np.ones(3000)])
        monkeypatch.setattr(_registry, "_handlers", {})
        with pytest.raises(KeyError, match="'packets'"):
            reader.get(timeout=10)
        assert reader.get(timeout=10)[0].sum() == 3000


def test_what_a_handler_raises_is_raised() -> None:
    def fail(_: Frame) -> Any:
        raise LookupError("no luma")

    register(Frame, fail, restored)
    with pytest.raises(LookupError, match="no luma"):
        POOL([Frame(b"", b"")])


def test_a_type_may_be_registered_while_an_object_is_sent() -> None:
    class Late(Packets):
        def matches(self, obj: Any, threshold: int) -> bool:
            if Frame.__qualname__ not in str(_registry._handlers):
                # As another thread may.
                register(Frame, lambda frame: (None, []), restored)
            return super().matches(obj, threshold)

    register_handler(Late())
    for _ in range(2):
        assert POOL([Exact(), Packet(b"p", 0)])[1].payload == b"p"


class Exact:
    """What nobody matches."""


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        (None, r"to return its state and its buffers, given None [(]NoneType[)]"),
        ((1, 2, 3), r"to return its state and its buffers, given [(]1, 2, 3[)] [(]tuple[)]"),
        ((1, 2), r"a sequence of buffers, given 2 [(]int[)]"),
        ((1, ["x"]), r"memory with the buffer protocol, given 'x' [(]str[)]"),
        ((1, ["x" * 100]), "memory with the buffer protocol, given str$"),
    ],
)
def test_what_offload_returns_is_checked(returned: Any, text: str) -> None:
    register(Frame, lambda _: returned, restored)
    with pytest.raises(TypeError, match=f"^offload of test_registry.Frame: expected {text}"):
        POOL([Frame(b"", b"")])


def test_what_a_handler_returns_is_checked() -> None:
    odd: Any = Packets()
    odd.get_buffer = lambda _: b"alone"
    register_handler(odd)
    with pytest.raises(TypeError, match="^get_buffer of packets: expected to return its memory"):
        POOL([Packet(b"", 0)])
    odd.get_buffer = lambda _: (3, None)
    with pytest.raises(TypeError, match="^get_buffer of packets: expected memory .* given 3"):
        POOL([Packet(b"", 0)])
    odd.get_buffer = lambda _: (b"fine", None)
    odd.from_buffer = lambda *_: "alone"
    with pytest.raises(TypeError, match="^from_buffer of packets: expected to return the object"):
        POOL([Packet(b"", 0)])
