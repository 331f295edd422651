"""`iterate_in_subprocess`: errors of the worker, its death, and its silence."""

import dataclasses
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from traces import Filled, children
from workers import iterate, make_pool, make_ring, things


class OddError(Exception):
    """An error that cannot be made from what it keeps."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


class HostileError(Exception):
    """An error that cannot be pickled, for a reason that `except Exception` lets pass."""

    def __reduce__(self) -> Any:
        raise KeyboardInterrupt


@dataclasses.dataclass(frozen=True)
class FrozenError(Exception):
    """An error without assignments."""


class HidingError(Exception):
    """An error that hides where it came from."""

    @property
    def __cause__(self) -> Any:  # type: ignore[override]
        """It cannot be had."""
        raise LookupError


class BaseOddError(BaseException):
    """An error that `except Exception` lets pass."""


class AlarmError(Exception):
    """What a handler of signals raises."""


# Neither a record nor a segment nor a pipe has room for it.
HUGE = "x" * (1 << 21)


def alarmed() -> Iterator[Any]:
    signal.signal(signal.SIGALRM, _raise_alarm)
    yield "short"
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    yield HUGE


def _raise_alarm(*_: object) -> None:
    raise AlarmError("too slow")


def orphaning() -> Iterator[Any]:
    yield "short"
    if os.fork() == 0:
        # It has a copy of the worker's end of the pipe.
        time.sleep(3)
        os._exit(0)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGKILL)).start()
    yield HUGE


def raising(error: BaseException) -> Iterator[Any]:
    yield np.zeros(10)
    raise error


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (ValueError("too bad"), ValueError, "^too bad$"),
        (KeyError("key"), KeyError, "^'key'$"),
        (arena.UnitTooLarge("my own"), arena.UnitTooLarge, "^my own$"),
        (GeneratorExit("left"), GeneratorExit, "^left$"),
        (KeyboardInterrupt("my own"), KeyboardInterrupt, "^my own$"),
        (BaseOddError("base"), BaseOddError, "^base$"),
        (HostileError("hidden"), RuntimeError, "^(.*[.])?HostileError: hidden$"),
        (OddError(1, 2), RuntimeError, "^(.*[.])?OddError: 1 and 2$"),
        (
            ValueError("cannot be pickled", lambda: None),
            RuntimeError,
            "ValueError: .*cannot be pickled",
        ),
    ],
)
def test_an_error_of_the_worker_arrives_with_its_type_and_its_traceback(
    error: BaseException, kind: type[BaseException], text: str
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


@pytest.mark.parametrize("kind", [FrozenError, HidingError])
def test_an_error_that_cannot_be_changed_arrives_with_its_traceback(
    kind: type[Exception],
) -> None:
    with pytest.raises(kind) as caught:
        list(iterate(partial(raising, kind())))
    assert type(caught.value) is kind
    cause = vars(BaseException)["__cause__"].__get__(caught.value)
    assert "in raising" in str(cause)


def test_an_error_of_restoring_that_takes_no_notes_arrives() -> None:
    pool = make_pool()
    pool.open_writer().put(Freezing())
    with pytest.raises(FrozenError):
        pool.open_reader().get(0)


class Freezing:
    """Fails when it is unpickled."""

    def __reduce__(self) -> Any:
        return _raise_frozen, ()


def _raise_frozen() -> None:
    raise FrozenError


def test_a_stop_iteration_that_is_an_error_is_not_silent() -> None:
    class Odd:
        def __iter__(self) -> Iterator[int]:
            raise StopIteration("here")

    with pytest.raises(RuntimeError, match="StopIteration: here"):
        list(iterate(Odd))


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


def test_an_error_while_an_item_is_in_the_pipe_arrives() -> None:
    items = iterate(alarmed, arena=make_pool())
    it = iter(items)
    assert next(it) == "short"
    # Until the worker waits for room in the pipe, and its alarm has gone off there.
    time.sleep(0.4)
    with pytest.raises(AlarmError, match="too slow"):
        next(it)


def test_a_worker_that_dies_while_its_child_holds_the_pipe_is_missed_at_once() -> None:
    items = iterate(orphaning, arena=make_pool())
    it = iter(items)
    assert next(it) == "short"
    time.sleep(0.4)
    start = time.monotonic()
    with pytest.raises(arena.PeerDied, match="was killed by signal 9"):
        next(it)
    assert time.monotonic() - start < 1
