"""The surface of the package as tests walk it: every example of every class and function."""

import importlib
import os
import re
import sys
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import passband
import pytest

native: Any = importlib.import_module("passband._native")

# The method that takes samples (or a count), by shape.
METHODS = {
    "Blockwise": "steps",
    "Windowed": "steps",
    "MultiChannel": "steps",
    "TwoInput": "steps",
    "TwoOutput": "steps",
    "Batch": "batch",
    "Generator": "steps",
    "VariableLength": "execute",
    "Buffered": "execute",
    "Detector": "detect",
    "Sink": "push",
    "Measure": "measure",
    "Chain": "execute",
}
INTO = {
    "VariableLength": "execute_into",
    "Buffered": "execute_into",
    "Detector": "detect_into",
    "Chain": "execute_into",
}
FLUSHED = ("Buffered", "Detector")
RECORDS = {
    "burst": [("start", "i8"), ("stop", "i8"), ("peak", "f4"), ("mean_power", "f4")],
    "pulse": [("start", "i8"), ("width", "i8"), ("gap", "i8")],
    "peak": [("index", "i8"), ("height", "f8"), ("prominence", "f8"), ("width", "f8")],
}


@dataclass(frozen=True)
class Case:
    """One example: how to make the object, and the types that its calls take and give.

    Of several inputs or outputs it is about one, the others being as they should be.
    """

    module: str
    name: str
    shape: str
    arguments: str
    input: str
    output: str
    # Which of several inputs or outputs.
    part: int = 0
    # The axis of time, where arrays have two.
    axis: int = 0

    def __str__(self) -> str:
        of = f"-{self.argument}" if self.takes_several else ""
        of = f"-{self.part}" if self.gives_two else of
        of += f"-axis{self.axis}" if self.shape == "MultiChannel" and self.is_grid else ""
        return (
            f"{self.name}({self.arguments})" if self.arguments else f"{self.name}-{self.input}"
        ) + of

    def make(self) -> Any:
        """A new object, or for a function its arguments but the samples."""
        names = {"passband": passband, "np": np}
        if self.is_function:
            keywords = eval(f"dict({self.arguments})")
            return partial(getattr(sys.modules[self.module], self.name), **keywords)
        return eval(f"cls({self.arguments})", {**names, "cls": self.cls})

    @property
    def is_function(self) -> bool:
        """Whether it is not a class."""
        return "function" in self.shape

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs."""
        if self.shape.endswith("of three"):
            return ("acc", "a", "b")
        if self.shape.endswith("of two"):
            return ("a", "b")
        if self.shape == "TwoInput":
            return ("x", "d")
        return ("frames" if self.shape == "Batch" else "x",)

    @property
    def takes_several(self) -> bool:
        """Whether there are two inputs or three."""
        return len(self.names) > 1

    @property
    def gives_two(self) -> bool:
        """Whether there are two outputs."""
        return self.shape in ("TwoOutput", "function to two")

    @property
    def types(self) -> set[str]:
        """The types that the argument may have."""
        if not self.is_function or (self.takes_several and self.part > 0):
            return {self.input}
        return {case.input for case in EXAMPLES if case.cls is self.cls}

    @property
    def of_list(self) -> str:
        """The type that lists and numbers are taken in, which have none of their own."""
        types = self.types
        if types == {self.input}:
            return self.input
        if np.dtype(self.input).kind in "iu":
            return "int16"
        return "complex128" if np.dtype(self.input).kind == "c" else "float64"

    @property
    def is_grid(self) -> bool:
        """Whether arrays have two dimensions."""
        return self.shape == "Batch" or "channels=" in self.arguments

    @property
    def gives_records(self) -> bool:
        """Whether outputs are records, as many as are found."""
        return self.output in RECORDS

    @property
    def counts_vary(self) -> bool:
        """Whether `max_out` is a bound only."""
        return self.gives_records or self.name == "SymbolSync"

    @property
    def argument(self) -> str:
        """The name of the argument that takes `x`."""
        if self.takes_count:
            return "(count|n)"
        return self.names[self.part if self.takes_several else 0]

    @property
    def out_name(self) -> str:
        """What errors call `out`, as a pattern."""
        return rf"out\[{self.part}\]" if self.gives_two else "out"

    @property
    def cls(self) -> Any:
        """The class, or the function."""
        return getattr(sys.modules[self.module], self.name)

    def call(self, made: Any, x: Any, out: Any = None) -> Any:
        """Feeds `x` to what `make` gave and gives an array of the result."""
        method = made if self.is_function else getattr(made, METHODS[self.shape])
        if self.shape == "value function of two":
            return np.array([method(*self.inputs(x))])
        if self.shape == "value function":
            return np.array([method(x)])
        if self.shape == "Sink":
            method(x)
            return np.array([made.value()])
        if self.shape == "Measure":
            return np.array(method(x))
        if self.takes_several:
            return method(*self.inputs(x), out=out)
        if self.gives_two:
            return method(x, out=self.outs(x, out))[self.part]
        if self.axis != 0:
            return method(x, out=out, axis=self.axis)
        return method(x, out=out, axis=0) if self.shape == "MultiChannel" else method(x, out=out)

    def outs(self, x: Any, out: Any) -> Any:
        """The tuple of `out` and one for the other output."""
        if out is None:
            return None
        rest = np.empty(np.size(x), self.dtype(1 - self.part))
        return (out, rest) if self.part == 0 else (rest, out)

    def inputs(self, x: Any) -> list[Any]:
        """All inputs, `x` being one of them."""
        dtype = self.input
        if self.is_function and self.part == 0:
            dtype = name if (name := type_name(x)) in self.types else self.of_list
        rest = other(x, dtype)
        return [x if part == self.part else rest for part in range(len(self.names))]

    @property
    def takes_count(self) -> bool:
        """Whether calls take a number of samples to give."""
        return self.input == "count"

    @property
    def in_pairs(self) -> bool:
        """Whether inputs are codes of I and Q in turn, at the first stage where it is a chain."""
        return "iq=True" in self.arguments and np.dtype(self.input).kind in "iu"

    @property
    def gives_pairs(self) -> bool:
        """Whether outputs are codes of I and Q in turn."""
        return "iq=True" in self.arguments and np.dtype(self.input).kind == "c"

    @property
    def needs_samples(self) -> bool:
        """Whether no samples have no value."""
        return self.name in ("min", "max", "argmin", "argmax")

    @property
    def runs_in_place(self) -> bool:
        """Whether `out=x` is documented."""
        return "in place with `out=x`" in (self.cls.__doc__ or "")

    @property
    def row(self) -> int:
        """The length of the other axis than that of time, where arrays have two."""
        found = re.search(r"channels=(\d+)", self.arguments) or re.match(r"(\d+)", self.arguments)
        assert found
        return int(found[1])

    def shaped(self, n: int) -> Any:
        """The shape of `n` samples, frames or samples of each channel."""
        return n if not self.is_grid else (self.row, n) if self.axis else (n, self.row)

    def x(self, n: int, seed: int = 1) -> Any:
        """`n` samples of the input type, or the count of `n`; bursts for a detector."""
        if self.takes_count:
            return n
        rng, shape = np.random.default_rng([seed, n]), self.shaped(n)
        dtype = np.dtype(self.input)
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
        x = rng.standard_normal(shape) + (
            1j * rng.standard_normal(shape) if dtype.kind == "c" else 0
        )
        gate = np.sin(np.arange(n) / 5) > 0 if self.shape == "Detector" else 1
        return (x * gate).astype(dtype)

    def dtype(self, part: int | None = None) -> np.dtype[Any]:
        """The type of the output."""
        output = (
            self.output.split(", ")[self.part if part is None else part]
            if ", " in self.output
            else self.output
        )
        return np.dtype(RECORDS.get(output, output))

    def out(self, n: int) -> Any:
        """An array that `out` may be, with a pattern in its bytes."""
        return pattern(self.shaped(n), self.dtype())


burst = np.dtype(RECORDS["burst"])


def type_name(x: Any) -> str:
    """The type that NumPy takes `x` for; empty where it takes it for none."""
    try:
        return np.array(x).dtype.name
    except (TypeError, ValueError, OverflowError, Warning):
        return ""


def other(x: Any, dtype: str) -> Any:
    """For one of several inputs what the others are, sample by sample."""
    try:
        return (np.array(x, dtype) * 0.5 + 0.25).astype(dtype).reshape(-1)
    except (TypeError, ValueError, OverflowError, Warning):
        return np.zeros(0, dtype)


def pattern(shape: Any, dtype: np.dtype[Any]) -> Any:
    """An array of bytes that no kernel writes by chance."""
    size = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(bytearray(b"\xa5" * size), dtype).reshape(shape)


def state(made: Any) -> Any:
    """All that a refused call must not change: the states of the object and of its parts."""
    if isinstance(made, Chained):
        return [stage.get_state() for stage in made.stages]
    return made.get_state() if hasattr(made, "get_state") else None


class Chained:
    """A chain with its stages, whose states are the chain's."""

    def __init__(self, stages: list[Any]) -> None:
        self.stages = stages
        self.chain = passband.Chain(stages)
        self.execute = self.chain.execute
        self.execute_into = self.chain.execute_into


def make_with_state(case: Case) -> Any:
    """What `make` gives, with a state that `state` can read."""
    if case.shape == "Chain":
        return Chained(eval(case.arguments, {"passband": passband}))
    return case.make()


def variants(case: Case) -> list[Case]:
    """A case for each input and output, and for each layout of channels."""
    if case.takes_several:
        return [replace(case, part=part) for part in range(len(case.names))]
    if case.gives_two:
        return [replace(case, part=part) for part in (0, 1)]
    if case.shape == "MultiChannel" and case.is_grid:
        return [replace(case, axis=axis) for axis in (0, -1)]
    return [case]


EXAMPLES = [Case(**row) for row in native._surface()]
EVERY = [one for case in EXAMPLES for one in variants(case)]
# What gives values has no `out`.
VALUES = [c for c in EVERY if c.shape in ("Sink", "Measure") or c.shape.startswith("value")]
GRIDS = [case for case in EVERY if case.is_grid]
CASES = [case for case in EVERY if case not in VALUES and not case.is_grid]
OBJECTS = [case for case in CASES if not case.is_function]
STATEFUL = [case for case in EVERY if not case.is_function and case.shape != "Chain"]


def each(cases: list[Case]) -> pytest.MarkDecorator:
    """Runs a test for each case."""
    return pytest.mark.parametrize("case", cases, ids=str)


def same(a: Any, b: Any) -> None:
    """Asserts that two results have the same type, length and bits, all NaNs being equal."""
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    names = a.dtype.names
    for left, right in [(a[n], b[n]) for n in names] if names else [(a, b)]:
        np.testing.assert_array_equal(left, right)
        if left.dtype.kind in "fc":
            number = ~np.isnan(left)
            parts = (lambda x: x.view(x.real.dtype)) if left.dtype.kind == "c" else (lambda x: x)
            np.testing.assert_array_equal(
                np.signbit(parts(left[number])), np.signbit(parts(right[number]))
            )


# What does not depend on the SIMD level runs once, at the level that no variable asks for.
once = pytest.mark.skipif(
    os.environ.get("PASSBAND_SIMD", "") not in ("", "baseline"),
    reason="does not depend on the SIMD level; runs at the baseline",
)
