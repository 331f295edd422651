"""Batches come apart and together again, with all else in them untouched."""

import dataclasses
import threading
from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict, deque
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from passband.cuda._structure import Structure


class Named(NamedTuple):
    """A named tuple."""

    a: Any
    b: Any


class Own(list[Any]):
    """A list with an attribute."""

    tag: Any = None


def taken_apart(batch: Any, old: Any, new: Any) -> Any:
    """The batch with one object in the place of another."""
    structure = Structure(batch)
    return structure.around([new if obj is old else obj for obj in structure.objects])


@dataclasses.dataclass
class Record:
    """A dataclass whose constructor does more than to take fields."""

    x: Any
    hidden: Any = dataclasses.field(init=False, default=None)

    def __post_init__(self) -> None:
        assert self.x is not NEW, "its constructor does not run again"


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    """One that allows no assignment."""

    x: Any


@dataclasses.dataclass(slots=True)
class Slotted:
    """One without a dict."""

    x: Any


X, NEW = np.arange(3), object()

CONTAINERS: list[Any] = [
    X,
    [X],
    (X,),
    (),
    {"x": X},
    {X.tobytes(): {1: [X, (X,)]}},
    Named(X, 1),
    deque([X], maxlen=2),
    OrderedDict(x=X),
    UserDict(x=X),
    ChainMap({"x": X}, {"y": 1}),
    Counter("abc"),
    Record(X),
    Frozen(X),
    Slotted(X),
    {1, 2},
    frozenset([3]),
]


@pytest.mark.parametrize("batch", CONTAINERS, ids=lambda batch: type(batch).__name__)
def test_containers_are_made_again(batch: Any) -> None:
    moved = taken_apart(batch, X, NEW)
    assert type(moved) is type(batch) or moved is NEW
    assert repr(moved) == repr(batch).replace(repr(X), repr(NEW))
    # The batch itself is not touched.
    assert repr(NEW) not in repr(batch)


def test_what_is_in_no_container_is_the_same_object() -> None:
    with open(__file__) as file:
        others = [
            threading.Lock(),
            lambda: 1,
            SimpleNamespace(x=X),
            "text" * 1000,
            b"bytes" * 1000,
            2**100,
            np.float64(1.5),
            Record,
            np,
            iter([1]),
            file,
            Ellipsis,
        ]
        moved = taken_apart({"others": others}, X, NEW)["others"]
        assert all(a is b for a, b in zip(others, moved, strict=True))


def test_fields_that_no_constructor_takes() -> None:
    record = Record(1)
    record.hidden = [X]
    assert taken_apart(record, X, NEW).hidden == [NEW]


def test_attributes_and_functions_of_containers() -> None:
    own = Own([X])
    own.tag = X
    moved = taken_apart(own, X, NEW)
    assert (moved[0], moved.tag) == (NEW, NEW)
    default = taken_apart(defaultdict(lambda: 7, x=X), X, NEW)
    assert (default["x"], default["none"]) == (NEW, 7)


def test_what_is_shared_and_what_contains_itself() -> None:
    inner = [X]
    outer: list[Any] = [inner, inner]
    outer.append(outer)
    moved = taken_apart(outer, X, NEW)
    assert moved[0] is moved[1]
    assert moved[2] is moved
    assert sum(obj is X for obj in Structure([X, X, [X]]).objects) == 1


def test_local_classes() -> None:
    @dataclasses.dataclass
    class Local:
        x: Any

    assert taken_apart(Local(X), X, NEW) == Local(NEW)


def test_many_objects_that_a_container_makes_for_this() -> None:
    class Fresh(dict[str, Any]):
        def __reduce__(self) -> Any:
            return Fresh, (), None, None, iter([(f"{i}", float(i)) for i in range(1000)])

    moved = taken_apart(Fresh(), X, NEW)
    assert moved == {f"{i}": float(i) for i in range(1000)}
