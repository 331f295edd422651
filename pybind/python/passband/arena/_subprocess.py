"""Iterables in a process of their own, whose items arrive through an arena."""

from __future__ import annotations

import math
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.context import BaseContext
from multiprocessing.util import Finalize
from numbers import Integral, Real
from types import TracebackType
from typing import Any, Literal, NoReturn, TypeVar, cast

from passband._arena import Arena, Delivery, SharedMemoryRingBuffer
from passband.arena._codec import loads
from passband.arena._errors import ArenaClosed, ArenaCorrupt, PassEnded, PeerDied, given
from passband.arena._failure import revive
from passband.arena._held import Watch, warn_after
from passband.arena._interrupts import InterruptsLater
from passband.arena._session import Session
from passband.arena._worker import Job

T = TypeVar("T")

DEFAULT_CAPACITY = 64 << 20
"""The bytes of the ring that an iterable has when it is given no arena."""

# How long to wait at most before looking whether anything is amiss, in seconds.
_GLANCE = 0.2


def iterate_in_subprocess(
    fn: Callable[[], Iterable[T]],
    *,
    buffer_size: int = 3,
    initializer: Callable[[], object] | Sequence[Callable[[], object]] | None = None,
    mp_context: str | BaseContext = "spawn",
    timeout: float | None = None,
    daemon: bool = False,
    arena: Arena | None = None,
    bytes_as: Literal["view", "copy"] = "view",
) -> SubprocessIterable[T]:
    """Runs an iterable in a worker process and receives its items through shared memory.

    * `fn`: makes the iterable, in the worker. What the start method pickles must be importable, and
      a script needs `if __name__ == "__main__":`, as with all of `multiprocessing`.
    * `buffer_size`: how many items the worker may be ahead.
    * `initializer`: one or several functions that the worker calls first.
    * `mp_context`: `"spawn"`, `"forkserver"`, `"fork"`, or a context of `multiprocessing`.
    * `timeout`: seconds after which a worker that sends nothing is given up; without, none is. It
      also limits the start. Waits for units that the consumer holds do not count.
    * `daemon`: whether the worker is a daemonic process, which may have no children.
    * `arena`: the pool or ring to use, which nobody else may, now or later: each iterable needs a
      new one. Without one, items travel through a ring of 64 MiB, by two copies, and belong to the
      consumer; those without room there take a pipe. Of a pool's items no more than `count - 1` may
      be kept, as by `list()`.
    * `bytes_as`: as what a pool gives `bytes` and `bytearray` of 4096 bytes and more. `"view"`:
      memoryviews, read-only for `bytes`; `"copy"`: their own types.

    Returns when the worker has called `initializer` and `fn`. Each `iter()` on the result calls
    `iter()` on the iterable there, and the worker then runs ahead of the consumer. Arrays, tensors
    and bytes travel in the arena, and the rest of an item is pickled.

    The result owns the arena, and closes and unlinks it when it ends: on `close()`, when it is
    garbage-collected (a loop over it without a name for it ends it when it is left), when the
    worker fails, on Ctrl-C, and when the interpreter exits. Arrays that were received stay good.

    Raises TypeError and ValueError for arguments that are not what they should be, EndpointError
    for an arena that is in use, ArenaClosed for one that is closed, as by an iterable that has
    ended, PeerDied where the worker ended before it was ready, TimeoutError where it was not ready
    in time, and what `initializer` or `fn` raised, with the worker's traceback as its cause.

    Cost: a process, about 0.3 s to start it with `"spawn"`, and for each item a wake-up and, of
    what does not lie in the arena yet, one copy.

    >>> from functools import partial
    >>> from passband.arena import SharedMemorySegmentPool, iterate_in_subprocess
    >>> pool = SharedMemorySegmentPool(segment_size=1 << 16, count=4)
    >>> with iterate_in_subprocess(partial(np.ones, (3, 1000)), arena=pool) as rows:
    ...     print(sum(row.sum() for row in rows))
    3000.0
    """
    initializers = _functions(initializer)
    if not callable(fn):
        raise TypeError(f"fn: expected a function that makes an iterable, given {given(fn)}")
    if not isinstance(buffer_size, Integral):
        raise TypeError(f"buffer_size: expected an integer, given {given(buffer_size)}")
    if buffer_size < 1:
        raise ValueError(f"buffer_size: expected a positive number, given {given(buffer_size)}")
    if buffer_size > sys.maxsize:
        text = f"expected at most {sys.maxsize}, given {given(buffer_size)}"
        raise OverflowError(f"buffer_size: {text}")
    if not isinstance(daemon, bool):
        raise TypeError(f"daemon: expected True or False, given {given(daemon)}")
    if arena is not None and not isinstance(arena, Arena):
        raise TypeError(f"arena: expected a pool, a ring or None, given {given(arena)}")
    if not isinstance(bytes_as, str) or bytes_as not in ("view", "copy"):
        kind = ValueError if isinstance(bytes_as, str) else TypeError
        raise kind(f"bytes_as: expected 'view' or 'copy', given {given(bytes_as)}")
    patience = _seconds(timeout)
    context = _context(mp_context)
    job = Job(fn, initializers, int(buffer_size), any_size=arena is None)
    arena = arena or SharedMemoryRingBuffer(DEFAULT_CAPACITY)
    return SubprocessIterable(context, arena, job, patience, bytes_as, daemon=daemon)


def _seconds(timeout: float | None) -> float:
    if timeout is None:
        return math.inf
    if not isinstance(timeout, Real):
        raise TypeError(f"timeout: expected seconds or None, given {given(timeout)}")
    if not timeout > 0:
        raise ValueError(f"timeout: expected positive seconds or None, given {given(timeout)}")
    try:
        return float(timeout)
    except OverflowError:
        text = f"expected at most {sys.float_info.max:g}, given {given(timeout)}"
        raise OverflowError(f"timeout: {text}") from None


def _context(mp_context: str | BaseContext) -> BaseContext:
    methods = multiprocessing.get_all_start_methods()
    if isinstance(mp_context, str) and mp_context in methods:
        return multiprocessing.get_context(mp_context)
    # Modules that stand for the context in use have it as well.
    if not isinstance(mp_context, str) and hasattr(mp_context, "get_start_method"):
        return mp_context
    known = ", ".join(map(repr, methods))
    kind = ValueError if isinstance(mp_context, str) else TypeError
    expected = f"one of {known}, or a context of multiprocessing"
    raise kind(f"mp_context: expected {expected}, given {given(mp_context)}")


def _functions(
    initializer: Callable[[], object] | Sequence[Callable[[], object]] | None,
) -> list[Callable[[], object]]:
    if initializer is None:
        return []
    functions = initializer if isinstance(initializer, Sequence) else [initializer]
    if not all(map(callable, functions)):
        raise TypeError(f"initializer: expected a function or several, given {given(initializer)}")
    return list(functions)


class SubprocessIterable(Iterable[T]):
    """The items of an iterable that runs in a worker process; `iterate_in_subprocess` makes it.

    Each `iter()` begins a pass of its own, and ends the one before: what that has not delivered is
    discarded. A `with` block ends the worker and the arena when it is left.

    >>> from functools import partial
    >>> from passband.arena import iterate_in_subprocess
    >>> with iterate_in_subprocess(partial(range, 3)) as numbers:
    ...     print(list(numbers), list(numbers))
    [0, 1, 2] [0, 1, 2]
    """

    def __init__(
        self,
        context: BaseContext,
        arena: Arena,
        job: Job,
        timeout: float,
        bytes_as: Literal["view", "copy"],
        *,
        daemon: bool,
    ) -> None:
        # Refused if the arena has a reader already, with nothing changed.
        self._reader = arena.open_reader()
        self._acquire_timeout = arena.acquire_timeout
        self._timeout = timeout
        self._bytes_as = bytes_as
        self._glance = max(min(_GLANCE, timeout, warn_after(arena.acquire_timeout)), 1e-3)
        self._pass = 0
        with InterruptsLater():
            self._session = Session(context, arena, job, daemon=daemon)
            # At exit, before multiprocessing waits for its processes.
            self._finalizer = Finalize(self, self._session.end, exitpriority=10)
        try:
            self._session.wait_until_ready(timeout)
        except BaseException as error:
            self._end_with(error)
            raise

    def __iter__(self) -> Iterator[T]:
        if not self._finalizer.still_active():
            raise ArenaClosed("the iterable has ended, and its worker with it: make another one")
        self._pass = self._reader.request_pass()
        return _Pass(self)

    def close(self) -> None:
        """Ends the worker, and closes and unlinks the arena; again, it does nothing.

        What was received stays good. A worker that waits for the consumer leaves at once, and one
        in its own code within half a second: SystemExit is raised there. Five seconds later it is
        killed.
        """
        self._finalizer()

    def __enter__(self) -> SubprocessIterable[T]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_with(error)

    def _ended(self) -> Exception:
        """Ends what the worker, or a close of the arena here, has ended; the error that says so."""
        try:
            return self._session.death()
        finally:
            self.close()

    def _end_with(self, error: BaseException | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            self._session.hurry()
        self.close()


class _Pass(Iterator[T]):
    """One pass over the items. It goes on after an error of the consumer's own making."""

    def __init__(self, source: SubprocessIterable[T]) -> None:
        self._source = source
        self._number: int | None = source._pass
        self._next = source._reader._next
        self._zero_copy = source._reader.zero_copy
        self._glance = source._glance
        self._receive = source._session.receive

    def __next__(self) -> T:
        if self._number != self._source._pass:
            self._refuse()
        try:
            item: Any = self._next(self._glance, self._receive)
            if item is None:
                item = self._wait()
        except (ArenaClosed, PeerDied, EOFError):
            raise self._source._ended() from None
        except (ArenaCorrupt, KeyboardInterrupt) as error:
            self._source._end_with(error)
            raise
        if type(item) is not Delivery:
            return cast(T, item)
        if item.kind == "item":
            how = self._zero_copy, self._source._bytes_as
            return cast(T, loads(item.body, item.exports, *how, item.ticket))
        self._number = None
        if item.kind == "error":
            self._source.close()
            raise revive(item.body)
        raise StopIteration

    def _refuse(self) -> NoReturn:
        if self._number is None:
            raise StopIteration
        raise PassEnded("another pass over this iterable has begun, which ends the one before")

    def _wait(self) -> Any:
        """Waits for what a glance did not find, and looks meanwhile for what may be amiss."""
        reader, timeout = self._source._reader, self._source._timeout
        watch = Watch(reader, self._source._acquire_timeout)
        quiet_since = time.monotonic()
        item = None
        while item is None:
            now = time.monotonic()
            if watch.is_starving():
                quiet_since = now
            elif now - quiet_since >= timeout:
                self._source.close()
                raise TimeoutError(f"timeout: the worker sent nothing for {timeout:g} s")
            item = self._next(self._glance, self._receive)
        return item
