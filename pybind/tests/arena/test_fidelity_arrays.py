"""Arrays come back as they were: type, order and flags, each in as few bytes as it takes."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from passband.arena import Export
from trips import POOL, Trip, everywhere, is_same, sizes


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


def arrived(trip: Trip, given: Any) -> Any:
    """What comes of an array in a list, which is the same."""
    there = trip([given])[0]
    assert is_same(there, given)
    return there


@everywhere
@pytest.mark.parametrize("length", [3, 6000])
@pytest.mark.parametrize("name", TYPES)
def test_types(trip: Trip, name: str, length: int) -> None:
    given = filled(TYPES[name], (length,))
    arrived(trip, given)
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
    there = arrived(trip, given)
    if given.size:
        longer = np.array(given.shape) > 1
        assert (np.array(there.strides)[longer] == np.array(given.strides)[longer]).all()
    assert name == "sparse windows" or all(size <= given.nbytes for size in sizes(given))


@everywhere
@pytest.mark.parametrize("name", GAPS)
def test_gaps_are_not_sent(trip: Trip, name: str) -> None:
    given = GAPS[name]()
    there = arrived(trip, given)
    assert sizes(given) == [given.nbytes]
    order = np.argsort(np.abs(given.strides), kind="stable")
    assert (order == np.argsort(np.abs(there.strides), kind="stable")).all()
    assert (np.sign(there.strides) == np.sign(given.strides)).all()


def test_a_base_is_an_export_and_addresses_are_aligned() -> None:
    for dtype in ("u1", "c16"):
        there = POOL([np.ones(5000, dtype), np.ones(5001, dtype)])
        for array in there:
            assert type(array.base) is Export
            assert array.__array_interface__["data"][0] % 64 == 0
