"""What `out=` changes: throughput and the spread of call times, fresh and placed."""

import time
from collections.abc import Mapping

import numpy as np
import passband
from numpy.typing import NDArray
from timing import interleaved, loop

Samples = NDArray[np.complex64]

CALLS = 2000
ROUNDS = 3


def spread(mixer: passband.Mixer, x: Samples, out: Mapping[str, Samples]) -> list[float]:
    """Microseconds of calls: the median, two percentiles and the longest."""
    times = []
    for _ in range(CALLS):
        start = time.perf_counter()
        mixer.steps(x, **out)
        times.append(time.perf_counter() - start)
    return [1e6 * float(q) for q in np.quantile(times, [0.5, 0.99, 0.999, 1.0])]


def main() -> None:
    """Prints throughput and percentiles of a mixer, the kernel with the least work per byte."""
    mixer = passband.Mixer(0.1)
    print(f"{'Mixer':<18}{'n':>7}{'MSa/s':>9}{'p50 us':>9}{'p99':>8}{'p99.9':>8}{'max':>9}")
    for n in (1 << 10, 1 << 16):
        x = np.ones(n, np.complex64)
        memory = np.zeros(8 * n + 128, np.uint8)
        start = -memory.ctypes.data % 64
        aligned = memory[start : start + 8 * n].view(np.complex64)
        items = memory[start + 8 : start + 8 + 8 * n].view(np.complex64)
        outs: dict[str, dict[str, Samples]] = {
            "fresh": {},
            "out=, 64 bytes": {"out": aligned},
            "out=, item": {"out": items},
        }
        repeats = (1 << 22) // n
        runs = {
            name: loop("steps(x, **out)", {"steps": mixer.steps, "x": x, "out": out}, repeats)
            for name, out in outs.items()
        }
        seconds = interleaved(runs, ROUNDS)
        for name, out in outs.items():
            rate = repeats * n / seconds[name] / 1e6
            p50, p99, p999, longest = spread(mixer, x, out)
            print(f"{name:<18}{n:>7}{rate:>9.0f}{p50:>9.2f}{p99:>8.2f}{p999:>8.2f}{longest:>9.1f}")


if __name__ == "__main__":
    main()
