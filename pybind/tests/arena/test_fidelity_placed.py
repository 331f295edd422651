"""What lies in the open unit is sent where it lies, in whatever view."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from passband.arena import Export, SharedMemorySegmentPool, bytes_copied
from trips import parts

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


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [str, bytes, "S", "U", "S3", "V", "V5", "(2,)f4", "(2, 3)>i2"])
def test_what_is_placed_has_the_layout_of_numpy(dtype: Any, order: Any) -> None:
    with SharedMemorySegmentPool(4096, 2) as pool:
        placed = pool.open_writer().empty((3, 2), dtype, order)
        plain = np.empty((3, 2), dtype, order)
        assert (placed.dtype, placed.shape) == (plain.dtype, plain.shape)
        assert placed.strides == plain.strides
        if plain.dtype.kind in "SU":
            placed[...] = "a"
            assert (placed == np.full((3, 2), "a", plain.dtype)).all()


def test_what_is_protected_from_its_writer_is_read_only_there() -> None:
    with SharedMemorySegmentPool(4096, 2, debug=True) as pool:
        writer, reader = pool.open_writer(), pool.open_reader()
        writer.put(np.zeros(100))
        assert not reader.get(timeout=10).flags.writeable


def test_a_full_segment_has_its_envelope_in_the_record() -> None:
    with SharedMemorySegmentPool(8192, 2) as pool:
        writer, reader = pool.open_writer(), pool.open_reader()
        whole = np.zeros(8192, "u1")
        # The record has 928 bytes: 16 for the array, the others for what pickle makes.
        for length in range(700, 830):
            writer.put([whole, "s" * length])
            assert reader.get(timeout=10)[1] == "s" * length
