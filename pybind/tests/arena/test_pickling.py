"""An arena on its way to another process, by each start method, and to one that runs already."""

import multiprocessing
import os
import pickle
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest
from passband.arena import ArenaClosed, SharedMemoryRingBuffer, SharedMemorySegmentPool

DEADLINE = 60


def send(arena: Any) -> None:
    """Sends one item, in a child."""
    arena.open_writer().put({"x": np.full(3000, 7.0), "pid": os.getpid()})


def receive_and_send(pipe: Connection) -> None:
    """Gets an arena through a pipe first."""
    pipe.send("ready")
    send(pipe.recv())


def make(kind: str, **options: Any) -> Any:
    if kind == "pool":
        return SharedMemorySegmentPool(1 << 16, 2, **options)
    return SharedMemoryRingBuffer(1 << 16, **options)


def descriptors() -> list[str]:
    """What this process has open of anonymous memory and of shared memory."""
    links = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
    opened = [os.readlink(link) for link in links if os.path.lexists(link)]
    return sorted(name for name in opened if "memfd:" in name or "/dev/shm" in name)


@pytest.mark.parametrize("named", [False, True], ids=["anonymous", "named"])
@pytest.mark.parametrize("kind", ["pool", "ring"])
@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_to_a_child_that_is_started(method: str, kind: str, named: bool) -> None:
    before = descriptors()
    arena = make(kind, named=named)
    reader = arena.open_reader()
    child = multiprocessing.get_context(method).Process(target=send, args=(arena,))
    child.start()
    there = reader.get(timeout=DEADLINE)
    child.join(DEADLINE)
    assert child.exitcode == 0
    assert (there["x"] == 7).all()
    assert there["pid"] == child.pid
    arena.unlink()
    arena.close()
    del there, reader
    assert descriptors() == before


def test_to_a_child_that_runs() -> None:
    arena = make("pool")
    reader = arena.open_reader()
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    child = context.Process(target=receive_and_send, args=(far,))
    child.start()
    assert near.poll(DEADLINE)
    assert near.recv() == "ready"
    near.send(arena)
    there = reader.get(timeout=DEADLINE)
    child.join(DEADLINE)
    assert child.exitcode == 0
    assert (there["x"] == 7).all()


def test_one_that_is_closed_does_not_travel() -> None:
    arena = make("pool")
    arena.unlink()
    with pytest.raises(ArenaClosed, match="unlinked"):
        pickle.dumps(arena)
    arena.close()
    with pytest.raises(ArenaClosed):
        pickle.dumps(arena)
