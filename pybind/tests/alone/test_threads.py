"""Threads: one call at a time on an object, others beside it.

This looks at who gets the processors, so that no other tests run beside it.
"""

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import passband
import pytest

TAPS = np.ones(2000) / 2000
X = np.ones(1 << 18)


def beside(call: Callable[[], Any], look: Callable[[], bool], calls: int = 200) -> bool:
    """Makes calls in a thread, and looks at them from here until `look` has seen one.

    Either thread may be kept off the processor for longer than a call takes, so that a single
    call may pass unseen. Calls in a row do not, if one can be seen at all.
    """
    seen = False

    def run() -> None:
        for _ in range(calls):
            if seen:
                break
            call()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while thread.is_alive() and not seen:
            seen = look()
        return seen
    finally:
        seen = True
        thread.join()


def refused(call: Callable[[], Any]) -> str:
    """The name of the object that refuses `call` because it is in another one; empty if none."""
    try:
        call()
    except RuntimeError as error:
        name, _, text = str(error).partition(": ")
        assert text.startswith("expected one call at a time, given a second")
        return name
    return ""


def test_a_second_call_on_one_object_is_an_error_and_corrupts_nothing() -> None:
    fir = passband.Fir(TAPS)
    expected = fir.steps(X)
    state = fir.get_state()
    # `get_state` comes first, and changes nothing where the other call has not begun.
    second: dict[str, Callable[[], Any]] = {
        "get_state": fir.get_state,
        "steps": lambda: fir.steps([1.0]),
        "out": lambda: fir.steps([1.0], out=np.empty(1)),
        "step": lambda: fir.step(1.0),
        "reset": fir.reset,
        "set_state": lambda: fir.set_state(state),
    }
    tried: set[str] = set()

    def look() -> bool:
        for name, call in second.items():
            if refused(call) != "Fir":
                return False
            tried.add(name)
        return True

    for _ in range(200):
        fir.reset()
        results: list[Any] = []
        beside(lambda results=results: results.append(fir.steps(X)), look, calls=1)
        assert (results[0] == expected).all()
        if tried == set(second):
            break
    assert tried == set(second)


def test_attributes_that_are_no_state_can_be_read_meanwhile() -> None:
    fir = passband.Fir(TAPS)

    def look() -> bool:
        return bool(refused(fir.reset)) and len(fir.taps) == len(TAPS) and bool(refused(fir.reset))

    assert beside(lambda: fir.steps(X), look)


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
    "MovingMedian": (passband.MovingMedian(99), lambda k: k.steps(X.astype("f4"))),
    "OnePole": (passband.OnePole(0.1), lambda k: k.steps(np.zeros(1 << 22, "f4"))),
    "Deemphasis": (passband.Deemphasis(3.6), lambda k: k.steps(np.zeros(1 << 22, "f4"))),
    "Allpass": (passband.Allpass(0.5), lambda k: k.steps(np.zeros(1 << 22, "f4"))),
    "Hilbert": (passband.Hilbert(127), lambda k: k.steps(X.astype("f4"))),
    "Lms": (passband.Lms(64, 0.01), lambda k: k.steps(X.astype("f4"), X.astype("f4"))),
    "Pid": (passband.Pid(1.0, 0.1), lambda k: k.steps(np.zeros(1 << 22, "f4"))),
    "Unwrap": (passband.Unwrap(), lambda k: k.steps(np.zeros(1 << 23, "f4"))),
    "Nco": (passband.Nco(), lambda k: k.steps(np.zeros(1 << 23, "f4"))),
    "Chirp": (passband.Chirp(0.1, 1e-9), lambda k: k.steps(1 << 23)),
    "Impulse": (passband.Impulse(1 << 24), lambda k: k.steps(1 << 25)),
    "Step": (passband.Step(1 << 24), lambda k: k.steps(1 << 25)),
    "Noise": (passband.Noise(1), lambda k: k.steps(1 << 22)),
    "Pn": (passband.Pn(64), lambda k: k.steps(1 << 25)),
    "Gold": (passband.Gold(10, 5), lambda k: k.steps(1 << 25)),
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
    assert beside(lambda: call(made), lambda: bool(refused(made.get_state)))


def test_large_states_are_saved_and_loaded_without_the_interpreter_lock() -> None:
    fir = passband.FftFir(np.ones(1 << 18))
    state = fir.get_state()
    assert len(state) > 1 << 20
    for call in (fir.get_state, lambda: fir.set_state(state)):
        assert beside(call, lambda: bool(refused(fir.reset)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: passband.ArbitraryResampler(1 / 64),
        lambda: passband.Fft(1 << 15),
        lambda: passband.Hilbert((1 << 17) - 1),
        lambda: passband.MovingMedian(1 << 17),
    ],
    ids=["ArbitraryResampler", "Fft", "Hilbert", "MovingMedian"],
)
def test_tables_are_computed_without_the_interpreter_lock(make: Callable[[], Any]) -> None:
    # Threads change only where one lets the lock go: here by sleeping, there as it computes.
    looks, seen = 0, False

    def run() -> None:
        nonlocal seen
        before = looks
        make()
        seen = seen or looks != before

    def look() -> bool:
        nonlocal looks
        looks += 1
        time.sleep(0)
        return seen

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        assert beside(run, look)
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize(
    "make",
    [lambda line: line.steps, lambda line: passband.Chain([passband.Fir(TAPS), line]).execute],
)
def test_calls_that_change_a_window_keep_the_lock(make: Callable[[Any], Any]) -> None:
    line = passband.DelayLine(1000, dtype="float64")
    window, call = line.window_view(), make(line)
    seen: set[float] = set()

    def look() -> bool:
        # Not busy whenever another thread runs, so that the window stands still.
        line.get_state()
        seen.add(window[-1])
        return False

    beside(lambda: call(X), look, calls=1)
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

    def begin() -> None:
        out[:] = np.nan
        call(out)

    assert beside(begin, lambda: not np.isnan(out[0]) and bool(np.isnan(out[-1])))


def test_a_stage_of_a_running_chain_is_busy() -> None:
    fir = passband.Fir(TAPS)
    chain = passband.Chain([fir])
    met: set[str] = set()

    def look() -> bool:
        met.update((refused(fir.reset), refused(lambda: chain.execute([1.0]))))
        return met >= {"Fir", "Chain"}

    assert beside(lambda: chain.execute(X), look)
    assert len(chain.execute([1.0])) == 1


def test_a_chain_takes_all_flags_or_none() -> None:
    slow, free = passband.Fir(TAPS), passband.Fir([1.0])
    chain = passband.Chain([free, slow])

    def look() -> bool:
        if refused(lambda: chain.execute([1.0])) != "Fir":
            return False
        # The flag of the first stage was given back.
        free.steps([1.0])
        return True

    assert beside(lambda: slow.steps(X), look)


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
