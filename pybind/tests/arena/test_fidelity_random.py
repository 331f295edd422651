"""Nested objects at random come back as they were, with all that they share."""

import random
from typing import Any

import numpy as np
from trips import POOL, RING, is_same, parts


class Maker:
    """Nested objects at random, with views of a few bases and objects that occur again."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        rng = np.random.default_rng(seed)
        self.bases = [
            rng.integers(0, 256, rng.integers(1, 40_000), "u1")[self.random.choice([0, 0, 8, 3]) :]
            for _ in range(3)
        ]
        self.made: list[Any] = []

    def view(self) -> Any:
        """An array over some of a base."""
        base = self.random.choice(self.bases)
        dtype = np.dtype(
            self.random.choice(["u1", "i2", "f4", "f8", "c16", "u1,f8", "M8[s]", ">i4"])
        )
        start, stop = sorted(self.random.choices(range(len(base) + 1), k=2))
        view = base[start : start + (stop - start) // dtype.itemsize * dtype.itemsize].view(dtype)
        for _ in range(self.random.randrange(3)):
            if view.ndim < 3 and len(view) > 3 and self.random.random() < 0.6:
                rows = self.random.choice([n for n in (2, 3, 5, 7) if len(view) >= n])
                view = view[: len(view) // rows * rows]
                view = view.reshape(rows, -1, *view.shape[1:])
            view = view[:: self.random.choice([1, 1, 2, 3, -1, -2])]
            view = view.transpose(self.random.sample(range(view.ndim), view.ndim))
        if self.random.random() < 0.2:
            view.flags.writeable = False
        return view

    def leaf(self) -> Any:
        """Something with or without bytes of its own."""
        base = self.random.choice(self.bases)
        return self.random.choice(
            [
                self.view,
                self.view,
                self.view,
                lambda: bytes(base),
                lambda: bytearray(base[:10]),
                lambda: memoryview(base)[:: self.random.choice([1, 2, -1])],
                lambda: self.random.choice([None, 7, 2.5, "text", b"few", 1 << 80]),
            ]
        )()

    def obj(self, depth: int = 0) -> Any:
        """An object, maybe one that was made before."""
        if self.made and self.random.random() < 0.2:
            return self.random.choice(self.made)
        kind = self.random.choice(["leaf", "list", "dict", "tuple"]) if depth < 4 else "leaf"
        inner = (
            [self.obj(depth + 1) for _ in range(self.random.randrange(4))] if kind != "leaf" else []
        )
        made = {
            "leaf": self.leaf,
            "list": lambda: inner,
            "tuple": lambda: (*inner, depth),
            "dict": lambda: {f"key {n}": one for n, one in enumerate(inner)},
        }[kind]()
        self.made.append(made)
        return made


def test_random_objects() -> None:
    seeds = range(300)
    print(f"random objects of the seeds {seeds}")
    for seed in seeds:
        given = Maker(seed).obj()
        for trip in (POOL, RING):
            try:
                check(trip([given])[0], given)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, {trip}") from error


def check(there: Any, given: Any) -> None:
    """Asserts that the parts are the same, and shared among each other as those given are."""
    ours, theirs = list(parts(there)), list(parts(given))
    for one, other in zip(ours, theirs, strict=True):
        if isinstance(other, np.ndarray):
            assert is_same(one, other)
        else:
            assert bytes(one) == bytes(other)
    for n, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        for another, yet_another in zip(ours[:n], theirs[:n], strict=True):
            assert (one is another) == (other is yet_another)
            if isinstance(other, np.ndarray) and isinstance(yet_another, np.ndarray):
                share = np.shares_memory(other, yet_another)
                assert not share or np.shares_memory(one, another)
                assert share or not np.shares_memory(one, another)
                if share:
                    assert distance(one, another) == distance(other, yet_another)


def distance(one: Any, other: Any) -> int:
    """The bytes from the first element of one array to that of another."""
    address: int = other.__array_interface__["data"][0]
    return address - int(one.__array_interface__["data"][0])
