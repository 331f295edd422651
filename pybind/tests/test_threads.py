"""Threads: one call at a time on an object, others beside it."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import passband
import pytest

TAPS = np.ones(2000) / 2000
X = np.ones(1 << 18)


def during(call: Callable[[], Any], meanwhile: Callable[[], bool]) -> int:
    """Runs `call` in a thread, and `meanwhile` until it says so or the call is over.

    Gives how often `meanwhile` ran.
    """
    thread = threading.Thread(target=call)
    ran = 0
    thread.start()
    while thread.is_alive():
        ran += 1
        if meanwhile():
            break
    thread.join()
    return ran


def test_a_second_call_on_one_object_is_an_error_and_corrupts_nothing() -> None:
    fir = passband.Fir(TAPS)
    expected = fir.steps(X)
    state = fir.get_state()
    second: dict[str, Callable[[], Any]] = {
        "get_state": fir.get_state,
        "steps": lambda: fir.steps([1.0]),
        "out": lambda: fir.steps([1.0], out=np.empty(1)),
        "step": lambda: fir.step(1.0),
        "reset": fir.reset,
        "set_state": lambda: fir.set_state(state),
    }
    refused: set[str] = set()

    def meanwhile() -> bool:
        # `get_state` comes first, and changes nothing where the other call has not begun.
        for name, call in second.items():
            try:
                call()
            except RuntimeError as error:
                assert str(error).startswith("Fir: expected one call at a time, given a second")
                refused.add(name)
            else:
                return False
        return True

    for _ in range(50):
        fir.reset()
        results: list[Any] = []
        during(lambda results=results: results.append(fir.steps(X)), meanwhile)
        assert (results[0] == expected).all()
        if refused == set(second):
            break
    assert refused == set(second)


def test_attributes_that_are_no_state_can_be_read_meanwhile() -> None:
    fir = passband.Fir(TAPS)
    assert during(lambda: fir.steps(X), lambda: len(fir.taps) == len(TAPS)) == 1


LONG: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "Fir": (passband.Fir(TAPS), lambda k: k.steps(X)),
    "FirDecimator": (passband.FirDecimator(TAPS, 2), lambda k: k.execute(X)),
    "LocalOscillator": (passband.LocalOscillator(0.1), lambda k: k.steps(1 << 24)),
    "Mixer": (passband.Mixer(0.1), lambda k: k.steps(np.zeros(1 << 23, "c8"))),
    "FmDemod": (passband.FmDemod(), lambda k: k.steps(np.zeros(1 << 23, "c8"))),
    "BurstDetector": (passband.BurstDetector(1, 1), lambda k: k.detect(np.zeros(1 << 23, "c8"))),
    "Sos": (passband.Sos([[1.0, 0, 0, 1, 0, 0]] * 8), lambda k: k.steps(X)),
    "MovingAverage": (passband.MovingAverage(9), lambda k: k.steps(np.zeros(1 << 22, "f4"))),
    "DcBlocker": (passband.DcBlocker(0.9), lambda k: k.steps(np.zeros(1 << 22, "f4"))),
    "Nco": (passband.Nco(), lambda k: k.steps(np.zeros(1 << 23, "f4"))),
    "Nlms": (passband.Nlms(64, 0.5), lambda k: k.steps(X.astype("f4"), X.astype("f4"))),
    "Pll": (passband.Pll(0.01), lambda k: k.steps(np.zeros(1 << 20, "c8"))),
    "PulseSlicer": (passband.PulseSlicer(1, 1), lambda k: k.detect(np.zeros(1 << 24, "f4"))),
    "PowerAverager": (passband.PowerAverager(), lambda k: k.push(np.zeros(1 << 23, "c8"))),
    "LevelMeter": (passband.LevelMeter(), lambda k: k.measure(np.zeros(1 << 24, "f4"))),
    "FftFir": (passband.FftFir(TAPS), lambda k: k.execute(X)),
    "SymbolSync": (passband.SymbolSync(4, 0.1), lambda k: k.execute(np.zeros(1 << 22, "f4"))),
    "Fft": (passband.Fft(1024), lambda k: k.batch(np.zeros((1 << 10, 1 << 10), "c8"))),
    "Sos of channels": (
        passband.Sos([[1.0, 0, 0, 1, 0, 0]] * 8, channels=8),
        lambda k: k.steps(X.reshape(8, -1)),
    ),
    "U8ToF32": (passband.U8ToF32(), lambda k: k.steps(np.zeros(1 << 24, "u1"))),
    "F32ToI16": (passband.F32ToI16(), lambda k: k.steps(np.zeros(1 << 24, "f4"))),
}


@pytest.mark.parametrize("name", LONG)
def test_long_calls_release_the_interpreter_lock(name: str) -> None:
    # Only a thread that runs while the call does can meet its busy flag.
    made, call = LONG[name]
    met: list[RuntimeError] = []

    def meanwhile() -> bool:
        try:
            made.get_state()
        except RuntimeError as error:
            met.append(error)
        return bool(met)

    for _ in range(200):
        during(lambda: call(made), meanwhile)
        if met:
            break
    assert met


@pytest.mark.parametrize(
    "make",
    [lambda line: line.steps, lambda line: passband.Chain([passband.Fir(TAPS), line]).execute],
)
def test_calls_that_change_a_window_keep_the_lock(make: Callable[[Any], Any]) -> None:
    line = passband.DelayLine(1000, dtype="float64")
    window, call = line.window_view(), make(line)
    seen: set[float] = set()

    def meanwhile() -> bool:
        # Not busy whenever another thread runs, so that the window stands still.
        line.get_state()
        seen.add(window[-1])
        return False

    during(lambda: call(X), meanwhile)
    assert seen <= {0.0, window[-1]}


@pytest.mark.parametrize(
    "call",
    [
        lambda out: passband.hann(len(out), out=out),
        lambda out: passband.math.magnitude(np.ones(len(out)), out=out),
    ],
    ids=["hann", "magnitude"],
)
def test_long_functions_release_the_interpreter_lock(call: Callable[[Any], Any]) -> None:
    # Only a thread that runs while the function does can see its result half done.
    out = np.empty(1 << 22)
    half_done: list[bool] = []

    def meanwhile() -> bool:
        if not np.isnan(out[0]) and np.isnan(out[-1]):
            half_done.append(True)
        return bool(half_done)

    for _ in range(20):
        out[:] = np.nan
        during(lambda: call(out), meanwhile)
        if half_done:
            break
    assert half_done


def test_a_stage_of_a_running_chain_is_busy() -> None:
    fir = passband.Fir(TAPS)
    chain = passband.Chain([passband.Mixer(0.1), passband.Fir([1.0], dtype="complex64")])
    long = passband.Chain([fir])
    refused: list[str] = []

    def meanwhile() -> bool:
        try:
            fir.steps([1.0])
        except RuntimeError as error:
            refused.append(str(error))
        try:
            long.execute([1.0])
        except RuntimeError as error:
            refused.append(str(error))
        return len({text.split(":")[0] for text in refused}) == 2

    during(lambda: long.execute(X), meanwhile)
    assert {text.split(":")[0] for text in refused} == {"Fir", "Chain"}
    assert len(chain.execute(np.ones(3, np.complex64))) == 3


def test_a_chain_takes_all_flags_or_none() -> None:
    slow, free = passband.Fir(TAPS), passband.Fir([1.0])
    chain = passband.Chain([free, slow])
    refused: list[str] = []

    def meanwhile() -> bool:
        try:
            chain.execute([1.0])
        except RuntimeError as error:
            refused.append(str(error))
            # The flag of the first stage was given back.
            free.steps([1.0])
        return bool(refused)

    during(lambda: slow.steps(X), meanwhile)
    assert refused
    assert refused[0].startswith("Fir: expected one call at a time")


def test_objects_of_their_own_run_side_by_side() -> None:
    expected = passband.Fir(TAPS).steps(X)
    results: list[Any] = []

    def run() -> None:
        results.append(passband.Fir(TAPS).steps(X))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all((result == expected).all() for result in results)
