"""What processes have of arenas, from the system's own books; and the items that tests send."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

MARKS = ("memfd:passband", "/dev/shm/passband-")


def mappings(pid: int | str = "self") -> list[str]:
    """The mappings of arenas in a process."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return [line for line in lines if any(mark in line for mark in MARKS)]


def descriptors(pid: int | str = "self") -> list[str]:
    """The descriptors of arenas that a process has open."""
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(link)
        except FileNotFoundError:
            continue
        if any(mark in target for mark in MARKS):
            found.append(f"{link.name} -> {target}")
    return found


def names() -> set[str]:
    """The names of arenas that the system knows."""
    return {path.name for path in Path("/dev/shm").glob("passband-*")}


def abandoned() -> set[str]:
    """The names of arenas that no process has attached."""
    found = set()
    for name in names():
        # Whoever has it attached holds a lock; it may be gone by now, too.
        with suppress(OSError), open(f"/dev/shm/{name}") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found.add(name)
    return found


def children(pid: int | None = None) -> list[int]:
    """The child processes of a process that have not ended, helpers of multiprocessing excepted."""
    found = []
    for task in Path(f"/proc/{pid or os.getpid()}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return [child for child in found if is_running(child) and not _is_helper(child)]


def _is_helper(pid: int) -> bool:
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"resource_tracker" in command or b"forkserver import" in command


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    """Whether a condition comes true; the time is only a limit."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def assert_no_trace() -> None:
    """Asserts that this process has nothing left of any arena, and no worker."""
    assert mappings() == []
    assert descriptors() == []
    # A helper of multiprocessing that was started just now still looks like this process.
    assert eventually(lambda: not children(), 1.0), children()


def filled(count: int, elements: int = 2000) -> Iterator[np.ndarray]:
    """Arrays that are filled with their own number."""
    for number in range(count):
        yield np.full(elements, number, np.int32)


class Filled:
    """The same, again for each pass."""

    def __init__(self, count: int, elements: int = 2000) -> None:
        self.count, self.elements = count, elements

    def __iter__(self) -> Iterator[np.ndarray]:
        return filled(self.count, self.elements)


class Endless:
    """Arrays without an end, each filled with its number."""

    def __iter__(self) -> Iterator[np.ndarray]:
        return filled(1 << 30)
