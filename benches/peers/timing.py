"""Timing of Python statements in turn, so that ratios hold on a machine whose clock moves."""

import time
from collections.abc import Callable, Mapping
from typing import Any


def loop(statement: str, names: Mapping[str, Any], repeats: int) -> Callable[[], None]:
    """A function that runs a statement `repeats` times."""
    space = dict(names, repeats=range(repeats))
    exec(f"def run():\n    for _ in repeats:\n        {statement}\n", space)
    run: Callable[[], None] = space["run"]
    return run


def interleaved(runs: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The shortest time of each run in seconds, all runs taking turns."""
    best = dict.fromkeys(runs, float("inf"))
    for run in runs.values():
        run()
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best
