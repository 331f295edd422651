"""What one transport does, seen by its consumer. Each function is run in a process of its own."""

import multiprocessing
import os
import re
import statistics
import time
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from sources import Source
from transports import Transport

Figures = dict[str, float]

PAUSE = 0.002
MIB = 1 << 20
# Enough that an item taken too early or too late does not show in the processor time.
FEWEST = 20


def load(transport: Transport, nbytes: int, seconds: float) -> Figures:
    """Rates and processor time while the producer sends as fast as it can, and peak memory."""
    items = transport.receive(Source(nbytes))
    _drop(items, 1)
    pids = [os.getpid(), *_children()]
    # The producer is ahead by as many items at the end as at the start, and never runs dry.
    count = _count(items, seconds)
    cpu, start = _cpu_seconds(pids), time.perf_counter()
    _drop(items, count)
    elapsed, cpu = time.perf_counter() - start, _cpu_seconds(pids) - cpu
    gigabytes = count * nbytes / 1e9
    figures = {
        "items/s": count / elapsed,
        "GB/s": gigabytes / elapsed,
        "CPU s/GB": cpu / gigabytes,
    }
    for role, pid in zip(("consumer", "producer"), pids, strict=False):
        peak, shared = _memory(pid)
        figures |= {f"{role} peak MiB": peak, f"{role} own MiB": peak - shared}
    return figures


def latency(transport: Transport, nbytes: int, count: int) -> Figures:
    """Microseconds from before an array is sent until it is there, both sides idle before."""
    items = transport.receive(Source(nbytes, PAUSE))
    _drop(items, 20)
    times = [
        (time.perf_counter_ns() - int(transport.words(item)[0])) / 1e3
        for item in islice(items, count)
    ]
    return {"p50 us": statistics.median(times), "p90 us": statistics.quantiles(times, n=10)[-1]}


def reader_idle(transport: Transport, seconds: float) -> Figures:
    """Processor time of a reader that waits for an item."""
    items = transport.receive(Source(1 << 16, seconds))
    _drop(items, 1)
    before = _cpu_seconds([os.getpid()])
    _drop(items, 1)
    return {"idle reader ms": 1e3 * (_cpu_seconds([os.getpid()]) - before)}


def writer_blocked(transport: Transport, seconds: float) -> Figures:
    """Processor time of a writer whose reader does not read."""
    items = transport.receive(Source(1 << 16))
    _drop(items, 1)
    time.sleep(0.5)
    before = _cpu_seconds(_children())
    time.sleep(seconds)
    return {"blocked writer ms": 1e3 * (_cpu_seconds(_children()) - before)}


def bare(nbytes: int) -> Figures:
    """Peak memory of a process that has an interpreter, NumPy, and one array."""
    words = np.arange(nbytes // 8, dtype=np.uint64)
    assert len(words) == nbytes // 8
    return {"bare MiB": _memory(os.getpid())[0]}


def _drop(items: Iterator[Any], count: int) -> None:
    """Takes items, each of which is gone before the next is asked for."""
    deque(islice(items, count), maxlen=0)


def _count(items: Iterator[Any], seconds: float) -> int:
    """How many items come in a time, found by taking some for a third of it."""
    count, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds / 3:
        _drop(items, 4)
        count += 4
    return max(FEWEST, round(count / elapsed * seconds))


def _children() -> list[int]:
    return [child.pid for child in multiprocessing.active_children() if child.pid]


def _cpu_seconds(pids: list[int]) -> float:
    """Processor time of all threads of some processes, as `clock_getcpuclockid` names it."""
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def _memory(pid: int) -> tuple[float, float]:
    """The most memory that a process has had at once, and what it shares with others, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    kib = dict(re.findall(r"^(VmHWM|RssShmem):\s*(\d+) kB$", status, re.MULTILINE))
    return int(kib["VmHWM"]) / 1024, int(kib["RssShmem"]) / 1024
