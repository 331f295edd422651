"""A part of a pipeline in a process of its own, whose arrays are read where they were written."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from passband.arena import SharedMemorySegmentPool, bytes_copied, iterate_in_subprocess

T = TypeVar("T", bound=tuple[Any, ...])

AHEAD = 3
"""How many items the worker may be ahead of who reads them."""

# beside those, one item is being read and one written
_SEGMENTS = AHEAD + 2


@dataclass(frozen=True)
class Cost:
    """What it took to have a worker: bytes moved and bytes copied on the way, CPU seconds of both.

    ``moved`` counts the arrays that arrived, ``copied`` what went through the arena otherwise than
    by being written and read in place.
    """

    moved: int
    copied: int
    worker_seconds: float
    own_seconds: float


class _Spent(NamedTuple):
    """What a process has copied so far, in bytes, and computed, in CPU seconds."""

    copied: int
    seconds: float

    @classmethod
    def so_far(cls) -> _Spent:
        return cls(bytes_copied(), time.process_time())


class Isolated(Iterable[T]):
    """The items of a worker, once; :func:`isolated` makes it."""

    def __init__(self, items: Iterable[T | _Spent], before: _Spent) -> None:
        self._items = items
        self._before = before
        self._worker = _Spent(0, 0.0)
        self._moved = 0

    def __iter__(self) -> Iterator[T]:
        for item in self._items:
            if isinstance(item, _Spent):
                self._worker = item
            else:
                # an array that is there twice has moved once
                arrays = {id(part): part for part in item if isinstance(part, np.ndarray)}
                self._moved += sum(array.nbytes for array in arrays.values())
                yield item

    @property
    def cost(self) -> Cost:
        """What it took up to now; the worker's part is known when all items have come."""
        here = _Spent.so_far()
        return Cost(
            moved=self._moved,
            copied=self._worker.copied + here.copied - self._before.copied,
            worker_seconds=self._worker.seconds,
            own_seconds=here.seconds - self._before.seconds,
        )


@contextmanager
def isolated(stage: Callable[[], Iterable[T]], nbytes: int) -> Iterator[Isolated[T]]:
    """Run ``stage`` in a worker process; give its items, and what that took.

    The items are tuples with arrays, of at most ``nbytes`` bytes each, which is what their arrays
    take in multiples of 64. Those that lie in :func:`passband.arena.empty` are not copied. An item
    has to be let go of before the next one is taken. The worker ends with the block.
    """
    before = _Spent.so_far()
    pool = SharedMemorySegmentPool(nbytes, _SEGMENTS)
    with iterate_in_subprocess(partial(_run, stage), buffer_size=AHEAD, arena=pool) as items:
        yield Isolated(items, before)


def _run(stage: Callable[[], Iterable[T]]) -> Iterator[T | _Spent]:
    yield from stage()
    yield _Spent.so_far()
