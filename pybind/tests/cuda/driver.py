"""The library that stands in for the driver, as this process has it: its controls and its books."""

import ctypes
import functools
import gc
import time
from collections.abc import Callable
from typing import Any


@functools.cache
def _library() -> Any:
    library = ctypes.CDLL("libcuda.so")
    library.test_driver_report.restype = ctypes.c_char_p
    return library


def control(words: str) -> None:
    """Has the driver fail, or copy late, from here on."""
    assert _library().test_driver_control(words.encode()) == 0, words


def report() -> dict[str, int]:
    """What the driver has live, and how often each function was called; there must be no fault."""
    lines = _library().test_driver_report().decode().splitlines()
    faults = int(lines[0].split()[1])
    assert faults == 0, "\n".join(lines[: 1 + faults])
    pairs = (line.removeprefix("calls ").rpartition(" ") for line in lines[1:])
    return {name: int(number) for name, _, number in pairs}


def eventually(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    """Whether a condition comes true; the time is only a limit."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def assert_all_given_back(*, but: int = 0) -> None:
    """Asserts that no memory is pinned but blocks that are kept, and nothing is queued."""
    gc.collect()

    def live() -> list[int]:
        books = report()
        return [books[name] for name in ("registered", "device", "queued")]

    assert eventually(lambda: live() == [0, but, 0]), report()
