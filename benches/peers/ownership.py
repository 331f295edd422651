"""Measures what owning and placing results costs, and writes the tables and plots of the book.

All figures of one run are taken in turn, so that their ratios hold on a machine whose clock moves.
"""

import ctypes
import itertools
import os
import platform
import re
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import passband
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from timing import interleaved, loop
from tqdm import tqdm

Samples = NDArray[np.complex64]
Rows = list[list[str]]

BOOK = Path(__file__).resolve().parents[2] / "docs"
SIZES = {64: "64", 1 << 10: "1 Ki", 1 << 16: "64 Ki"}
# Calls whose times are looked at one by one, and how many of one kind come in a row.
CALLS, TURN = 3000, 100
KEPT = 16
KEPT_BYTES = 1 << 27
ROUNDS = 15
QUANTILES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999, "max": 1.0}


def buffer(n: int, offset: int) -> Samples:
    """An array that starts `offset` bytes after a multiple of 64."""
    memory = np.zeros(8 * n + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    return memory[start : start + 8 * n].view(np.complex64)


def kernels() -> dict[str, Callable[..., Samples]]:
    """The kernel with the least work for a byte, and one with some."""
    taps = np.ones(64, np.float32) / 64
    return {
        "Mixer": passband.Mixer(0.1).steps,
        "Fir, 64 taps": passband.Fir(taps, dtype="complex64").steps,
    }


def table(head: list[str], rows: Rows) -> str:
    """A table in Markdown, all columns but the first to the right."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def timed(call: Callable[..., Samples], x: Samples, outs: dict[str, Any]) -> dict[str, float]:
    """Nanoseconds of a call, for each way to place its result."""
    repeats = max(20, 400_000 // len(x))
    runs = {
        name: loop("call(x, **out)", {"call": call, "x": x, "out": out}, repeats)
        for name, out in outs.items()
    }
    return {name: 1e9 * t / repeats for name, t in interleaved(runs, ROUNDS).items()}


def throughput() -> str:
    """Fresh results against `out=`, aligned to a vector and to an item only."""
    rows = []
    for (name, call), n in tqdm(list(itertools.product(kernels().items(), SIZES)), "throughput"):
        outs = {"fresh": {}, "aligned": {"out": buffer(n, 0)}, "item": {"out": buffer(n, 8)}}
        ns = timed(call, np.ones(n, np.complex64), outs)
        fresh, aligned, item = ns["fresh"], ns["aligned"], ns["item"]
        absolute = [f"{value:,.0f}" for value in (fresh, aligned, item)]
        relative = [f"{aligned / fresh:.2f}", f"{aligned - fresh:+,.0f}", f"{item / aligned:.2f}"]
        rows.append([f"{name}, {SIZES[n]}", *absolute, *relative])
    head = ["kernel, samples", "fresh, ns", "`out=`, ns", "`out=` at an item, ns"]
    return table([*head, "`out=` / fresh", "difference, ns", "at an item / aligned"], rows)


def call_times(n: int, progress: Any) -> dict[str, NDArray[np.float64]]:
    """Microseconds of each of many calls of a mixer, for each way to hold its results."""
    x, steps = np.ones(n, np.complex64), passband.Mixer(0.1).steps
    last: deque[Samples] = deque(maxlen=KEPT)
    aligned, item = buffer(n, 0), buffer(n, 8)
    ways: dict[str, Callable[[], object]] = {
        "fresh": lambda: steps(x),
        f"fresh, last {KEPT} kept": lambda: last.append(steps(x)),
        "`out=`": lambda: steps(x, out=aligned),
        "`out=` at an item": lambda: steps(x, out=item),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(CALLS // TURN):
        for name, way in ways.items():
            way()
            for _ in range(TURN):
                start = time.perf_counter_ns()
                way()
                times[name].append((time.perf_counter_ns() - start) / 1e3)
        progress.update()
    return {name: np.array(some) for name, some in times.items()}


def latency() -> str:
    """The spread of call times, as a table and a plot."""
    rows = []
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    with tqdm(total=2 * CALLS // TURN, desc="call times") as progress:
        for n, axis in zip((1 << 10, 1 << 16), axes, strict=True):
            times = call_times(n, progress)
            reference = [np.quantile(times["fresh"], q) for q in QUANTILES.values()]
            for name, some in times.items():
                values = [np.quantile(some, q) for q in QUANTILES.values()]
                ratios = [a / b for a, b in zip(values, reference, strict=True)]
                cells = [f"{a:.2f} ({b:.2f})" for a, b in zip(values, ratios, strict=True)]
                rows.append([f"{SIZES[n]}, {name}", *cells])
                above = np.geomspace(1, 1 / CALLS, 150)
                axis.plot(above, np.quantile(some, 1 - above), label=name.replace("`", ""))
            axis.set(xscale="log", yscale="log", title=f"Mixer, {SIZES[n]} samples")
            axis.set(xlabel="fraction of calls that take longer", ylabel="microseconds")
            axis.invert_xaxis()
            axis.grid(visible=True, alpha=0.3)
    axes[0].legend(fontsize="small")
    save(figure, "call-times")
    return table(["samples, result", *(f"{name}, us" for name in QUANTILES)], rows)


def allocated(n: int) -> dict[str, float]:
    """Nanoseconds of an array of `n` samples beyond those of writing into one that is there."""
    count = max(16, min(2000, KEPT_BYTES // (8 * n)))
    sizes = np.random.default_rng(1).integers(n // 2, 3 * n // 2, count, endpoint=True).tolist()
    kept: list[Samples] = []
    names = {"empty": np.empty, "n": n, "sizes": iter(sizes), "kept": kept, "a": np.empty(n, "c8")}
    # Memory is there once each page has been written to.
    runs = {
        "dropped": loop("empty(n, 'c8')[::512] = 0", names, count),
        "of varying sizes": loop("empty(next(sizes), 'c8')[::512] = 0", names, count),
        "kept": loop("b = empty(n, 'c8'); b[::512] = 0; kept.append(b)", names, count),
        "": loop("a[::512] = 0", names, count),
    }
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            run.__globals__["sizes"] = iter(sizes)
            if name == "kept":
                # As in a program that grows: nothing is left over from arrays before.
                kept.clear()
                ctypes.CDLL(None).malloc_trim(0)
            start = time.perf_counter()
            run()
            best[name] = min(best[name], 1e9 * (time.perf_counter() - start) / count)
    return {name: ns - best[""] for name, ns in best.items() if name}


def allocation() -> str:
    """What an array costs, as a table and a plot."""
    sizes = [1 << power for power in range(6, 21, 2)]
    costs = [allocated(n) for n in tqdm(sizes, "allocation")]
    rows = []
    figure, axis = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for name in costs[0]:
        axis.plot(sizes, [cost[name] for cost in costs], marker="o", label=name)
    axis.set(xscale="log", yscale="log", title="An array of complex64, each page written to")
    axis.set(xlabel="samples", ylabel="nanoseconds")
    axis.grid(visible=True, alpha=0.3)
    axis.legend()
    save(figure, "allocation")
    for n, cost in zip(sizes, costs, strict=True):
        label = f"{n >> 20} Mi" if n >> 20 else f"{n >> 10} Ki" if n >> 10 else str(n)
        dropped = cost["dropped"]
        rows.append([label, *(f"{ns:,.0f} ({ns / dropped:.1f})" for ns in cost.values())])
    return table(["samples", *(f"{name}, ns" for name in costs[0])], rows)


def machine() -> str:
    """What the figures were measured on."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.*)$", info, re.MULTILINE)
    return (
        f"{model[1] if model else platform.processor()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f} at the start; {platform.system()} {platform.release()}, "
        f"{' '.join(platform.libc_ver())}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, passband {passband.__version__} at {passband.simd_level()}."
    )


def save(figure: Any, name: str) -> None:
    """Writes a plot for the book, without what differs between runs for nothing."""
    folder = BOOK / "pages/ownership"
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    """Measures everything and writes it into the book."""
    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "passband", "svg.fonttype": "none"}
    parts = {
        "machine": machine(),
        "throughput": throughput(),
        "call-times": latency(),
        "allocation": allocation(),
    }
    text = "".join(f"--8<-- [start:{k}]\n{part}\n--8<-- [end:{k}]\n\n" for k, part in parts.items())
    (BOOK / "measured").mkdir(exist_ok=True)
    (BOOK / "measured/ownership.md").write_text(text, encoding="utf-8")
    print(*parts.values(), sep="\n\n")


if __name__ == "__main__":
    main()
