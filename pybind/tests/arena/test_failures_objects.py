"""Failures 34 and 34b: what is sent is what arrives, and counts are right without a lock."""

import pickle
import sys
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from harness import run


class Labelled(np.ndarray):
    """A subclass of an array."""


RECORD = np.dtype([("time", "<i8"), ("value", ">f4", (2,)), ("name", "U3")], align=True)
ARRAYS = {
    "structured": np.zeros(300, RECORD),
    "datetime64": np.arange("2020-01-01", "2024-01-01", dtype="datetime64[D]"),
    "big-endian": np.arange(2000, dtype=">i4"),
    "Fortran's order": np.asfortranarray(np.arange(6000.0).reshape(60, 100)),
    "objects": np.array([{"a": 1}, None] * 500, dtype=object),
    "a subclass": np.arange(2000.0).view(Labelled),
}


def through(obj: Any) -> Any:
    """What arrives of an object; the views of it keep the unit."""
    with arena.SharedMemorySegmentPool(1 << 20, 2) as pool:
        writer, reader = pool.open_writer(), pool.open_reader()
        writer.put(obj, pipe=(aside := []).append)
        return reader.get(pipe=aside.pop)


@pytest.mark.parametrize("kind", ARRAYS)
def test_failure_34_arrays_of_every_kind_arrive_as_they_were(kind: str) -> None:
    sent = ARRAYS[kind]
    for got in (through(sent), through({"inside": sent})["inside"]):
        assert type(got) is type(sent)
        assert got.dtype == sent.dtype
        assert got.shape == sent.shape
        assert got.flags.f_contiguous == sent.flags.f_contiguous or not sent.flags.f_contiguous
        np.testing.assert_array_equal(got, sent)


def test_failure_34_aliases_within_an_item_stay_aliases() -> None:
    array = np.zeros((100, 100))
    first, second, row = through([array, array, array[3]])
    assert first is second
    row[:] = 7
    assert (first[3] == 7).all()
    assert first.sum() == 700


def test_failure_34_flags_and_alignment_are_kept() -> None:
    array = np.arange(5000, dtype=np.int8)
    frozen = array.copy()
    frozen.flags.writeable = False
    got = through({"odd": np.arange(4097, dtype=np.int8), "a": array, "frozen": frozen})
    assert got["a"].flags.writeable
    assert not got["frozen"].flags.writeable
    assert all(value.ctypes.data % 64 == 0 for value in got.values())


def test_failure_34_what_was_received_can_be_pickled_copied_and_sent_on() -> None:
    received = through({"array": np.arange(3000), "bytes": b"x" * 5000})
    again = pickle.loads(pickle.dumps(received["array"]))
    assert (again == np.arange(3000)).all()
    assert again.base is None or not isinstance(again.base, arena.Export)
    assert bytes(received["bytes"]) == b"x" * 5000
    sent_on = through(received)
    assert (sent_on["array"] == np.arange(3000)).all()
    assert sent_on["bytes"] == b"x" * 5000


def test_failure_34_an_arena_is_pickled_for_another_process_only() -> None:
    with arena.SharedMemorySegmentPool(1 << 12, 2, named=True) as pool:
        again = pickle.loads(pickle.dumps(pool))
        assert (again.id, again.segment_size) == (pool.id, pool.segment_size)


def test_failure_34b_exports_are_counted_right_without_the_interpreter_lock(tmp_path: Path) -> None:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip(f"needs a free-threaded build; this is {sys.version}")
    main = """
        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        writer, reader = pool.open_writer(), pool.open_reader()
        for round_ in range(50):
            writer.put(np.full(5000, round_, np.uint8))
            export = reader.get().base

            def use():
                for _ in range(1000):
                    view = memoryview(export)
                    assert view[0] == round_
                    view.release()

            threads = [threading.Thread(target=use) for _ in range(8)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            del export
            assert reader.held() == []
    """
    run(tmp_path, main)


def test_failure_34b_threads_share_exports_under_the_lock_too(tmp_path: Path) -> None:
    main = """
        sys.setswitchinterval(1e-6)
        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        writer, reader = pool.open_writer(), pool.open_reader()
        for round_ in range(5):
            writer.put(np.full(5000, round_, np.uint8))
            shared = [reader.get()]

            def use():
                for _ in range(500):
                    view = memoryview(shared[0].base)
                    array = np.frombuffer(view, np.uint8)
                    assert array[7] == round_
                    del array
                    view.release()

            threads = [threading.Thread(target=use) for _ in range(8)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            assert len(reader.held()) == 1
            shared.clear()
            assert reader.held() == []
    """
    run(tmp_path, main)
