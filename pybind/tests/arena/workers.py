"""Iterables in workers, and the arenas that their items come through."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import passband.arena as arena
import pytest

# Forking is quick, and lets a worker run functions that are made in a test.
iterate: Any = functools.partial(arena.iterate_in_subprocess, mp_context="fork")


def make_pool(**options: Any) -> arena.SharedMemorySegmentPool:
    """A pool for 4 units of 64 KiB."""
    return arena.SharedMemorySegmentPool(**{"segment_size": 1 << 16, "count": 4, **options})


def make_ring(**options: Any) -> arena.SharedMemoryRingBuffer:
    """A ring of 256 KiB."""
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
    """What a worker calls to have an iterable of many passes."""
    return lambda: Things(generator)
