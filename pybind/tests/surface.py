"""The surface of the package as tests walk it: every example of every class and function."""

import importlib
import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import passband
import pytest

native: Any = importlib.import_module("passband._native")

# The method that takes samples (or a count) and `out`, by shape.
METHODS = {
    "Blockwise": "steps",
    "Generator": "steps",
    "VariableLength": "execute",
    "Detector": "detect",
    "Chain": "execute",
}
INTO = {"VariableLength": "execute_into", "Detector": "detect_into", "Chain": "execute_into"}


@dataclass(frozen=True)
class Case:
    """One example: how to make the object, and the types that its calls take and give."""

    module: str
    name: str
    shape: str
    arguments: str
    input: str
    output: str

    def __str__(self) -> str:
        return f"{self.name}({self.arguments})" if self.arguments else f"{self.name}-{self.input}"

    def make(self) -> Any:
        """A new object, or for a function its arguments but the first."""
        names = {"passband": passband, "np": np}
        if self.shape == "function":
            keywords = eval(f"dict({self.arguments})")
            return partial(getattr(sys.modules[self.module], self.name), **keywords)
        return eval(f"cls({self.arguments})", {**names, "cls": self.cls})

    @property
    def cls(self) -> Any:
        """The class, or the function."""
        return getattr(sys.modules[self.module], self.name)

    def call(self, made: Any, x: Any, **out: Any) -> Any:
        """Feeds `x` to what `make` gave."""
        return (made if self.shape == "function" else getattr(made, METHODS[self.shape]))(x, **out)

    @property
    def takes_count(self) -> bool:
        """Whether calls take a number of samples to give."""
        return self.input == "count"

    @property
    def in_pairs(self) -> bool:
        """Whether inputs are codes of I and Q in turn, at the first stage where it is a chain."""
        return "iq=True" in self.arguments

    @property
    def runs_in_place(self) -> bool:
        """Whether `out=x` is documented."""
        return "in place with `out=x`" in (self.cls.__doc__ or "")

    def x(self, n: int, seed: int = 1) -> Any:
        """`n` samples of the input type, or the count of `n`; bursts for a detector."""
        if self.takes_count:
            return n
        rng = np.random.default_rng([seed, n])
        dtype = np.dtype(self.input)
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            return rng.integers(limits.min, limits.max, n, dtype, endpoint=True)
        x = rng.standard_normal(n) + (1j * rng.standard_normal(n) if dtype.kind == "c" else 0)
        gate = np.sin(np.arange(n) / 5) > 0 if self.shape == "Detector" else 1
        return (x * gate).astype(dtype)

    def dtype(self) -> np.dtype[Any]:
        """The type of the output."""
        return burst if self.output == "burst" else np.dtype(self.output)

    def out(self, n: int) -> Any:
        """An array that `out` may be, with a pattern in its bytes."""
        return pattern(n, self.dtype())


burst = np.dtype([("start", "i8"), ("stop", "i8"), ("peak", "f4"), ("mean_power", "f4")])


def pattern(n: int, dtype: np.dtype[Any]) -> Any:
    """An array of bytes that no kernel writes by chance."""
    return np.frombuffer(bytearray(b"\xa5" * (n * dtype.itemsize)), dtype)


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


CASES = [Case(**row) for row in native._surface()]
OBJECTS = [case for case in CASES if case.shape != "function"]
STATEFUL = [case for case in OBJECTS if case.shape != "Chain"]


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
