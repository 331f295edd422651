"""`iterate_in_subprocess`: items, passes, errors, and waits."""

import functools
import gc
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from traces import Endless, Filled, children, eventually

# Forking is quick, and lets a worker run functions that are made in a test.
iterate: Any = functools.partial(arena.iterate_in_subprocess, mp_context="fork")


def make_pool(**options: Any) -> arena.SharedMemorySegmentPool:
    return arena.SharedMemorySegmentPool(**{"segment_size": 1 << 16, "count": 4, **options})


def make_ring(**options: Any) -> arena.SharedMemoryRingBuffer:
    return arena.SharedMemoryRingBuffer(**{"capacity": 1 << 18, **options})


ARENAS = pytest.mark.parametrize(
    "make", [make_pool, make_ring, lambda: None], ids=["pool", "ring", "none"]
)


class Things:
    """Makes a new iterator for each pass, from a generator function."""

    def __init__(self, generator: Callable[[], Iterator[Any]]) -> None:
        self.generator = generator

    def __iter__(self) -> Iterator[Any]:
        return self.generator()


def things(generator: Callable[[], Iterator[Any]]) -> Callable[[], Things]:
    return lambda: Things(generator)


@ARENAS
def test_items_arrive_in_order_and_again_in_each_pass(make: Callable[[], Any]) -> None:
    with iterate(partial(Filled, 20), arena=make()) as items:
        for _ in range(3):
            seen = [(int(item[0]), int(item[-1]), len(item)) for item in items]
            assert seen == [(number, number, 2000) for number in range(20)]


def nested() -> Iterator[Any]:
    yield {"a": np.arange(3000.0), "b": [np.ones((40, 50), np.int16), "text", None], "n": 7}
    yield (1, 2.5, "three")
    yield b"x" * 5000
    yield None
    yield np.arange(6, dtype=np.complex64).reshape(2, 3)


@ARENAS
def test_items_of_any_kind_come_as_they_were_sent(make: Callable[[], Any]) -> None:
    with iterate(nested, arena=make(), bytes_as="copy") as items:
        for got, sent in zip(items, nested(), strict=True):
            assert type(got) is type(sent)
            np.testing.assert_equal(got, sent)


def test_bytes_of_a_pool_are_read_only_views_unless_copies_are_asked_for() -> None:
    def letters() -> Iterator[bytes]:
        yield b"ab" * 4000

    with iterate(letters, arena=make_pool()) as items:
        (view,) = items
    assert isinstance(view, memoryview)
    assert view.readonly
    assert view == b"ab" * 4000


def test_an_item_of_a_pool_lies_in_it_and_one_of_a_ring_is_the_consumers_own() -> None:
    for make, owned in ((make_pool, False), (make_ring, True)):
        with iterate(partial(Filled, 1), arena=make()) as items:
            (item,) = items
        assert isinstance(item.base, arena.Export) is not owned
        assert item.flags.writeable
        item += 1
        assert item.sum() == 2000


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


def test_initializers_run_in_the_worker_in_order_before_fn() -> None:
    calls: list[str] = []

    def report() -> list[Any]:
        return [os.getpid(), *calls]

    both = [partial(calls.append, "first"), partial(calls.append, "second")]
    with iterate(report, initializer=both) as items:
        worker, *called = items
    assert worker != os.getpid()
    assert called == ["first", "second"]
    assert calls == []
    with iterate(report, initializer=both[0]) as items:
        assert list(items)[1:] == ["first"]


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


class OddError(Exception):
    """An error that cannot be made from what it keeps."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def raising(error: Exception) -> Iterator[Any]:
    yield np.zeros(10)
    raise error


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (ValueError("too bad"), ValueError, "^too bad$"),
        (KeyError("key"), KeyError, "^'key'$"),
        (arena.UnitTooLarge("my own"), arena.UnitTooLarge, "^my own$"),
        (OddError(1, 2), RuntimeError, "^(.*[.])?OddError: 1 and 2$"),
        (
            ValueError("cannot be pickled", lambda: None),
            RuntimeError,
            "ValueError: .*cannot be pickled",
        ),
    ],
)
def test_an_error_of_the_worker_arrives_with_its_type_and_its_traceback(
    error: Exception, kind: type[Exception], text: str
) -> None:
    items = iterate(partial(raising, error), arena=make_pool())
    it = iter(items)
    next(it)
    with pytest.raises(kind, match=text) as caught:
        next(it)
    assert type(caught.value) is kind
    cause = str(caught.value.__cause__)
    assert "in raising" in cause
    assert "raise error" in cause
    with pytest.raises(arena.ArenaClosed, match="make another one"):
        iter(items)
    assert children() == []


def test_a_stop_iteration_that_is_an_error_is_not_silent() -> None:
    class Odd:
        def __iter__(self) -> Iterator[int]:
            raise StopIteration("here")

    with pytest.raises(RuntimeError, match="StopIteration: here"):
        list(iterate(Odd))


def test_errors_of_the_start_arrive_at_once_with_their_type() -> None:
    def fail() -> list[int]:
        raise LookupError("no such thing")

    pool = make_pool()
    with pytest.raises(LookupError, match="no such thing") as caught:
        iterate(fail, arena=pool)
    assert "in fail" in str(caught.value.__cause__)
    assert pool.closed
    with pytest.raises(LookupError, match="no such thing"):
        iterate(list, initializer=fail)


def test_an_error_of_iter_arrives_with_the_first_item() -> None:
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        next(iter(iterate(int)))


def test_an_item_that_cannot_be_pickled_is_an_error_with_its_own_type() -> None:
    def lambdas() -> Iterator[Any]:
        yield lambda: None

    with pytest.raises(Exception, match="pickle") as caught:
        list(iterate(lambdas))
    assert "lambdas" in str(caught.value.__cause__)


def test_a_unit_that_is_too_large_says_what_to_increase() -> None:
    with pytest.raises(arena.UnitTooLarge, match="exceeds segment_size .*increase"):
        list(iterate(partial(Filled, 1, 1 << 15), arena=make_pool()))
    with pytest.raises(arena.UnitTooLarge, match="ring capacity .*increase"):
        list(iterate(partial(Filled, 1, 1 << 20), arena=make_ring()))


def test_without_an_arena_items_may_have_any_size() -> None:
    class Huge:
        def __iter__(self) -> Iterator[bytes]:
            yield bytes(70 << 20)
            yield b"small"

    with iterate(Huge) as items:
        assert [len(item) for item in items] == [70 << 20, 5]


def test_an_envelope_without_room_comes_by_another_way() -> None:
    def large() -> Iterator[Any]:
        for number in range(5):
            yield [f"{number} {index}" for index in range(20_000)]
            # The array leaves no room for the rest of the item.
            yield {"text": "x" * 3000, "array": np.full(1 << 14, number, np.float32)}

    for _ in range(2):
        with iterate(things(large), arena=make_pool()) as items:
            next(iter(items))
            for number, (text, item) in enumerate(zip(*[iter(items)] * 2, strict=True)):
                assert text[-1] == f"{number} 19999"
                assert item["text"] == "x" * 3000
                assert (item["array"] == number).all()


@pytest.mark.parametrize(
    ("end", "exitcode", "text"),
    [
        (partial(os._exit, 3), 3, "ended with exit status 3"),
        (partial(sys.exit, 4), 4, "ended with exit status 4"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), -9, "was killed by signal 9"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), 143, "ended with exit status 143"),
        (lambda: os.kill(os.getpid(), signal.SIGINT), 130, "ended with exit status 130"),
    ],
    ids=["os._exit", "sys.exit", "SIGKILL", "SIGTERM", "SIGINT"],
)
def test_the_death_of_a_worker_is_an_error_after_what_it_sent(
    end: Callable[[], Any], exitcode: int, text: str
) -> None:
    def dying() -> Iterator[int]:
        yield from range(3)
        end()

    def dying_at_once() -> list[int]:
        end()
        return []

    it = iter(iterate(dying))
    assert [next(it) for _ in range(3)] == [0, 1, 2]
    start = time.monotonic()
    with pytest.raises(arena.PeerDied, match=text) as caught:
        next(it)
    # Far more than it takes, and far less than a wait that polls for the death.
    assert time.monotonic() - start < 1.0
    assert caught.value.exitcode == exitcode
    with pytest.raises(arena.PeerDied, match=text):
        iterate(dying_at_once)
    assert children() == []


def test_a_silent_worker_is_given_up_after_the_timeout() -> None:
    def slow() -> Iterator[int]:
        yield 1
        time.sleep(60)

    it = iter(iterate(slow, timeout=0.2))
    assert next(it) == 1
    with pytest.raises(TimeoutError, match=r"sent nothing for 0\.2 s"):
        next(it)
    with pytest.raises(TimeoutError, match=r"not ready within 0\.2 s"):
        iterate(list, initializer=partial(time.sleep, 60), timeout=0.2)
    assert children() == []


def test_the_timeout_counts_silence_and_not_the_whole() -> None:
    def steady() -> Iterator[int]:
        for number in range(8):
            time.sleep(0.1)
            yield number

    with iterate(steady, timeout=0.5) as items:
        assert len(list(items)) == 8


def test_arguments_are_checked_before_anything_happens() -> None:
    pool = make_pool()
    for name, value, error in (
        ("buffer_size", 0, ValueError),
        ("timeout", 0, ValueError),
        ("timeout", float("nan"), ValueError),
        ("initializer", 3, TypeError),
        ("initializer", [print, 3], TypeError),
        ("bytes_as", "bytearray", ValueError),
        ("mp_context", "thread", ValueError),
        ("arena", "pool", TypeError),
    ):
        arguments = {"arena": pool, name: value}
        with pytest.raises(error, match="thread" if name == "mp_context" else f"^{name}: expected"):
            iterate(**{"fn": list, **arguments})
    with pytest.raises(TypeError, match="^fn: expected"):
        iterate([1, 2], arena=pool)
    assert not pool.closed
    with iterate(partial(Filled, 2), arena=pool) as items:
        assert len(list(items)) == 2


def test_an_arena_that_was_handed_over_is_refused_elsewhere() -> None:
    pool = make_pool()
    with iterate(partial(Filled, 2), arena=pool) as items:
        for use in (partial(iterate, list, arena=pool), pool.open_writer, pool.open_reader):
            with pytest.raises(arena.EndpointError, match="process [0-9]+ is the (writer|reader)"):
                use()
        assert len(list(items)) == 2
    for use in (partial(iterate, list, arena=pool), pool.open_writer, pool.open_reader):
        with pytest.raises(arena.ArenaClosed):
            use()


def test_an_arena_that_is_in_use_cannot_be_handed_over() -> None:
    pool = make_pool()
    reader = pool.open_reader()
    with pytest.raises(arena.EndpointError, match="reader"):
        iterate(list, arena=pool)
    assert not pool.closed
    assert reader.held() == []
    pool = make_pool()
    writer = pool.open_writer()
    with pytest.raises(arena.EndpointError, match="writer"):
        iterate(list, arena=pool)
    assert not writer.has_unit or pool.closed


def test_a_consumer_that_holds_too_much_is_warned_told_and_then_goes_on() -> None:
    pool = make_pool(count=3, acquire_timeout=0.5)
    with iterate(partial(Filled, 12), arena=pool) as items:
        it = iter(items)
        held = [next(it) for _ in range(3)]
        for _ in range(2):
            with (
                pytest.warns(
                    arena.HeldUnitsWarning, match="unit 0 .*exports: 1, units held: 3"
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
        with pytest.warns(arena.HeldUnitsWarning), closing_timer(release):
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


def test_an_item_that_cannot_be_restored_is_an_error_and_the_next_one_comes() -> None:
    def some() -> Iterator[Any]:
        yield Unloadable(np.ones(2000))
        yield np.ones(3)

    pool = make_pool(count=2)
    with iterate(things(some), arena=pool) as items:
        it = iter(items)
        with pytest.raises(ZeroDivisionError):
            next(it)
        assert next(it).sum() == 3
        assert list(it) == []


class Unloadable:
    """Fails when it is unpickled."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __setstate__(self, state: Any) -> None:
        raise ZeroDivisionError


def placed() -> Iterator[np.ndarray]:
    for number in range(20):
        out = arena.empty(3000, np.float32)
        out[:] = number
        yield out[5:-5]
        # Its unit was given up: it was never yielded.
        if number == 7:
            arena.empty(10)


def test_arrays_placed_in_the_worker_are_sent_where_they_lie() -> None:
    def counted() -> Iterator[Any]:
        before = arena.bytes_copied()
        yield from placed()
        yield arena.bytes_copied() - before

    with iterate(things(counted), arena=make_pool(count=4)) as items:
        for _ in range(2):
            *arrays, copied = [item if isinstance(item, int) else item.copy() for item in items]
            assert [array.tolist() for array in arrays] == [[n] * 2990 for n in range(20)]
            assert copied == 0


def test_empty_is_numpys_outside_of_a_worker() -> None:
    array = arena.empty((2, 3), np.int16)
    assert (array.shape, array.dtype, array.base) == ((2, 3), np.int16, None)


def test_a_worker_that_keeps_its_own_arrays_is_told() -> None:
    def hoarding() -> Iterator[np.ndarray]:
        kept = []
        for _ in range(10):
            kept.append(arena.empty(100))
            yield kept[-1]

    pool = make_pool(count=3, acquire_timeout=0.2)
    with pytest.raises(arena.ArenaFull, match="this process still holds its own arrays in unit 0"):
        for _ in iterate(hoarding, arena=pool):
            pass


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


def test_several_iterables_at_once() -> None:
    with (
        iterate(partial(Filled, 30), arena=make_pool()) as first,
        iterate(partial(Filled, 30), arena=make_ring()) as second,
        iterate(partial(Filled, 30)) as third,
    ):
        for number, (a, b, c) in enumerate(zip(first, second, third, strict=True)):
            assert a[0] == b[0] == c[0] == number


def test_a_daemon_is_one() -> None:
    def report() -> list[bool]:
        import multiprocessing

        return [multiprocessing.current_process().daemon]

    for daemon in (False, True):
        with iterate(report, daemon=daemon) as items:
            assert list(items) == [daemon]


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
