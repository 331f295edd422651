"""Scenarios of several processes."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import passband
import passband.arena as arena
import passband.cuda as cuda
from registry import assert_nothing_is_left, scenario


class Blocks:
    """Blocks of samples that are written in place, where that is possible."""

    def __iter__(self) -> Iterator[Any]:
        mixer = passband.Mixer(0.25)
        x = np.ones(50_000, np.complex64)
        for number in range(10):
            out = arena.empty(len(x), "complex64")
            yield number, mixer.steps(x * number, out=out)


def _iterate(method: str) -> None:
    pool = partial(arena.SharedMemorySegmentPool, 1 << 20, 4)
    for make in (pool, partial(arena.SharedMemoryRingBuffer, 1 << 22)):
        pinned = make(pin_memory=True)
        items = arena.iterate_in_subprocess(Blocks, mp_context=method, arena=pinned)
        for _ in range(2):
            for number, x in items:
                there = cuda.transfer_tensor_h2d(x)
                back = cuda.transfer_tensor_d2h(there)
                assert abs(np.vdot(back, back).real / 50_000 - number**2) < 1e-3
        items.close()
        del items, x, there, pinned
        assert_nothing_is_left()


@scenario
def workers_by_spawn() -> None:
    _iterate("spawn")


@scenario
def workers_by_forkserver() -> None:
    _iterate("forkserver")


@scenario
def a_forked_child_ends_by_itself() -> None:
    for _ in range(20):
        pinned = cuda.register_buffer(np.zeros(5000))
        # The cleaner gives the array back, just as the process is forked.
        del pinned
        child = os.fork()
        if child == 0:
            sys.exit(0)
        end = time.monotonic() + 10
        while (status := os.waitpid(child, os.WNOHANG)) == (0, 0):
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
            time.sleep(0.001)
        assert status == (child, 0)
    assert_nothing_is_left()


@scenario
def a_forked_child_is_refused() -> None:
    assert cuda.device_count() > 0
    x = cuda.transfer_tensor_h2d(np.arange(10))
    pool = arena.SharedMemorySegmentPool(1 << 16, 2, pin_memory=True)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        refused = []
        for attempt in (
            cuda.device_count,
            partial(cuda.transfer_tensor_h2d, np.arange(10)),
            partial(cuda.transfer_tensor_d2h, x),
            partial(cuda.register_buffer, np.zeros(10)),
            pool.open_reader,
            partial(arena.SharedMemoryRingBuffer, 1 << 16, pin_memory=True),
        ):
            try:
                attempt()
            except RuntimeError as error:
                refused.append("fork" in str(error) and "spawn" in str(error))
        os.write(write, repr(refused).encode())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(read, 1000).decode() == repr([True] * 6)
    # The parent is as it was.
    assert cuda.transfer_tensor_d2h(x)[9] == 9
    reader = pool.open_reader()
    pool.close()
    pool.unlink()
    del x, reader
    assert_nothing_is_left()
