"""What the arena must reach, beside what it reached in the same rounds."""

import operator
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from contenders import ALONE, PLACED, SPINNING
from report import SIZES, Results, spread, table

SMALL, MIDDLE, LARGE = SIZES


class Floor(NamedTuple):
    """One requirement: of the values of all rounds, the median must be on a side of `asked`."""

    name: str
    side: str
    asked: float
    values: Sequence[float]

    def row(self) -> list[str]:
        """The name, what was asked for, what was measured, and the verdict."""
        reached = {"<=": operator.le, ">=": operator.ge}[self.side]
        met = bool(self.values) and reached(statistics.median(self.values), self.asked)
        verdict = "ok" if met else "short"
        return [self.name, f"{self.side} {self.asked:.4g}", spread(self.values), verdict]


def floors(results: Results) -> str:
    """The table of all requirements."""
    rows = [floor.row() for part in PARTS for floor in part(results)]
    return table(["required", "asked", "measured", ""], rows)


def _copying(results: Results) -> Iterator[Floor]:
    for nbytes, rate, cost in ((SMALL, 8, 1 / 3), (MIDDLE, 2, 1 / 2), (LARGE, 1, 1)):
        for quantity, side, asked in (("items/s", ">=", rate), ("CPU s/GB", "<=", cost)):
            values = _ratios(results, nbytes, quantity, "passband pool", "spdl pool")
            name = f"pool, items, {SIZES[nbytes]}: {quantity} / spdl pool"
            yield Floor(name, side, asked, values)
    for nbytes, rate in ((SMALL, 2), (MIDDLE, 1), (LARGE, 1)):
        values = _ratios(results, nbytes, "items/s", "passband pool, arrays", "iceoryx2 event")
        name = f"pool, arrays, {SIZES[nbytes]}: items/s / iceoryx2 event"
        yield Floor(name, ">=", rate, values)


def _placement(results: Results) -> Iterator[Floor]:
    for ours in (transport.name for transport in (*PLACED, *SPINNING)):
        both = _both(results, SMALL, "items/s", ours, ALONE.name)
        above = [1e6 / placed - 1e6 / alone for placed, alone in both]
        yield Floor(f"{ours}, {SIZES[SMALL]}: us above the kernel alone", "<=", 2, above)
        for nbytes in (MIDDLE, LARGE):
            slower = _ratios(results, nbytes, "items/s", ALONE.name, ours)
            name = f"{ours}, {SIZES[nbytes]}: time / kernel alone"
            yield Floor(name, "<=", 1.05, slower)


def _waiting(results: Results) -> Iterator[Floor]:
    for ours in ("passband pool, arrays", "passband pool"):
        values = _ratios(results, SMALL, "p50 us", ours, "iceoryx2 event")
        yield Floor(f"{ours}: idle one-way p50 / iceoryx2 event", "<=", 1.15, values)
    for quantity in ("idle reader ms", "blocked writer ms"):
        for ours in ("passband pool, arrays", "passband pool"):
            values = results.get(ours, SMALL, quantity)
            yield Floor(f"{ours}: {quantity} of CPU in 10 s", "<=", 20, values)


def _ring(results: Results) -> Iterator[Floor]:
    given, copied = (
        results.get("copy-out", LARGE, f"{who} GB/s") for who in ("ring out", "np.empty")
    )
    ratios = list(map(operator.truediv, given, copied))
    yield Floor(f"ring, {SIZES[LARGE]}: copy-out / into np.empty", ">=", 0.9, ratios)


def _memory(results: Results) -> Iterator[Floor]:
    for name in (
        "passband pool",
        "passband pool, arrays",
        "passband ring",
        "passband ring, arrays",
    ):
        for role in ("producer", "consumer"):
            # Who reads a pool has no array but the arena's.
            payload = LARGE if role == "producer" or "ring" in name else SMALL
            bare = results.get("bare process", payload, "bare MiB")
            own = results.get(name, LARGE, f"{role} own MiB")
            beyond = list(map(operator.sub, own, bare))
            yield Floor(f"{name}, {role}: MiB beyond arena and bare process", "<=", 10, beyond)


PARTS: tuple[Callable[[Results], Iterator[Floor]], ...] = (
    _copying,
    _placement,
    _waiting,
    _ring,
    _memory,
)


def _both(
    results: Results, nbytes: int, quantity: str, a: str, b: str
) -> list[tuple[float, float]]:
    """A quantity of two transports, round by round."""
    return list(
        zip(results.get(a, nbytes, quantity), results.get(b, nbytes, quantity), strict=False)
    )


def _ratios(results: Results, nbytes: int, quantity: str, a: str, b: str) -> list[float]:
    return [x / y for x, y in _both(results, nbytes, quantity, a, b)]
