"""Tables of what was measured."""

import csv
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measure import Figures

SIZES = {1 << 16: "64 KiB", 1 << 20: "1 MiB", 32 << 20: "32 MiB"}


@dataclass
class Results:
    """The figures of all rounds, by what was measured, the size, and the quantity."""

    values: dict[tuple[str, int, str], list[float]] = field(default_factory=dict)

    def add(self, name: str, nbytes: int, figures: Figures) -> None:
        """Adds the figures of one round."""
        for quantity, value in figures.items():
            self.values.setdefault((name, nbytes, quantity), []).append(value)

    def get(self, name: str, nbytes: int, quantity: str) -> list[float]:
        """The figure of each round; nothing where it was not measured."""
        return self.values.get((name, nbytes, quantity), [])

    def names(self, nbytes: int, quantity: str) -> list[str]:
        """Of what there is a quantity."""
        return [name for name, *key in self.values if key == [nbytes, quantity]]

    def write(self, path: Path) -> None:
        """Writes each figure of each round as a line."""
        with path.open("w", newline="", encoding="utf-8") as file:
            lines = csv.writer(file)
            lines.writerow(("measured", "bytes", "quantity", "round", "value"))
            for key, values in self.values.items():
                lines.writerows((*key, n, f"{value:.6g}") for n, value in enumerate(values))


def spread(values: Sequence[float]) -> str:
    """The median of some values, with the least and the largest of them."""
    if not values:
        return "-"
    median, least, most = statistics.median(values), min(values), max(values)
    digits = 0 if median >= 100 else 2 if median >= 1 else 3
    if len(values) == 1:
        return f"{median:,.{digits}f}"
    return f"{median:,.{digits}f} ({least:,.{digits}f}..{most:,.{digits}f})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in columns, all but the first to the right."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    )


def tables(results: Results) -> str:
    """A table for each size, one of memory, and one of processor time without work."""
    parts = [
        _quantities(results, nbytes, f"{SIZES[nbytes]}, load", ("items/s", "GB/s", "CPU s/GB"))
        for nbytes in SIZES
    ]
    parts += [
        _quantities(results, nbytes, f"{SIZES[nbytes]}, idle one-way", ("p50 us", "p90 us"))
        for nbytes in SIZES
    ]
    largest = max(SIZES)
    copies = ("ring out GB/s", "np.empty GB/s")
    parts.append(_quantities(results, largest, f"{SIZES[largest]}, one copy", copies))
    memory = [f"{role} {part} MiB" for role in ("producer", "consumer") for part in ("peak", "own")]
    parts.append(_quantities(results, largest, f"{SIZES[largest]}, memory", ["bare MiB", *memory]))
    parts.append(_quantities(results, 1 << 16, "waiting", ("idle reader ms", "blocked writer ms")))
    return "\n\n".join(part for part in parts if part)


def _quantities(results: Results, nbytes: int, title: str, quantities: Sequence[str]) -> str:
    names = dict.fromkeys(name for q in quantities for name in results.names(nbytes, q))
    rows = [[name, *(spread(results.get(name, nbytes, q)) for q in quantities)] for name in names]
    return table([title, *quantities], rows) if rows else ""
