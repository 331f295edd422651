"""A way from one process to another, and the two that a Python programmer has at hand."""

import contextlib
import multiprocessing
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Any

from sources import Source, Words

SPAWN = multiprocessing.get_context("spawn")
# How many items may be on their way, of every transport that lets one choose.
AHEAD = 3


class Transport(ABC):
    """A way for the arrays of a source in one process to reach another."""

    name: str

    @abstractmethod
    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""

    @abstractmethod
    def words(self, item: Any) -> Words:
        """The array in an item, where it lies."""


class Items(Transport):
    """A transport of items that have an array among other things."""

    def words(self, item: Any) -> Words:
        """The array in an item, where it lies."""
        words: Words = item["x"]
        return words


@dataclass(frozen=True)
class Queue(Items):
    """`multiprocessing.Queue`: pickles through a pipe."""

    name: str

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""
        queue = SPAWN.Queue(AHEAD)
        with producer(_put, queue, source):
            while True:
                yield queue.get()


@contextlib.contextmanager
def producer(send: Callable[..., None], *args: Any) -> Iterator[BaseProcess]:
    """A process that sends until the end of a `with` block."""
    process = SPAWN.Process(target=_until_terminated, args=(send, *args))
    process.start()
    try:
        yield process
    finally:
        process.terminate()
        process.join(5)
        process.kill()
        process.join()


def _until_terminated(send: Callable[..., None], *args: Any) -> None:
    """Sends, and unwinds on SIGTERM so that nothing of a transport is left behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    send(*args)


def _put(queue: Any, source: Source) -> None:
    # Nobody reads what is in the pipe at the end.
    queue.cancel_join_thread()
    for item in source.items():
        queue.put(item)
