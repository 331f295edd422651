"""Writes the tables of the book that come from `shapes.toml`, for its pages to include."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
GENERATED = HERE / "generated"

# Heads of columns, and what stands in them.
CALLS = {
    "shape": "{name}",
    "Rust": "{rust}",
    "Python": "{python}",
    "who allocates": "{allocates}",
    "`out=`": "{out}",
    "as in": "{kernels}",
}
TRAITS = {
    "shape": "{name}",
    "trait in `kernels/src/shape.rs`": "{trait}",
    "case in `testing`": "`{case}`",
    "class in Python": "{class}",
    "wrapper in `pybind/src/marshal/wrap.rs`": "{wrapper}",
    "as in": "{kernels}",
}


def table(columns: Mapping[str, str], rows: list[dict[str, Any]]) -> str:
    """A table in Markdown."""
    cells = [[cell.format(**row) for cell in columns.values()] for row in rows]
    lines = [list(columns), ["---"] * len(columns), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Writes the tables into `generated`."""
    rows = tomllib.loads((HERE / "shapes.toml").read_text(encoding="utf-8"))["shape"]
    for row in rows:
        row["kernels"] = ", ".join(f"`{kernel}`" for kernel in row["kernels"])
        for key in ("trait", "class", "wrapper"):
            row[key] = f"`{row[key]}`" if key in row else "none"
    GENERATED.mkdir(exist_ok=True)
    for name, columns, kept in (
        ("shapes.md", CALLS, rows),
        ("traits.md", TRAITS, [row for row in rows if "case" in row]),
    ):
        (GENERATED / name).write_text(table(columns, kept), encoding="utf-8")


if __name__ == "__main__":
    main()
