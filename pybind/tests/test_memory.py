"""Memory: results own what they hold, and nothing grows."""

import gc
import resource
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import passband
import pytest

MB = 1 << 20


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("kept", [0, 10])
@pytest.mark.parametrize("placed", [False, True])
def test_calls_do_not_grow_the_process(kept: int, placed: bool) -> None:
    x = np.ones(1 << 16, np.complex64)
    mixer, window = passband.Mixer(0.1), deque[Any](maxlen=kept)
    out = np.empty_like(x)

    def run(calls: int) -> None:
        for _ in range(calls):
            window.append(mixer.steps(x, out=out) if placed else mixer.steps(x))

    run(200)
    plateau = resident()
    run(3000)
    assert abs(resident() - plateau) < 10 * MB


SHORT = np.ones(1 << 12, np.complex64)
CALLS: dict[str, tuple[Any, Callable[[Any], object]]] = {
    "Sos": (
        passband.Sos([[1, 0, 0, 1, 0, 0]], channels=4),
        lambda k: k.steps(np.ones((4, 999))),
    ),
    "FftFir": (passband.FftFir(np.ones(50), dtype="complex64"), lambda k: k.execute(SHORT)),
    "Pll": (passband.Pll(0.01), lambda k: k.steps(SHORT)),
    "Nlms": (passband.Nlms(2, 0.5, dtype="complex64"), lambda k: k.steps(SHORT, SHORT)),
    "Fft": (passband.Fft(64), lambda k: k.batch(SHORT.reshape(-1, 64))),
    "DelayLine": (passband.DelayLine(1000), lambda k: k.window_view()),
    "PowerAverager": (passband.PowerAverager(), lambda k: (k.push(SHORT), k.value())),
    "LevelMeter": (passband.LevelMeter(dtype="complex64"), lambda k: k.measure(SHORT)),
    "find_peaks": (passband.find_peaks, lambda find: find(np.tile([0.0, 1.0], 1 << 11))),
    "ArbitraryResampler": (
        passband.ArbitraryResampler(0.37, dtype="complex64"),
        lambda k: k.execute(SHORT),
    ),
    "Ddc": (
        passband.Ddc(0.1, np.ones(30), 3),
        lambda k: (k.execute(SHORT), setattr(k, "freq", 0.2)),
    ),
    "Duc": (passband.Duc(0.1, np.ones(30), 3), lambda k: k.execute(SHORT)),
    "Farrow": (passband.Farrow(0.37, dtype="complex64"), lambda k: k.execute(SHORT)),
    "FractionalDelay": (
        passband.FractionalDelay(2.5, max_delay=1000, dtype="complex64"),
        lambda k: (k.steps(SHORT), setattr(k, "delay", 3.25)),
    ),
    "HalfbandInterpolator": (
        passband.HalfbandInterpolator([0.5, 1.0, 0.5], dtype="complex64"),
        lambda k: k.execute(SHORT),
    ),
    "CicDecimator": (passband.CicDecimator(5, 3), lambda k: k.execute(np.ones(9999, np.int16))),
    "SymbolSync": (passband.SymbolSync(4, 0.01, dtype="complex64"), lambda k: k.execute(SHORT)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_of_every_shape_do_not_grow_the_process(name: str) -> None:
    made, call = CALLS[name]
    for _ in range(200):
        call(made)
    plateau = resident()
    for _ in range(2000):
        call(made)
    assert abs(resident() - plateau) < 10 * MB


def test_kept_records_take_what_they_hold() -> None:
    n, calls = 1 << 20, 100
    x = np.zeros(n, np.float32)
    x[100:200] = 2
    bursts = passband.BurstDetector(1.0, 1.0, dtype="float32")
    bound = bursts.max_out(n) * 24
    bursts.detect(x)
    gc.collect()
    before = resident()
    kept = [bursts.detect(x) for _ in range(calls)]
    grown = resident() - before
    assert all(len(found) == 1 and found.base is None and found.nbytes == 24 for found in kept)
    assert grown < 4 * MB < calls * bound / 100


def test_many_records_are_kept_whole() -> None:
    x = np.zeros(1 << 18, np.float32)
    x[::2] = 2
    bursts = passband.BurstDetector(1.0, 1.0, dtype="float32")
    found = [bursts.detect(x) for _ in range(8)]
    starts = np.concatenate([some["start"] for some in found] + [bursts.flush()["start"]])
    assert (starts == np.arange(0, 8 << 18, 2)).all()


def test_a_chain_runs_in_constant_memory() -> None:
    n = 1 << 22
    x = np.ones(n, np.complex64)
    stages = [
        passband.Mixer(0.1),
        passband.Fir([0.5, 0.5], dtype="complex64"),
        passband.Mixer(-0.1),
        passband.FirDecimator([1.0], 1024, dtype="complex64"),
    ]
    chain = passband.Chain(stages)
    chain.execute(x[: 1 << 12])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(chain.execute(x)) == n // 1024
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 4 * MB < x.nbytes


def test_objects_give_their_memory_back() -> None:
    taps = np.ones(1 << 16)
    passband.Fir(taps)
    before = resident()
    for _ in range(200):
        passband.Fir(taps).steps([1.0])
    assert resident() - before < 20 * MB


def in_little_memory(argument: str, kernel: str) -> str:
    """What comes of making a kernel of `x` in 64 MB more than the process has."""
    program = f"""
import re, resource
from pathlib import Path
import numpy as np, passband
x = {argument}
used = int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
try:
    passband.{kernel}
except (MemoryError, ValueError) as error:
    print(type(error).__name__, passband.Fir([1.0, 0.5]).taps)
"""
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout or result.stderr


only_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux bounds the address space"
)


@only_linux
@pytest.mark.parametrize(
    ("argument", "kernel"),
    [
        # Copies of taps and sections fit, and those of the kernels in part.
        ("np.ones(1 << 23, np.float32)", "Fir(x)"),
        ("np.ones((64 << 20) // 36)", "Fir(x)"),
        ("(64 << 20) // 56", "Nlms(x, 0.5, dtype='complex128')"),
        ("1 << 24", "Fft(x)"),
        ("1 << 22", "Fft(x, dtype='complex128')"),
        ("np.tile([1.0, 0, 0, 1, 0, 0], ((64 << 20) // 160, 1))", "Sos(x)"),
    ],
)
def test_kernels_beyond_the_memory_are_an_error(argument: str, kernel: str) -> None:
    assert in_little_memory(argument, kernel) == "MemoryError [1.  0.5]\n"


@only_linux
@pytest.mark.parametrize(
    ("argument", "kernel"),
    [
        ("np.ones((1 << 22) + 1, np.float32)", "FftFir(x)"),
        ("1 << 25", "Fft(x)"),
        ("1 << 31", "MovingMedian(x)"),
        ("1 << 31", "FractionalDelay(3.0, order=x)"),
        ("1 << 30", "Hilbert(x)"),
        ("1 << 30", "Lms(x, 0.0)"),
    ],
)
def test_what_is_refused_asks_for_no_memory(argument: str, kernel: str) -> None:
    assert in_little_memory(argument, kernel) == "ValueError [1.  0.5]\n"
