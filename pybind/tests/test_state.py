"""Snapshots: bytes to continue from, and no others."""

import itertools
from typing import Any

import numpy as np
import passband
import pytest
from surface import METHODS, STATEFUL, Case, each, native, same

N = 100


@each(STATEFUL)
def test_a_loaded_object_continues_as_if_it_had_never_stopped(case: Case) -> None:
    one, other = case.make(), case.make()
    case.call(one, case.x(N))
    blob = one.get_state()
    assert type(blob) is bytes
    other.set_state(blob)
    assert other.get_state() == blob
    same(case.call(other, case.x(N, 2)), case.call(one, case.x(N, 2)))


@each(STATEFUL)
def test_wrong_bytes_are_refused_and_nothing_changes(case: Case) -> None:
    made = case.make()
    case.call(made, case.x(N))
    blob = made.get_state()
    flipped = [
        blob[:at] + bytes([blob[at] ^ (1 << at % 8)]) + blob[at + 1 :] for at in range(len(blob))
    ]
    for wrong in (b"", blob[:-1], blob[1:], blob + b"\0", bytes(len(blob)), b"PBST", *flipped):
        with pytest.raises(ValueError, match="^state: expected .*, given "):
            made.set_state(wrong)
    for wrong in (None, "text", 7, bytearray(blob).hex(), np.zeros(3)):
        with pytest.raises(TypeError, match="^state: expected bytes, given "):
            made.set_state(wrong)
    assert made.get_state() == blob


# An interpolator is a resampler whose ratio is whole: one kernel, which either name continues.
ONE_KERNEL = {"FirInterpolator", "RationalResampler"}


def test_a_state_of_another_object_is_refused() -> None:
    fits = set[str]()
    objects = [case for case in STATEFUL if (case.part, case.axis) == (0, 0)]
    for ours, theirs in itertools.permutations(objects, 2):
        made, other = ours.make(), theirs.make()
        before = made.get_state()
        try:
            made.set_state(other.get_state())
        except ValueError as error:
            assert str(error).startswith("state: expected ")
            assert made.get_state() == before
            continue
        # Where all arguments that differ are state, one continues as the other would.
        assert ours.name == theirs.name or {ours.name, theirs.name} == ONE_KERNEL
        fits.add(ours.name)
        same(ours.call(made, ours.x(N)), theirs.call(other, theirs.x(N)))
    assert fits >= {"LocalOscillator", "Mixer"}


def test_states_of_other_arguments_are_refused() -> None:
    pairs = [
        (passband.Fir([1.0, 2.0]), passband.Fir([1.0, 3.0])),
        (passband.Fir([1.0, 2.0]), passband.Fir([1.0, 2.0, 0.0])),
        (passband.Fir([1.0]), passband.Fir([1.0], dtype="float32")),
        (passband.FirDecimator([1.0], 2), passband.FirDecimator([1.0], 3)),
        (passband.BurstDetector(1.0, 0.5), passband.BurstDetector(1.0, 0.25)),
        (passband.MovingAverage(3), passband.MovingAverage(4)),
        (passband.DcBlocker(0.5), passband.DcBlocker(0.25)),
        (passband.MovingMedian(3), passband.MovingMedian(4)),
        (passband.OnePole(0.5), passband.OnePole(0.25)),
        (passband.OnePole(0.5), passband.DcBlocker(0.5)),
        (passband.Deemphasis(3.0), passband.Deemphasis(3.5)),
        (passband.Allpass(0.5), passband.Allpass(0.25)),
        (passband.Allpass(0.5), passband.Allpass(0.5, 0.0)),
        (passband.Hilbert(7), passband.Hilbert(11)),
        (passband.Hilbert(7), passband.Hilbert(7, beta=5.0)),
        (passband.Lms(3, 0.5), passband.Lms(3, 0.25)),
        (passband.Lms(3, 0.5), passband.Nlms(3, 0.5)),
        (passband.Pid(1.0), passband.Pid(1.0, high=2.0)),
        (passband.Unwrap(), passband.Unwrap(period=1)),
        (passband.Sos([[1, 0, 0, 1, 0, 0]]), passband.Sos([[1, 0, 0, 1, 0.5, 0]])),
        (passband.Sos([[1, 0, 0, 1, 0, 0]]), passband.Sos([[1, 0, 0, 1, 0, 0]], channels=1)),
        (passband.Pll(0.01), passband.Pll(0.02)),
        (passband.Nlms(3, 0.5), passband.Nlms(3, 0.25)),
        (passband.SymbolSync(4, 0.01), passband.SymbolSync(5, 0.01)),
        (passband.DelayLine(3), passband.DelayLine(4)),
        (passband.FractionalDelay(3), passband.FractionalDelay(3, order=5)),
        (passband.FractionalDelay(3), passband.FractionalDelay(3, max_delay=4)),
        (passband.Farrow(1), passband.Farrow(1, order=5)),
        (passband.Ddc(0.1, [1.0], 2), passband.Ddc(0.1, [1.0], 3)),
        (passband.Duc(0.1, [1.0], 2), passband.Duc(0.1, [2.0], 2)),
        (passband.LevelMeter(), passband.LevelMeter(full_scale=2.0)),
        (passband.PulseSlicer(1.0, 0.5), passband.PulseSlicer(1.0, 0.25)),
        (passband.Fft(8), passband.Fft(8, inverse=True)),
        (passband.Nco(fs=8.0), passband.Nco(fs=8.0, dtype="float64")),
        (passband.Nco(fs=8.0), passband.Nco(fs=4.0)),
        (passband.Nco(fs=8.0), passband.Nco()),
        (passband.Pn(10), passband.Pn(10, polynomial=0x409)),
        (passband.Pn(10), passband.Pn(10, dtype="int8")),
        (passband.Chirp(0.1, 1e-3), passband.Chirp(0.1, 2e-3)),
        (passband.Noise(1), passband.Noise(2)),
        (passband.Noise(1), passband.Noise(1, distribution="uniform")),
        (passband.Impulse(3), passband.Impulse(3, period=5)),
        (passband.Step(3), passband.Step(4)),
        (passband.Gold(10, 5), passband.Gold(10, 6)),
    ]
    for one, other in itertools.chain(pairs, [(b, a) for a, b in pairs]):
        with pytest.raises(ValueError, match="^state: expected"):
            one.set_state(other.get_state())


def test_taps_rounded_to_the_same_are_the_same() -> None:
    rounded, exact = np.float32([0.1, 0.2]), [0.1, 0.2]
    one = passband.Fir(rounded)
    one.steps(np.float32([1, 2, 3]))
    other = passband.Fir(exact, dtype="float32")
    other.set_state(one.get_state())
    assert other.get_state() == one.get_state()


@pytest.mark.parametrize("shape", [shape for shape in METHODS if shape != "Chain"])
@pytest.mark.parametrize("panics", [False, True])
def test_a_kernel_that_breaks_its_contract_is_an_error(shape: str, panics: bool) -> None:
    x = np.zeros(4, np.float32)
    into, square = np.zeros(4, np.float32), np.zeros((2, 2), np.float32)
    calls: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
        "Blockwise": [("steps", (x,)), ("step", (0.0,))],
        "Windowed": [("steps", (x,)), ("step", (0.0,))],
        "MultiChannel": [("steps", (square,)), ("steps", (square, None, 0))],
        "TwoInput": [("steps", (x, x)), ("step", (0.0, 0.0))],
        "TwoOutput": [("steps", (x,)), ("step", (0.0,))],
        "Batch": [("batch", (square,))],
        "Generator": [("steps", (4,))],
        "VariableLength": [("execute", (x,)), ("execute_into", (x, into))],
        "Buffered": [("execute", (x,)), ("execute_into", (x, into)), ("flush", ())],
        "Detector": [("detect", (x,)), ("detect_into", (x, into)), ("flush", ())],
        "Sink": [("push", (x,)), *[("value", ())] * panics],
        "Measure": [("measure", (x,))],
    }
    text = "the kernel failed" if panics else r"the kernel reports \d outputs where there are \d"
    for method, arguments in calls[shape]:
        made = native._planted(shape, panics)
        with pytest.raises(RuntimeError, match=f"^Planted: {text}"):
            getattr(made, method)(*arguments)
        # The flag was given back.
        made.reset()


def test_a_chain_resets_its_stages() -> None:
    stages = passband.Fir([1.0, 0.5]), passband.FirDecimator([1.0], 3)
    chain = passband.Chain(stages)
    fresh = [stage.get_state() for stage in stages]
    chain.execute([1.0, 2.0])
    assert [stage.get_state() for stage in chain.stages] != fresh
    chain.reset()
    assert [stage.get_state() for stage in stages] == fresh
    assert all(a is b for a, b in zip(chain.stages, stages, strict=True))
