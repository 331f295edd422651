"""`iterate_in_subprocess`: a consumer that holds units for which the worker waits."""

import gc
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from traces import Endless, Filled
from workers import iterate, make_pool


def test_a_consumer_that_holds_too_much_is_warned_told_and_then_goes_on() -> None:
    pool = make_pool(count=3, acquire_timeout=0.5)
    with iterate(partial(Filled, 12), arena=pool) as items:
        it = iter(items)
        held = [next(it) for _ in range(3)]
        for _ in range(2):
            with (
                pytest.warns(
                    arena.HeldUnitsWarning,
                    match="unit 0 .*exports: 1, units held: 3.*; ArenaFull .*_timeout=0.5 s",
                ) as warned,
                pytest.raises(
                    arena.ArenaFull, match="^segment pool exhausted: no free segment after"
                ),
            ):
                next(it)
            assert warned[0].filename == __file__
        assert [int(item[0]) for item in held] == [0, 1, 2]
        del held[1:]
        with pytest.warns(arena.HeldUnitsWarning), pytest.raises(arena.ArenaFull, match="unit 0"):
            next(it)
        held.clear()
        assert [int(item[0]) for item in it] == list(range(3, 12))


def test_acquire_timeout_0_tells_at_once_and_none_only_warns() -> None:
    with iterate(Endless, arena=make_pool(count=2, acquire_timeout=0.0)) as items:
        it = iter(items)
        held = [next(it), next(it)]
        with pytest.warns(arena.HeldUnitsWarning), pytest.raises(arena.ArenaFull):
            next(it)
        del held[0]
        assert next(it)[0] == 2
    with iterate(Endless, arena=make_pool(count=2, acquire_timeout=None)) as items:
        it = iter(items)
        held = [next(it), next(it)]
        release = threading.Timer(1.5, held.clear)
        forever = pytest.warns(arena.HeldUnitsWarning, match="for ever, as acquire_timeout=None$")
        with forever, closing_timer(release):
            assert next(it)[0] == 2


def closing_timer(timer: threading.Timer) -> Any:
    timer.start()
    timer.close = timer.join  # type: ignore[attr-defined]
    return closing(timer)  # type: ignore[type-var]


def test_units_that_only_garbage_holds_are_collected_in_time() -> None:
    with iterate(partial(Filled, 6), arena=make_pool(count=2, acquire_timeout=2.0)) as items:
        gc.disable()
        try:
            with pytest.warns(arena.HeldUnitsWarning):
                assert [in_a_cycle(item) for item in items] == list(range(6))
        finally:
            gc.enable()


def in_a_cycle(item: Any) -> int:
    cycle = [item]
    cycle.append(cycle)
    return int(item[0])


def test_a_slow_worker_is_not_taken_for_a_starved_one() -> None:
    def slow_to_end() -> Iterator[np.ndarray]:
        yield from Filled(2)
        time.sleep(0.4)

    pool = make_pool(count=2, acquire_timeout=0.1)
    with iterate(slow_to_end, arena=pool) as items, warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(items)) == 2


def test_a_warning_that_is_an_error_loses_nothing() -> None:
    with iterate(partial(Filled, 6), arena=make_pool(count=2, acquire_timeout=0.5)) as items:
        it = iter(items)
        held = [next(it), next(it)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(arena.HeldUnitsWarning):
                next(it)
        held.clear()
        assert [int(item[0]) for item in it] == [2, 3, 4, 5]


def test_waiting_for_the_consumer_does_not_count_as_silence() -> None:
    pool = make_pool(count=2, acquire_timeout=0.6)
    with iterate(partial(Filled, 4), arena=pool, timeout=0.2) as items:
        it = iter(items)
        held = [next(it), next(it)]
        with pytest.warns(arena.HeldUnitsWarning), pytest.raises(arena.ArenaFull):
            next(it)
        held.clear()
        assert len(list(it)) == 2
