"""Times copies to a device and back, from and to pinned memory and other; prints a table."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import passband.arena as arena
import passband.cuda as cuda

MIB = 1 << 20
SIZES = (1, 8, 64)
# Seconds for each number, after one run that is not counted.
SECONDS = 0.25
HEADER = f"{'memory':<16}{'MiB':>5}{'to device':>12}{'to host':>12}{'received':>12}   GB/s, medians"


def rate(nbytes: int, run: Callable[[], object]) -> float:
    """The median rate of a call, in GB/s."""
    run()
    times: list[float] = []
    end = time.monotonic() + SECONDS
    while len(times) < 3 or time.monotonic() < end:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return nbytes / statistics.median(times) / 1e9


def memories(nbytes: int) -> dict[str, Any]:
    """The arenas to receive from, by what their arrays lie in."""
    segment = nbytes + MIB
    return {
        "pinned pool": arena.SharedMemorySegmentPool(segment, 3, pin_memory=True),
        "pinned ring": arena.SharedMemoryRingBuffer(3 * segment, pin_memory=True),
        "pageable pool": arena.SharedMemorySegmentPool(segment, 3),
        "pageable ring": arena.SharedMemoryRingBuffer(3 * segment),
    }


def alone(x: Any, there: Any) -> tuple[float, float]:
    """The rates of the copies of an array to the device and back."""
    to_device = rate(x.nbytes, lambda: cuda.copy_h2d(x, out=there).wait())
    return to_device, rate(x.nbytes, lambda: cuda.copy_d2h(there, out=x).wait())


def row(name: str, made: Any, nbytes: int) -> str:
    """The rates of one memory: of each copy alone, and of all from `put` to the device."""
    x = np.random.default_rng(1).integers(0, 255, nbytes, np.uint8)
    with made:
        writer, reader = made.open_writer(), made.open_reader()
        writer.put(x)
        there = cuda.DeviceArray(x.shape, x.dtype)
        to_device, to_host = alone(reader.get(), there)

        def receive() -> None:
            writer.put(x)
            cuda.copy_h2d(reader.get(), out=there).wait()

        whole = rate(nbytes, receive)
        np.testing.assert_array_equal(cuda.copy_d2h(there).wait(), x)
    return f"{name:<16}{nbytes // MIB:>5}{to_device:>12.2f}{to_host:>12.2f}{whole:>12.2f}"


def main() -> None:
    """Prints the table."""
    print(HEADER)
    for size in SIZES:
        for name, made in memories(size * MIB).items():
            print(row(name, made, size * MIB), flush=True)


if __name__ == "__main__":
    main()
