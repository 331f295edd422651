"""Each way to start a process: arenas travel, workers find their functions, views stay good."""

import multiprocessing
from pathlib import Path
from typing import Any

import passband.arena as arena
import pytest
from harness import run
from traces import Filled

METHODS = pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])


@METHODS
def test_an_iterable_of_a_script(method: str, tmp_path: Path) -> None:
    main = f"""
        for make in (partial(arena.SharedMemorySegmentPool, 1 << 16, 3),
                     partial(arena.SharedMemoryRingBuffer, 1 << 18),
                     partial(arena.SharedMemorySegmentPool, 1 << 16, 3, named=True)):
            items = arena.iterate_in_subprocess(
                partial(Own, 10), mp_context={method!r}, arena=make(), initializer=prepare)
            for _ in range(2):
                sums = [(int(item.sum()), calls) for item, calls in items]
                assert sums == [(3000 * number, 1) for number in range(10)], sums
            items.close()
        del items
        assert_no_trace()
    """
    functions = """
        calls = 0

        def prepare():
            global calls
            calls += 1

        class Own:
            def __init__(self, count):
                self.count = count
            def __iter__(self):
                for number in range(self.count):
                    out = arena.empty(3000)
                    out[:] = number
                    yield out, calls
    """
    run(tmp_path, main, functions)


@METHODS
def test_an_arena_travels_to_a_process_of_the_users_own(method: str, tmp_path: Path) -> None:
    main = f"""
        import multiprocessing
        context = multiprocessing.get_context({method!r})
        for named in (False, True):
            with arena.SharedMemorySegmentPool(1 << 16, 12, named=named) as pool:
                reader = pool.open_reader()
                process = context.Process(target=send, args=(pool, 10))
                process.start()
                held = reader.get()
                for number in range(1, 10):
                    assert (reader.get() == number).all()
                try:
                    reader.get()
                    raise AssertionError
                except (arena.ArenaClosed, arena.PeerDied):
                    pass
                process.join()
                assert process.exitcode == 0
            assert (held == 0).all()
            del held, reader, pool, process
            assert_no_trace()
    """
    functions = """
        def send(pool, count):
            writer = pool.open_writer()
            for item in filled(count):
                writer.put(item)
    """
    run(tmp_path, main, functions)


def test_a_context_of_the_users_own_and_a_method_that_there_is_not() -> None:
    context = multiprocessing.get_context("fork")
    iterate: Any = arena.iterate_in_subprocess
    with iterate(lambda: Filled(3), mp_context=context) as items:
        assert [item[0] for item in items] == [0, 1, 2]
    with pytest.raises(ValueError, match="threads"):
        iterate(list, mp_context="threads")


def test_a_worker_may_have_an_iterable_of_its_own(tmp_path: Path) -> None:
    main = """
        with arena.iterate_in_subprocess(outer) as items:
            assert [int(item.sum()) for item in items] == [2000 * n for n in range(5)]
        del items
        assert_no_trace()
    """
    functions = """
        def outer():
            pool = arena.SharedMemorySegmentPool(1 << 16, 3)
            return arena.iterate_in_subprocess(partial(Filled, 5), arena=pool)
    """
    run(tmp_path, main, functions)
