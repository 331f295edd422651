"""`iterate_in_subprocess`: what it is given, and how the worker starts."""

import math
import multiprocessing
import multiprocessing.dummy
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from traces import Filled, children, eventually
from workers import iterate, make_pool


class Unprintable:
    """Has no words for itself."""

    def __repr__(self) -> str:
        raise LookupError


def test_arguments_are_checked_before_anything_happens() -> None:
    pool = make_pool()
    for name, value, error in (
        ("buffer_size", 0, ValueError),
        ("buffer_size", "3", TypeError),
        ("buffer_size", 1.5, TypeError),
        ("buffer_size", 1 << 70, OverflowError),
        ("timeout", "3", TypeError),
        ("timeout", 0, ValueError),
        ("timeout", float("nan"), ValueError),
        ("timeout", 10**400, OverflowError),
        ("initializer", 3, TypeError),
        ("initializer", [print, 3], TypeError),
        ("bytes_as", "bytearray", ValueError),
        ("bytes_as", 3, TypeError),
        ("bytes_as", np.array([1, 2]), TypeError),
        ("mp_context", 3, TypeError),
        ("mp_context", "thread", ValueError),
        ("mp_context", multiprocessing.dummy, TypeError),
        ("daemon", 1, TypeError),
        ("arena", "pool", TypeError),
        ("arena", "long" * 1000, TypeError),
        ("arena", Unprintable(), TypeError),
    ):
        arguments = {"arena": pool, name: value}
        with pytest.raises(error, match=f"^{name}: expected .*, given ") as caught:
            iterate(**{"fn": list, **arguments})
        assert type(caught.value) is error
        assert len(str(caught.value)) < 140
    with pytest.raises(TypeError, match="^fn: expected"):
        iterate([1, 2], arena=pool)
    assert not pool.closed
    with iterate(partial(Filled, 2), arena=pool) as items:
        assert len(list(items)) == 2


@pytest.mark.parametrize("timeout", [math.inf, 1e300, 3e6, None])
def test_a_timeout_that_no_clock_can_count_is_for_ever(timeout: float | None) -> None:
    with iterate(partial(Filled, 2), timeout=timeout) as items:
        assert len(list(items)) == 2


def test_the_start_methods_that_there_are_are_named() -> None:
    with pytest.raises(ValueError, match="'fork', .*'spawn'.*, given 'thread' [(]str[)]"):
        iterate(list, mp_context="thread")
    for context in (multiprocessing, multiprocessing.get_context("fork")):
        with iterate(partial(list, "ab"), mp_context=context, timeout=20) as items:
            assert list(items) == ["a", "b"]


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


@pytest.mark.parametrize("kind", [GeneratorExit, KeyboardInterrupt])
def test_what_is_no_exception_arrives_from_the_start_too(kind: type[BaseException]) -> None:
    def fail() -> list[int]:
        raise kind("at the start")

    for arguments in ({"fn": fail}, {"fn": list, "initializer": fail}):
        with pytest.raises(kind, match="^at the start$") as caught:
            iterate(**arguments)
        assert "in fail" in str(caught.value.__cause__)
    assert children() == []


def test_what_pickle_cannot_send_is_named() -> None:
    def local() -> list[int]:
        return []

    spawn: Any = arena.iterate_in_subprocess
    for name, given in (
        ("fn", lambda: [1]),
        ("fn", local),
        ("fn", partial(Filled, threading.Lock())),
        ("initializer", lambda: None),
    ):
        pool = make_pool()
        with pytest.raises(TypeError, match=f"^{name}: expected what pickle can send") as caught:
            spawn(**{"fn": list, "arena": pool, name: given})
        assert caught.value.__cause__ is not None
        assert pool.closed
    # A helper of multiprocessing that was started just now still looks like this process.
    assert eventually(lambda: not children())


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_script_without_a_guard_is_told_what_it_needs(method: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import passband.arena as arena\n"
        f"print(list(arena.iterate_in_subprocess(list, mp_context={method!r})))\n"
    )
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert "PeerDied: the worker, process " in last
    assert "ended with exit status 1 before it was ready" in last
    assert 'under `if __name__ == "__main__":`' in last


def test_an_arena_whose_reader_was_dropped_says_so() -> None:
    pool = make_pool()
    pool.open_reader()
    with pytest.raises(arena.ArenaClosed, match="its reader was closed or dropped.*make another"):
        iterate(list, arena=pool)


def test_a_daemon_is_one() -> None:
    def report() -> list[bool]:
        import multiprocessing

        return [multiprocessing.current_process().daemon]

    for daemon in (False, True):
        with iterate(report, daemon=daemon) as items:
            assert list(items) == [daemon]


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
