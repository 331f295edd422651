"""Passband's endpoints, which carry arrays alone, and kernels that write where arrays are read."""

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import passband
from packages import SEGMENTS, arena
from passband.arena import empty, iterate_in_subprocess
from sources import Source, Words
from transports import AHEAD, Transport, producer

TIMEOUT = 60.0


class Arrays(Transport):
    """A transport whose items are arrays."""

    def words(self, item: Any) -> Words:
        """The array in an item, where it lies."""
        words: Words = item.view(np.uint64)
        return words


@dataclass(frozen=True)
class Endpoints(Arrays):
    """A writer and a reader; the writer copies arrays in, or places what a kernel makes."""

    name: str
    ring: bool = False
    places: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""
        memory = arena("passband.arena", source.nbytes, ring=self.ring, **self.options)
        reader = memory.open_reader()
        try:
            with producer(_place if self.places else _copy, memory, source):
                while True:
                    yield reader.get(TIMEOUT)
        finally:
            memory.close()
            memory.unlink()


@dataclass(frozen=True)
class PlacedInSubprocess(Arrays):
    """The kernel in the worker of `iterate_in_subprocess`."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what a kernel makes; yields what arrives."""
        memory = arena("passband.arena", source.nbytes, ring=False, **self.options)
        make = partial(_placed, source.nbytes)
        return iter(
            iterate_in_subprocess(make, buffer_size=AHEAD, mp_context="spawn", arena=memory)
        )


@dataclass(frozen=True)
class KernelAlone(Arrays):
    """The kernel in the consumer's own process, over as many private arrays in rotation."""

    name: str

    def receive(self, source: Source) -> Iterator[Any]:
        """Yields what the kernel makes."""
        size, steps = source.nbytes // 8, kernel(source.nbytes)
        # Ones, so that all memory is there before the kernel runs.
        for out in itertools.cycle([np.ones(size, np.complex64) for _ in range(SEGMENTS)]):
            yield steps(out=out)


@dataclass(frozen=True)
class Reading(Arrays):
    """Another transport, and a consumer that reads every byte of each item."""

    name: str
    inner: Transport

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields the sum of what arrives."""
        return (self.inner.words(item).sum() for item in self.inner.receive(source))


def kernel(nbytes: int) -> Callable[..., Any]:
    """The kernel that does least for a byte, on an array of a size: it waits for `out=`."""
    return partial(passband.Mixer(0.1).steps, np.ones(nbytes // 8, np.complex64))


def copy_out(nbytes: int, count: int) -> dict[str, float]:
    """The rate at which a ring gives arrays out, beside copies into new arrays, in turn.

    These copy from as many arrays in rotation as lie in the ring, so that neither finds its source
    in the caches.
    """
    ring = arena("passband.arena", nbytes, ring=True)
    writer, reader = ring.open_writer(), ring.open_reader()
    words = np.arange(nbytes // 8, dtype=np.uint64)
    sources = itertools.cycle([words.copy() for _ in range(SEGMENTS)])
    given, copied = [], []
    for source in itertools.islice(sources, count):
        writer.put(words)
        start = time.perf_counter()
        item = reader.get(TIMEOUT)
        given.append(time.perf_counter() - start)
        del item
        start = time.perf_counter()
        new = np.empty_like(words)
        np.copyto(new, source)
        copied.append(time.perf_counter() - start)
        del new
    return {
        name: nbytes / 1e9 / statistics.median(times)
        for name, times in (("ring out GB/s", given), ("np.empty GB/s", copied))
    }


def _copy(memory: Any, source: Source) -> None:
    writer = memory.open_writer()
    for words in source:
        writer.put(words)


def _place(memory: Any, source: Source) -> None:
    writer, steps, size = memory.open_writer(), kernel(source.nbytes), source.nbytes // 8
    while True:
        writer.put(steps(out=writer.empty(size, np.complex64)))


def _placed(nbytes: int) -> Iterator[Any]:
    size, steps = nbytes // 8, kernel(nbytes)
    while True:
        yield steps(out=empty(size, np.complex64))
