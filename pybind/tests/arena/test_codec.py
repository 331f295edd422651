"""What is sent beside the pickle, and how objects come back."""

import array
import copyreg
import datetime
import gc
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from passband.arena import ArenaFull, _codec
from trips import POOL, RING, Trip, everywhere, sizes

BYTES = bytes(range(256)) * 20


@dataclass
class Block:
    """An item as a pipeline has them."""

    samples: Any
    raw: bytes
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A dataclass with a way of its own to be restored."""

    raw: bytes


Pair = namedtuple("Pair", "first second")


class Slots:
    """Attributes in slots."""

    __slots__ = ("raw",)


class Decoder:
    """Restores itself by what only `bytes` can do."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def __getstate__(self) -> dict[str, Any]:
        return {"parts": [self.raw, {"more": self.raw}]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.raw = state["parts"][0]
        assert state["parts"][1]["more"].hex()


class Tabled:
    """Pickled by a function of a table."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw.lower()


copyreg.pickle(Tabled, lambda obj: (Tabled, (obj.raw,)))


def function() -> int:
    """A function to be sent by its name."""
    return 7


@everywhere
@pytest.mark.parametrize(
    "obj",
    [
        None,
        7,
        2**100,
        "text" * 3000,
        b"few",
        bytearray(b"few"),
        [1, [2.5, (3j, {4})], {"five": frozenset({6})}],
        OrderedDict(a=1),
        defaultdict(list, a=[1]),
        deque([1, 2], maxlen=3),
        Fraction(1, 3),
        datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
        range(5),
        function,
        Block,
        int,
        len,
        Ellipsis,
        array.array("d", [0.5] * 3000),
        ValueError("text", b"bytes" * 3000),
    ],
    ids=lambda obj: type(obj).__name__,
)
def test_what_has_no_binaries_comes_back_as_from_pickle(trip: Trip, obj: Any) -> None:
    there = trip({"obj": obj})["obj"]
    assert type(there) is type(obj)
    assert repr(there) == repr(obj)


@everywhere
def test_containers_and_dataclasses_come_back(trip: Trip) -> None:
    x = np.arange(3000.0)
    item = Block(x, BYTES, {"pair": Pair(x[:1500], 1), "list": [x, (x, {"x": x})]})
    there = trip(item)
    assert type(there) is Block
    assert (there.samples == x).all()
    assert there.raw == BYTES
    assert type(there.notes["pair"]) is Pair
    assert (there.notes["pair"].first == x[:1500]).all()
    again = there.notes["list"]
    assert again[0] is again[1][0] is again[1][1]["x"] is there.samples


@everywhere
def test_a_cycle_comes_back(trip: Trip) -> None:
    item: dict[str, Any] = {"x": np.arange(3000)}
    item["me"] = [item]
    there = trip(item)
    assert there["me"][0] is there


def test_the_threshold() -> None:
    assert (
        sizes([b"x" * 4095, bytearray(4095), np.zeros(4095, "u1"), memoryview(bytes(4095))]) == []
    )
    assert (
        sizes([b"x" * 4096]) == sizes(bytearray(4096)) == sizes(memoryview(bytes(4096))) == [4096]
    )
    assert sizes({"x": np.zeros((2, 1024), "u2")}) == [4096]


def test_the_pickle_stays_small() -> None:
    body, leaves = _codec.dumps({"x": np.zeros(1 << 20), "raw": BYTES, "i": 1})
    assert len(body) < 200
    assert leaves[1] is BYTES


def test_bytes_from_a_pool_are_read_only_views() -> None:
    there = POOL([BYTES, Block(None, BYTES + b"!", {BYTES: 1})])
    assert type(there[0]) is type(there[1].raw) is memoryview
    assert there[0] == BYTES
    assert there[0].readonly
    assert there[1].raw == BYTES + b"!"
    assert there[1].notes[BYTES] == 1


def test_a_bytearray_from_a_pool_is_a_writable_view() -> None:
    given = bytearray(BYTES)
    there = POOL([given, given])
    assert type(there[0]) is memoryview
    assert there[0] is there[1]
    there[0][0] = 99
    assert there[0] == b"\x63" + BYTES[1:]
    assert given == BYTES


def test_bytes_as_copy_gives_the_types_that_were_sent() -> None:
    there = POOL([BYTES, bytearray(BYTES)], bytes_as="copy")
    assert there == [BYTES, bytearray(BYTES)]
    assert [type(one) for one in there] == [bytes, bytearray]
    with pytest.raises(ValueError, match="bytes_as"):
        POOL(1, bytes_as="bytes")


def test_bytes_from_a_ring_are_what_they_were() -> None:
    there = RING([BYTES, bytearray(BYTES), Block(None, BYTES)])
    assert [type(one) for one in (*there[:2], there[2].raw)] == [bytes, bytearray, bytes]
    assert there == [BYTES, bytearray(BYTES), Block(None, BYTES)]


@everywhere
@pytest.mark.parametrize(
    "obj",
    [Sealed(BYTES), Decoder(BYTES), Tabled(BYTES), Pair(BYTES, 1), ValueError(BYTES)],
    ids=lambda obj: type(obj).__name__,
)
def test_functions_that_restore_get_real_bytes(trip: Trip, obj: Any) -> None:
    assert sizes(obj) == [len(BYTES)]
    there = trip(obj)
    assert type(there) is type(obj)
    raw = there.args[0] if isinstance(there, ValueError) else getattr(there, "raw", there)
    raw = raw.first if isinstance(raw, Pair) else raw
    assert type(raw) is bytes
    assert raw == (BYTES.lower() if isinstance(obj, Tabled) else BYTES)


def test_attributes_in_slots_are_views_like_others() -> None:
    item = Slots()
    item.raw = BYTES  # type: ignore[attr-defined]
    assert type(POOL(item).raw) is memoryview


MEMORYVIEWS = {
    "bytes": memoryview(BYTES),
    "bytearray": memoryview(bytearray(BYTES)),
    "few": memoryview(b"few"),
    "none": memoryview(b""),
    "every second": memoryview(bytearray(BYTES))[::2],
    "backwards": memoryview(BYTES)[::-1],
    "cast": memoryview(BYTES).cast("i"),
    "in two dimensions": memoryview(BYTES).cast("h", (64, 40)),
    "rows": memoryview(np.arange(6000.0).reshape(60, 100))[::2],
    "a scalar": memoryview(np.array(2.5)),
    "no rows": memoryview(np.zeros((0, 3))),
    "Fortran's order": memoryview(np.asfortranarray(np.arange(6000.0).reshape(60, 100))),
    "complex": memoryview(np.arange(3000) * 1j),
    "half": memoryview(np.arange(3000, dtype="f2")),
    "fields": memoryview(np.zeros(1000, [("a", "<i4"), ("b", ">f8")])),
    "swapped": memoryview(np.arange(3000, dtype=">u4")),
}


@everywhere
@pytest.mark.parametrize("name", MEMORYVIEWS)
def test_memoryviews(trip: Trip, name: str) -> None:
    given = MEMORYVIEWS[name]
    there = trip([given])[0]
    assert type(there) is memoryview
    assert (there.format, there.shape) == (given.format, given.shape)
    assert there.readonly == given.readonly
    assert there.tobytes() == given.tobytes()


def test_views_of_one_bytearray_share_their_bytes() -> None:
    raw = bytearray(BYTES)
    item = [raw, memoryview(raw)[100:], np.frombuffer(raw, "u1")[::2]]
    assert sizes(item) == [len(BYTES)]
    for trip in (POOL, RING):
        there = trip(item)
        there[0][200] = 77
        assert there[1][100] == there[2][100] == 77


@everywhere
def test_buffers_of_protocol_5_are_sent(trip: Trip) -> None:
    class_ = Buffers(BYTES, bytearray(BYTES))
    assert sizes(class_) == [len(BYTES)] * 2
    there = trip(class_)
    assert bytes(there.first) == bytes(there.second) == BYTES
    assert memoryview(there.first).readonly
    assert not memoryview(there.second).readonly


class Buffers:
    """A class that knows of pickle's protocol 5."""

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second

    def __reduce_ex__(self, protocol: Any) -> Any:
        assert protocol == 5
        return Buffers, (pickle.PickleBuffer(self.first), pickle.PickleBuffer(self.second))


def test_what_cannot_be_pickled_leaves_the_writer_as_it_was() -> None:
    with POOL.arena() as arena:
        writer, reader = arena.open_writer(), arena.open_reader()
        for _ in range(5):
            with pytest.raises((pickle.PicklingError, AttributeError)):
                writer.put([np.zeros(3000), lambda: None])
        writer.put([np.ones(3000)])
        assert reader.get(timeout=10)[0].sum() == 3000


class Nested:
    """Uses the codec while it is pickled."""

    def __reduce__(self) -> Any:
        body, _ = _codec.dumps([1, 2, np.arange(5)])
        return _codec.loads, (body, [], True)


def test_the_codec_may_be_used_within_itself() -> None:
    there = POOL([np.zeros(3000), Nested(), np.ones(3000)])
    assert (there[1][2] == np.arange(5)).all()
    assert (there[2] == 1).all()


def test_threads_do_not_meet() -> None:
    wrong = []

    def run(number: int) -> None:
        for length in range(1, 400):
            body, _ = _codec.dumps({"n": number, "x": np.full(length, number)})
            there = _codec.loads(body, [], True)
            if there["n"] != number or (there["x"] != number).any() or len(there["x"]) != length:
                wrong.append(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_nothing_sent_is_kept() -> None:
    class Array(np.ndarray):
        """One that counts."""

        alive = 0

        def __del__(self) -> None:
            Array.alive -= 1

    for large in (False, True):
        kept = np.zeros(3000).view(Array)
        Array.alive = 1
        item = {"view": np.asarray(kept), "more": list(range(50_000 if large else 1))}
        _codec.dumps(item)
        del kept, item
        gc.collect()
        assert Array.alive == 0


class Fails:
    """Cannot be restored."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __reduce__(self) -> Any:
        return Fails.fail, (self.array,)

    @staticmethod
    def fail(array: Any) -> None:
        """Raises, with the array in its frame."""
        raise LookupError("not today")


def test_a_failed_restore_names_the_unit_and_what_escapes_holds_it() -> None:
    with POOL.arena() as arena:
        writer, reader = arena.open_writer(), arena.open_reader()
        writer.put([np.zeros(3000)])
        reader.get(timeout=10)
        writer.put([np.full(3000, 7.0), Fails(np.ones(3000))])
        with pytest.raises(LookupError, match="not today") as caught:
            reader.get(timeout=10)
        assert any(f"unit 1 of arena {arena.id}" in note for note in caught.value.__notes__)
        escaped = caught.traceback[-1].frame.f_locals["array"]
        del caught
        gc.collect()
        writer.put([np.zeros(3000)])
        reader.get(timeout=10)
        with pytest.raises(ArenaFull, match="unit 1"):
            writer.put([np.zeros(3000)])
        assert (escaped == 1).all()
        del escaped
        gc.collect()
        writer.put([np.zeros(3000)])


def test_no_module_is_imported_before_it_is_needed() -> None:
    script = """
import sys
from passband.arena import _codec
body, leaves = _codec.dumps({"raw": b"x" * 5000, "view": memoryview(bytearray(5000)), "i": 1})
assert bytes(_codec.loads(body, leaves, True)["raw"]) == b"x" * 5000
print(*{"numpy", "torch"} & set(sys.modules))
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.stdout, ran.stderr) == ("\n", "")
