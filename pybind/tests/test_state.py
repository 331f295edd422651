"""Snapshots: bytes to continue from, and no others."""

import inspect
import itertools
import os
import pickle
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest
from surface import METHODS, STATEFUL, Case, each, native, same
from test_import import LEVELS

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


# A process of another level: what it makes of the states of this one, and an own stream.
OTHER_PROCESS = """
import pickle, sys
from test_state import STATEFUL, continued, streamed
states = pickle.load(sys.stdin.buffer)
pairs = [(continued(*of), streamed(of[0])) for of in zip(STATEFUL, states, strict=True)]
pickle.dump(pairs, sys.stdout.buffer)
"""


def streamed(case: Case) -> tuple[bytes, list[Any]]:
    """The state between two calls, and what they give."""
    made = case.make()
    first = case.call(made, case.x(N))
    return made.get_state(), [first, case.call(made, case.x(N, 2))]


def continued(case: Case, blob: bytes) -> tuple[bytes, Any]:
    """A state as it was loaded, and how the stream goes on from there."""
    made = case.make()
    made.set_state(blob)
    return made.get_state(), case.call(made, case.x(N, 2))


@pytest.mark.parametrize("level", LEVELS)
def test_a_process_of_any_level_continues_from_the_states_of_this_one(level: str) -> None:
    streams = [streamed(case) for case in STATEFUL]
    ran = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        cwd=Path(__file__).parent,
        env={**os.environ, "PASSBAND_SIMD": level},
        input=pickle.dumps([blob for blob, _ in streams]),
        capture_output=True,
        check=False,
    )
    if b"PASSBAND_SIMD: expected one of" in ran.stderr:
        pytest.skip(f"no {level} on this processor, as test_import.py shows")
    assert not ran.stderr, ran.stderr.decode()
    for case, ours, theirs in zip(STATEFUL, streams, pickle.loads(ran.stdout), strict=True):
        (blob, results), ((loaded, result), (_, its_results)) = ours, theirs
        assert loaded == blob, case
        if all(map(alike, results, its_results)):
            same(result, results[-1])
        else:
            # Feedback keeps the roundings of the level that it comes from.
            assert_near(result, results[-1], case)


def alike(a: Any, b: Any) -> bool:
    """Whether two results have the same bits."""
    return bool(a.tobytes() == b.tobytes())


def assert_near(a: Any, b: Any, case: Case) -> None:
    """Asserts that two results differ by roundings only."""
    rounding = np.finfo(a.dtype).eps * np.abs(b).max()
    assert (np.abs(a - b) <= 16 * rounding).all(), case


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


@each(STATEFUL)
def test_a_header_of_another_version_kernel_or_config_is_refused(case: Case) -> None:
    made = case.make()
    case.call(made, case.x(N))
    blob = made.get_state()
    header, payload = blob[:22], blob[22:-4]
    for at, bit in itertools.product(range(len(header)), range(8)):
        flipped = header[:at] + bytes([header[at] ^ 1 << bit]) + header[at + 1 :]
        body = flipped + payload
        with pytest.raises(ValueError, match="^state: expected "):
            made.set_state(body + zlib.crc32(body).to_bytes(4, "little"))
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


# What an argument may be instead, from what it is, for every name that a constructor knows.
OTHER: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(["alpha", "beta", "damping", "full_scale", "gain"], lambda x: x / 2),
    **dict.fromkeys(["loop_bandwidth", "off", "on", "pole", "rate"], lambda x: x / 2),
    **dict.fromkeys(["regularization", "step_size", "time_constant"], lambda x: x / 2),
    **dict.fromkeys(["bits", "delay", "derivative_time", "down", "factor"], lambda x: x + 1),
    **dict.fromkeys(["hang", "kd", "ki", "kp", "min_length", "ratio"], lambda x: x + 1),
    **dict.fromkeys(["samples_per_symbol", "seed", "shift", "up"], lambda x: x + 1),
    **dict.fromkeys(["a1", "freq"], lambda x: x + 0.0625),
    **dict.fromkeys(["fs", "n"], lambda x: 2 * x),
    **dict.fromkeys(["inverse", "iq", "real_part"], lambda x: not x),
    **dict.fromkeys(["low", "max_delay"], lambda x: -1.0 if x is None else x + 1),
    "a2": lambda _: 0.0,
    "channels": lambda _: 1,
    "distribution": lambda _: "uniform",
    "dither": lambda _: 7,
    "high": lambda _: 9.0,
    "length": lambda x: x + 4,
    "order": lambda x: x + 2,
    "period": lambda x: 5 if x is None else x / 2,
    "phase": lambda x: x + 0.25 if isinstance(x, float) else x + 1,
    "polynomial": lambda _: 0x409,
    "sos": lambda rows: [[row[0] / 2, *row[1:]] for row in rows],
    "state": lambda _: 3,
    "stopband": lambda _: 60,
    "taps": lambda taps: [tap / 2 for tap in taps],
}

# Arguments that a stream may change: a state fits an object that started with another value.
STATE = {
    "Chirp": {"freq", "phase"},
    "Ddc": {"freq", "fs", "phase"},
    "Duc": {"freq", "fs", "phase"},
    "Farrow": {"ratio", "phase"},
    "FractionalDelay": {"delay"},
    "LocalOscillator": {"freq", "fs", "phase"},
    "Mixer": {"freq", "fs", "phase"},
    "Nco": {"phase"},
    "Pll": {"freq"},
    "Pn": {"state"},
}

# Arguments of which each matters, where those of the first example leave some without effect.
EACH_MATTERS = {"FractionalDelay": "30.5, max_delay=40", "Pid": "2.0, 0.5, 0.25"}

ONE_OF_EACH = {case.name: case for case in reversed(STATEFUL)}.values()


def other_type(name: str, dtype: str | None) -> str:
    """Another of the types that the examples of a class have."""
    types = re.findall(r"dtype='(\w+)'", " ".join(c.arguments for c in STATEFUL if c.name == name))
    return next(found for found in types if found != dtype)


@each(sorted(ONE_OF_EACH, key=str))
def test_a_state_of_another_argument_is_refused_unless_it_is_state(case: Case) -> None:
    bind = inspect.signature(case.cls).bind
    given = eval(f"bind({EACH_MATTERS.get(case.name, case.arguments)})", {"bind": bind})
    given.apply_defaults()
    made = case.cls(*given.args, **given.kwargs)
    fresh = made.get_state()
    for name, value in list(given.arguments.items()):
        given.arguments[name] = (
            other_type(case.name, value) if name == "dtype" else OTHER[name](value)
        )
        other = case.cls(*given.args, **given.kwargs)
        given.arguments[name] = value
        case.call(made, case.x(N))
        before, blob = made.get_state(), other.get_state()
        if name in STATE.get(case.name, ()):
            made.set_state(blob)
            assert made.get_state() == blob != before
            same(case.call(made, case.x(N)), case.call(other, case.x(N)))
            made.reset()
            assert made.get_state() == fresh
            continue
        with pytest.raises(ValueError, match="^state: expected a snapshot of "):
            made.set_state(blob)
        with pytest.raises(ValueError, match="^state: expected a snapshot of "):
            other.set_state(before)
        assert (made.get_state(), other.get_state()) == (before, blob)


def test_what_is_state_is_documented() -> None:
    doc = passband.shape.Kernel.set_state.__doc__ or ""
    for name, arguments in STATE.items():
        assert re.search(rf"\b{name}\b", doc), name
        assert all(f"`{argument}`" in doc for argument in arguments), name


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
