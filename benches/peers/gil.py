"""How much of its rate a counting thread keeps beside a long call."""

import threading
import time
from collections.abc import Callable
from typing import Any

import doppler.filter
import numpy as np
import passband
from scipy import signal

SECONDS = 0.5
N = 1 << 20
TAPS = np.ones(64, np.float32) / 64


def rate(call: Callable[[], Any] | None) -> float:
    """Counts per second of this thread while another repeats a call, if there is one."""
    stop = threading.Event()

    def repeat() -> None:
        while call is not None and not stop.is_set():
            call()

    thread = threading.Thread(target=repeat)
    thread.start()
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        count += 1
    elapsed = time.perf_counter() - start
    stop.set()
    thread.join()
    return count / elapsed


def main() -> None:
    """Prints the rate beside each call as a fraction of that of a thread that is alone."""
    x = np.ones(N, np.complex64)
    fir = passband.Fir(TAPS, dtype="complex64")
    peer = doppler.filter.FIR(TAPS)
    calls: dict[str, Callable[[], Any]] = {
        "passband Fir": lambda: fir.steps(x),
        "doppler-dsp FIR": lambda: peer.execute(x),
        "scipy lfilter": lambda: signal.lfilter(TAPS, 1, x),
    }
    alone = rate(None)
    print(f"{'counting beside':<18}{'rate kept':>10}")
    for name, call in calls.items():
        print(f"{name:<18}{rate(call) / alone:>10.0%}")


if __name__ == "__main__":
    main()
