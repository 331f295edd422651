"""`iterate_in_subprocess`: passes, and how far the worker runs ahead in one."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import passband.arena as arena
import pytest
from traces import Endless, Filled, children, eventually
from workers import iterate, make_pool, things


def has_sent(pool: arena.SharedMemorySegmentPool, count: int) -> bool:
    return pool.published == count


def test_a_worker_runs_ahead_by_buffer_size_items_only() -> None:
    for buffer_size in (1, 2, 5):
        pool = make_pool(count=8, max_ahead=8)
        with iterate(Endless, arena=pool, buffer_size=buffer_size) as items:
            it = iter(items)
            for read in range(1, 4):
                next(it)
                assert eventually(partial(has_sent, pool, read + buffer_size))
                time.sleep(0.02)
                assert pool.published == read + buffer_size


def test_a_worker_starts_with_a_pass_and_not_before_it() -> None:
    pool = make_pool()
    with iterate(Endless, arena=pool) as items:
        time.sleep(0.05)
        assert pool.published == 0
        iter(items)
        assert eventually(lambda: pool.published == 3)


def test_the_worker_does_not_wake_while_nobody_reads() -> None:
    with iterate(Endless, arena=make_pool()) as items:
        it = iter(items)
        next(it)
        (worker,) = children()

        def ticks() -> int:
            fields = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12])

        time.sleep(0.1)
        before = ticks()
        time.sleep(1.0)
        assert ticks() - before <= 1


def test_fn_is_called_once_and_iter_for_each_pass() -> None:
    class Counted:
        made = 0

        def __init__(self) -> None:
            Counted.made += 1
            self.passes = 0

        def __iter__(self) -> Iterator[tuple[int, int]]:
            self.passes += 1
            yield Counted.made, self.passes

    with iterate(Counted) as items:
        assert [list(items) for _ in range(3)] == [[(1, 1)], [(1, 2)], [(1, 3)]]


def test_what_a_pass_left_behind_is_discarded_and_its_units_come_back() -> None:
    pool = make_pool(count=3)
    with iterate(Endless, arena=pool) as items:
        for _ in range(20):
            for number, item in zip(range(5), items, strict=False):
                assert item[0] == number
                del item

            # The worker is ahead with items of this pass, which nobody will read.


def test_a_view_survives_the_passes_after_its_own() -> None:
    with iterate(partial(Filled, 10), arena=make_pool(count=50)) as items:
        kept = next(iter(items))
        for _ in range(3):
            assert sum(1 for _ in items) == 10
        assert (kept == 0).all()


def test_a_new_pass_ends_the_one_before() -> None:
    with iterate(partial(Filled, 10)) as items:
        first = iter(items)
        assert next(first)[0] == 0
        second = iter(items)
        with pytest.raises(arena.PassEnded, match="another pass"):
            next(first)
        assert [item[0] for item in second] == list(range(10))


def test_an_exhausted_pass_stays_exhausted() -> None:
    with iterate(partial(Filled, 2)) as items:
        it = iter(items)
        assert len(list(it)) == 2
        assert list(it) == []
        assert len(list(items)) == 2
        assert list(it) == []


def test_a_generator_has_one_pass() -> None:
    def one() -> Iterator[int]:
        yield 1

    with iterate(one) as items:
        assert list(items) == [1]
        assert list(items) == []


def test_a_pass_that_ends_in_empty_begins_again() -> None:
    def eager() -> Iterator[np.ndarray]:
        while True:
            out = arena.empty(100)
            out[:] = 1
            yield out

    with iterate(things(eager), arena=make_pool(count=2)) as items:
        for _ in range(5):
            for _, item in zip(range(3), items, strict=False):
                assert item.sum() == 100
                del item
