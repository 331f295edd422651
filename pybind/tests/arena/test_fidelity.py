"""Arrays come back as they were: type, order, aliases, flags, each in as few bytes as it takes."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from numpy.typing import NDArray
from passband.arena import Export, SharedMemorySegmentPool, bytes_copied
from trips import Trip, everywhere, sizes

POOL = Trip("pool")


class Tagged(np.ndarray[Any, Any]):
    """An array with more to it."""

    tag: str = ""

    def __reduce__(self) -> Any:
        return _tagged, (np.asarray(self), self.tag)


def _tagged(array: Any, tag: str) -> Tagged:
    tagged: Tagged = array.view(Tagged)
    tagged.tag = tag
    return tagged


TYPES: dict[str, Any] = {
    **{char: char for char in "?bhilqBHILQefdgFDG"},
    "big-endian": ">f8",
    "dates": "M8[ns]",
    "spans": ">m8[25s]",
    "bytes": "S7",
    "text": "U5",
    "swapped text": ">U5",
    "raw": "V9",
    "fields": [("a", "<i4"), ("b", ">f8"), ("c", "S3", (2,))],
    "aligned fields": np.dtype({"names": ["a", "b"], "formats": ["i1", "f8"]}, align=True),
    "nested fields": [("a", [("b", "f4"), ("c", "M8[D]")])],
    "titles": np.dtype([(("title", "name"), "f4")]),
    "metadata": np.dtype("f4", metadata={"unit": "V"}),
    "bfloat16": ml_dtypes.bfloat16,
    "float8": ml_dtypes.float8_e5m2,
}


def filled(dtype: Any, shape: tuple[int, ...]) -> Any:
    """An array whose bytes are all sorts."""
    array = np.zeros(shape, dtype)
    octets = np.arange(array.nbytes, dtype=np.uint32) % 127 % 2
    array.reshape(-1).view((np.void, array.itemsize))[...] = octets.astype("u1").view(
        (np.void, array.itemsize)
    )
    return array


def is_same(there: Any, given: Any) -> bool:
    """Whether the type, the elements' bytes and the flags of two arrays are the same."""
    return (
        type(there) is type(given)
        and there.dtype == given.dtype
        and there.dtype.fields == given.dtype.fields
        and there.dtype.isalignedstruct == given.dtype.isalignedstruct
        and dict(there.dtype.metadata or {}) == dict(given.dtype.metadata or {})
        and there.shape == given.shape
        and there.tobytes() == given.tobytes()
        and there.flags.writeable == given.flags.writeable
        and there.flags.aligned >= given.flags.aligned
    )


@everywhere
@pytest.mark.parametrize("length", [3, 6000])
@pytest.mark.parametrize("name", TYPES)
def test_types(trip: Trip, name: str, length: int) -> None:
    given = filled(TYPES[name], (length,))
    assert is_same(trip([given])[0], given)
    assert is_same(trip(given), given)
    assert sizes([given]) == ([given.nbytes] if given.nbytes >= 4096 else [])


@everywhere
@pytest.mark.parametrize(
    "obj", [np.array([1, "a", None] * 3000, dtype=object), np.zeros(3000, "O,f")]
)
def test_references_are_pickled(trip: Trip, obj: Any) -> None:
    there = trip({"obj": obj})["obj"]
    assert there.dtype == obj.dtype
    assert there.tolist() == obj.tolist()
    assert sizes(obj) == []


ORDERS: dict[str, Callable[[], Any]] = {
    "C": lambda: np.arange(6000.0).reshape(20, 300),
    "Fortran": lambda: np.asfortranarray(np.arange(6000.0).reshape(20, 300)),
    "axes moved": lambda: np.arange(6000.0).reshape(10, 20, 30).transpose(1, 2, 0),
    "reversed": lambda: np.arange(6000.0)[::-1],
    "reversed in one axis": lambda: np.arange(6000.0).reshape(20, 300)[::-1],
    "a scalar": lambda: np.array(2.5),
    "a large scalar": lambda: np.array(b"x", "S8192"),
    "no elements": lambda: np.zeros((3, 0, 4)),
    "elements without bytes": lambda: np.zeros(5, "V0"),
    "one element": lambda: np.arange(6000.0)[3:4],
    "axes of one": lambda: np.arange(6000.0).reshape(1, 6000, 1)[::-1, :, ::-1],
    "broadcast": lambda: np.broadcast_to(np.arange(1000.0)[:, None], (1000, 50)),
    "windows": lambda: sliding_window_view(np.arange(6000.0), 100),
    "windows with a hop": lambda: sliding_window_view(np.arange(6000.0), 100)[::10],
    "sparse windows": lambda: as_strided(np.arange(6000.0), (9, 3, 2), (4000, 8, 8)),
    "64 axes at most": lambda: np.arange(4096.0).reshape((2,) * 12 + (1,) * 20),
}
GAPS: dict[str, Callable[[], Any]] = {
    "every third": lambda: np.arange(6000.0)[::3],
    "every third, reversed": lambda: np.arange(6000.0)[::-3],
    "a column": lambda: np.arange(60000.0).reshape(600, 100)[:, 7],
    "a crop": lambda: np.arange(60000.0).reshape(600, 100)[100:500, 20:60],
    "a crop, in parts": lambda: np.arange(60000.0).reshape(100, 600).T[500:100:-2, ::3],
    "a field": lambda: np.zeros(6000, [("a", "u1"), ("b", "f8")])["b"],
    "two fields": lambda: np.zeros(6000, "u1,f8,f8")[["f0", "f2"]],
    "the imaginary part": lambda: (np.arange(6000) * 1j).imag,
    "a diagonal": lambda: np.arange(1000000.0).reshape(1000, 1000).diagonal(),
}


@everywhere
@pytest.mark.parametrize("name", ORDERS)
def test_orders(trip: Trip, name: str) -> None:
    given = ORDERS[name]()
    there = trip([given])[0]
    assert is_same(there, given)
    if given.size:
        longer = np.array(given.shape) > 1
        assert (np.array(there.strides)[longer] == np.array(given.strides)[longer]).all()
    assert name == "sparse windows" or all(size <= given.nbytes for size in sizes(given))


@everywhere
@pytest.mark.parametrize("name", GAPS)
def test_gaps_are_not_sent(trip: Trip, name: str) -> None:
    given = GAPS[name]()
    there = trip([given])[0]
    assert is_same(there, given)
    assert sizes(given) == [given.nbytes]
    order = np.argsort(np.abs(given.strides), kind="stable")
    assert (order == np.argsort(np.abs(there.strides), kind="stable")).all()
    assert (np.sign(there.strides) == np.sign(given.strides)).all()


def test_a_base_is_an_export_and_addresses_are_aligned() -> None:
    from passband.arena import Export

    for dtype in ("u1", "c16"):
        there = POOL([np.ones(5000, dtype), np.ones(5001, dtype)])
        for array in there:
            assert type(array.base) is Export
            assert array.__array_interface__["data"][0] % 64 == 0


@everywhere
def test_read_only_arrays_stay_so(trip: Trip) -> None:
    base = np.arange(6000.0)
    frozen = base[:3000]
    frozen.flags.writeable = False
    few = np.arange(3)
    few.flags.writeable = False
    there = trip([base, frozen, few, np.frombuffer(b"x" * 5000, "u1")])
    assert [array.flags.writeable for array in there] == [True, False, False, False]
    there[0][0] = 9
    assert there[1][0] == 9


@everywhere
def test_one_array_twice_is_one_array(trip: Trip) -> None:
    array = np.arange(6000.0)
    few = np.arange(3)
    there = trip({"a": array, "list": [array, few, {"few": few}]})
    assert there["a"] is there["list"][0]
    assert there["list"][1] is there["list"][2]["few"]


@everywhere
def test_views_of_one_base_are_views_of_one_base_again(trip: Trip) -> None:
    base = np.arange(6000.0)
    given = [
        base[5:3000],
        base[::-2],
        base.reshape(60, 100).T,
        base,
        base[10:13],
        base.view("u8")[100],
        base.view("u4")[1:],
        memoryview(base)[4000:],
    ]
    assert sizes(given) == [base.nbytes]
    there = trip(given)
    there[3][...] = np.arange(7, 6007.0)
    base[...] = np.arange(7, 6007.0)
    for one, other in zip(there, given, strict=True):
        if not isinstance(other, np.uint64):
            assert np.array_equal(one, other)


@everywhere
def test_views_that_overlap_without_their_base(trip: Trip) -> None:
    base = np.arange(1_000_000.0)
    given = [base[5000:8000], base[7000:9000], base[100:200]]
    assert sizes(given) == [4000 * 8]
    there = trip(given)
    there[1][500] = -1
    assert there[0][2500] == -1
    assert np.array_equal(there[2], given[2])


@everywhere
def test_few_bytes_alias_as_well(trip: Trip) -> None:
    few = np.arange(10)
    there = trip([few[:5], few, few[::2]])
    there[1][4] = 99
    assert there[0][4] == there[2][2] == 99


def test_a_small_view_does_not_bring_its_base() -> None:
    base = np.zeros((1000, 1000))
    assert sizes([base[3], base[500, ::2]]) == [8000]
    assert sizes(base[500:501, :600]) == [4800]
    columns = [base[:, 0], base[:, 7], base[:, 500:503]]
    assert sorted(sizes(columns)) == [8000, 8000, 24000]
    assert sizes(list(base.T)) == [base.nbytes]


def test_columns_that_touch_each_other_stay_together() -> None:
    base = np.arange(60_000.0).reshape(600, 100)
    there = POOL([base[:, 0:5], base[:, 4:9], base[:, 50]])
    there[0][:, 4] = -1
    assert (there[1][:, 0] == -1).all()
    assert np.array_equal(there[2], base[:, 50])


@everywhere
def test_what_was_aligned_stays_aligned(trip: Trip) -> None:
    octets = np.zeros(9000, "u1")
    start = -octets.__array_interface__["data"][0] % 64
    given = [octets[start + 1 : start + 5000], octets[start + 8 : start + 8008].view("f8")]
    there = trip(given)
    assert there[1].flags.aligned
    there[0][7] = 1
    assert there[1][0] != 0


SUBCLASSES: dict[str, Callable[[], Any]] = {
    "matrix": lambda: np.matrix(np.arange(10000.0).reshape(100, 100)),
    "masked": lambda: np.ma.masked_array(
        np.arange(6000.0), np.arange(6000) % 3 == 0, fill_value=-1
    ),
    "records": lambda: np.rec.fromarrays([np.arange(3000), np.arange(3000.0)], names="a,b"),
    "the user's own": lambda: _tagged(np.arange(6000.0), "tag"),
}


@everywhere
@pytest.mark.parametrize("name", SUBCLASSES)
@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses(trip: Trip, name: str) -> None:
    given = SUBCLASSES[name]()
    there = trip([given, given])
    assert there[0] is there[1]
    assert type(there[0]) is type(given)
    assert there[0].dtype == given.dtype
    assert (there[0] == given).all()
    if isinstance(given, np.ma.MaskedArray):
        assert (there[0].mask == given.mask).all()
        assert there[0].fill_value == given.fill_value
    if isinstance(given, Tagged):
        assert there[0].tag == "tag"


PLACED: dict[str, Callable[[Any], Any]] = {
    "whole": lambda out: out,
    "trimmed": lambda out: out[:5000],
    "every second": lambda out: out[::2],
    "reversed": lambda out: out[::-3],
    "two dimensions": lambda out: out.reshape(60, 100)[5:50, 10:20].T,
    "another type": lambda out: out.view("c16"),
    "several": lambda out: {"a": out[:3000:3], "b": [out[5000:], out.reshape(60, 100)[:, 3]]},
    "a memoryview": lambda out: memoryview(out)[100:3000],
    "a strided memoryview": lambda out: memoryview(out)[::2],
}


@pytest.mark.parametrize("name", PLACED)
def test_what_lies_in_the_open_unit_is_not_copied(name: str) -> None:
    with SharedMemorySegmentPool(1 << 20, 2) as pool:
        writer, reader = pool.open_writer(), pool.open_reader()
        out = writer.empty(6000, "float64")
        out[...] = np.arange(6000.0)
        before = bytes_copied()
        given = PLACED[name](out)
        writer.put([given])
        there = reader.get(timeout=10)[0]
        assert bytes_copied() == before
        for one, other in zip(parts(there), parts(given), strict=True):
            assert np.asarray(one).strides == np.asarray(other).strides
            assert np.array_equal(one, other)
        assert not out.flags.writeable


@pytest.mark.parametrize(
    "given",
    [
        lambda out: out,
        lambda out: [out[3:]],
        lambda out: [out[::2]],
        lambda out: [out[3:], out[:5], out],
        lambda out: [memoryview(out)],
    ],
)
def test_what_lies_in_the_open_unit_is_not_copied_however_short_it_is(
    given: Callable[[NDArray[Any]], Any],
) -> None:
    with SharedMemorySegmentPool(4096, 2) as pool:
        writer, reader = pool.open_writer(), pool.open_reader()
        out = writer.empty(10, "int16")
        out[...] = range(10)
        sent = given(out)
        writer.put(sent)
        there = reader.get(timeout=10)
        for one, other in zip(parts(there), parts(sent), strict=True):
            assert np.array_equal(one, other)
            assert isinstance(one.obj if isinstance(one, memoryview) else one.base, Export)


def test_a_placed_array_and_others_in_one_item() -> None:
    with SharedMemorySegmentPool(1 << 20, 2) as pool:
        writer, reader = pool.open_writer(), pool.open_reader()
        out = writer.empty(6000, "float64")
        out[...] = 1
        before = bytes_copied()
        other = np.full(5000, 2.0)
        writer.put({"out": out, "again": out[3:], "other": other})
        assert bytes_copied() - before == other.nbytes
        there = reader.get(timeout=10)
        there["out"][3] = 9
        assert there["again"][0] == 9
        assert (there["other"] == 2).all()


def test_units_are_sent_on_from_one_arena_to_the_next() -> None:
    first = POOL([np.arange(100_000.0), b"x" * 5000])
    given = [first[0][::100], first[0][5:], first[1]]
    assert sizes([given[0], given[2]]) == [8000, 5000]
    there = POOL(given)
    assert np.array_equal(there[0], np.arange(0, 100_000.0, 100))
    there[1][95] = -1
    assert there[0][1] == -1
    assert there[2] == b"x" * 5000


def parts(obj: Any) -> Iterator[Any]:
    """The arrays, memoryviews and bytes of nested containers, in their order."""
    if isinstance(obj, dict):
        obj = list(obj.values())
    if isinstance(obj, list | tuple):
        for part in obj:
            yield from parts(part)
    elif isinstance(obj, np.ndarray | memoryview | bytes | bytearray):
        yield obj


class Maker:
    """Nested objects at random, with views of a few bases and objects that occur again."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        rng = np.random.default_rng(seed)
        self.bases = [
            rng.integers(0, 256, rng.integers(1, 40_000), "u1")[self.random.choice([0, 0, 8, 3]) :]
            for _ in range(3)
        ]
        self.made: list[Any] = []

    def view(self) -> Any:
        """An array over some of a base."""
        base = self.random.choice(self.bases)
        dtype = np.dtype(
            self.random.choice(["u1", "i2", "f4", "f8", "c16", "u1,f8", "M8[s]", ">i4"])
        )
        start, stop = sorted(self.random.choices(range(len(base) + 1), k=2))
        view = base[start : start + (stop - start) // dtype.itemsize * dtype.itemsize].view(dtype)
        for _ in range(self.random.randrange(3)):
            if view.ndim < 3 and len(view) > 3 and self.random.random() < 0.6:
                rows = self.random.choice([n for n in (2, 3, 5, 7) if len(view) >= n])
                view = view[: len(view) // rows * rows]
                view = view.reshape(rows, -1, *view.shape[1:])
            view = view[:: self.random.choice([1, 1, 2, 3, -1, -2])]
            view = view.transpose(self.random.sample(range(view.ndim), view.ndim))
        if self.random.random() < 0.2:
            view.flags.writeable = False
        return view

    def leaf(self) -> Any:
        """Something with or without bytes of its own."""
        base = self.random.choice(self.bases)
        return self.random.choice(
            [
                self.view,
                self.view,
                self.view,
                lambda: bytes(base),
                lambda: bytearray(base[:10]),
                lambda: memoryview(base)[:: self.random.choice([1, 2, -1])],
                lambda: self.random.choice([None, 7, 2.5, "text", b"few", 1 << 80]),
            ]
        )()

    def obj(self, depth: int = 0) -> Any:
        """An object, maybe one that was made before."""
        if self.made and self.random.random() < 0.2:
            return self.random.choice(self.made)
        kind = self.random.choice(["leaf", "list", "dict", "tuple"]) if depth < 4 else "leaf"
        inner = (
            [self.obj(depth + 1) for _ in range(self.random.randrange(4))] if kind != "leaf" else []
        )
        made = {
            "leaf": self.leaf,
            "list": lambda: inner,
            "tuple": lambda: (*inner, depth),
            "dict": lambda: {f"key {n}": one for n, one in enumerate(inner)},
        }[kind]()
        self.made.append(made)
        return made


def test_random_objects() -> None:
    seeds = range(300)
    print(f"random objects of the seeds {seeds}")
    for seed in seeds:
        given = Maker(seed).obj()
        for trip in (POOL, Trip("ring")):
            try:
                check(trip([given])[0], given)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, {trip}") from error


def check(there: Any, given: Any) -> None:
    """Asserts that the parts are the same, and shared among each other as those given are."""
    ours, theirs = list(parts(there)), list(parts(given))
    for one, other in zip(ours, theirs, strict=True):
        if isinstance(other, np.ndarray):
            assert is_same(one, other)
        else:
            assert bytes(one) == bytes(other)
    for n, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        for another, yet_another in zip(ours[:n], theirs[:n], strict=True):
            assert (one is another) == (other is yet_another)
            if isinstance(other, np.ndarray) and isinstance(yet_another, np.ndarray):
                share = np.shares_memory(other, yet_another)
                assert not share or np.shares_memory(one, another)
                assert share or not np.shares_memory(one, another)
                if share:
                    assert distance(one, another) == distance(other, yet_another)


def distance(one: Any, other: Any) -> int:
    """The bytes from the first element of one array to that of another."""
    address: int = other.__array_interface__["data"][0]
    return address - int(one.__array_interface__["data"][0])
