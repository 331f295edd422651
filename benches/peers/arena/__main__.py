"""Times the arena beside other ways to hand arrays to another process, all in one run.

Each figure comes from two fresh processes. All transports take turns within a round, so that
ratios of one round hold on a machine whose clock moves.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from typing import NamedTuple

import measure
from contenders import ALONE, COPYING, PLACED, READING, SPINNING
from endpoints import copy_out
from floors import floors
from report import SIZES, Results, tables
from tqdm import tqdm
from transports import SPAWN

FULL = {"seconds": 1.0, "handoffs": 400, "copies": 20, "wait": 10.0}
QUICK = {"rounds": 1, "seconds": 0.1, "handoffs": 50, "copies": 3, "wait": 0.5}


class Job(NamedTuple):
    """One thing to measure, and under which name and size its figures are kept."""

    name: str
    nbytes: int
    run: Callable[[], measure.Figures]


def jobs(options: argparse.Namespace) -> Iterator[Job]:
    """What is measured in each round."""
    for nbytes in SIZES:
        yield Job("bare process", nbytes, partial(measure.bare, nbytes))
        for transport in (*COPYING, ALONE, *PLACED, *SPINNING, *READING):
            load = partial(measure.load, transport, nbytes, options.seconds)
            yield Job(transport.name, nbytes, load)
    for transport in COPYING:
        latency = partial(measure.latency, transport, 1 << 16, options.handoffs)
        yield Job(transport.name, 1 << 16, latency)
    largest = max(SIZES)
    yield Job("copy-out", largest, partial(copy_out, largest, options.copies))


def waiting(options: argparse.Namespace) -> Iterator[Job]:
    """What is measured once."""
    for transport in COPYING:
        for run in (measure.reader_idle, measure.writer_blocked):
            yield Job(transport.name, 1 << 16, partial(run, transport, options.wait))


def alone(run: Callable[[], measure.Figures]) -> measure.Figures:
    """Runs a function in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
        return pool.submit(run).result()


def quiet_tracker() -> None:
    """Starts the tracker of shared memory without a voice: SPDL tells it of each name twice."""
    voice, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    resource_tracker.ensure_running()
    os.dup2(voice, 2)
    os.close(voice)
    os.close(null)


def main() -> None:
    """Measures everything and prints it."""
    parser = argparse.ArgumentParser(prog="arena", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round, to see that it runs")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--csv", type=Path, help="a folder for all figures as arena.csv")
    options = parser.parse_args()
    vars(options).update(QUICK if options.quick else FULL)
    print("load average", *os.getloadavg(), f"on {os.cpu_count()} processors", flush=True)
    quiet_tracker()
    results = Results()
    todo = [*(list(jobs(options)) * options.rounds), *waiting(options)]
    for job in tqdm(todo, leave=False):
        results.add(job.name, job.nbytes, alone(job.run))
    print(tables(results), floors(results), sep="\n\n")
    if options.csv:
        options.csv.mkdir(parents=True, exist_ok=True)
        results.write(options.csv / "arena.csv")


if __name__ == "__main__":
    main()
