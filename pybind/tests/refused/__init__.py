"""Calls that make no sense, what each raises, and the pattern that its message begins with."""

import importlib
from pathlib import Path

Row = tuple[str, type[Exception], str]


def every_row() -> list[Row]:
    """Those of all families."""
    families = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    modules = [importlib.import_module(f"refused.{family}") for family in families]
    return [row for module in modules for row in module.WRONG]
