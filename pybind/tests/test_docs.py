"""Documentation: every example of the stubs and the modules runs, and both say the same."""

import ast
import doctest
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest
from surface import once

PACKAGE = Path(str(passband.__file__)).parent
STUBS = sorted(PACKAGE.glob("*.pyi"))
FAMILIES = [stub for stub in STUBS if stub.stem not in ("__init__", "_arena", "_cuda", "shape")]
README = Path(__file__).resolve().parents[2] / "README.md"

pytestmark = once


def docstrings(stub: Path) -> Iterator[tuple[str, str]]:
    """Names, as from the package, and docstrings of a stub."""
    module = "" if stub.stem == "__init__" else f"{stub.stem}."
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    if doc := ast.get_docstring(tree):
        yield module.rstrip("."), doc
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node in tree.body:
            if doc := ast.get_docstring(node):
                yield module + node.name, doc
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.FunctionDef) and (doc := ast.get_docstring(inner)):
                    yield f"{module}{node.name}.{inner.name}", doc


DOCS = [pytest.param(name, doc, id=name) for stub in STUBS for name, doc in docstrings(stub)]


@pytest.mark.parametrize(("name", "doc"), DOCS)
def test_examples_run(name: str, doc: str) -> None:
    names = {"passband": passband, "np": np}
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, None)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(("name", "doc"), DOCS)
def test_the_stubs_and_the_module_say_the_same(name: str, doc: str) -> None:
    first, *parts = name.split(".")
    value: Any = sys.modules.get(f"passband.{first}") or inspect.getattr_static(passband, first)
    for part in parts:
        value = inspect.getattr_static(value, part)
        value = value.__func__ if isinstance(value, staticmethod) else value
    assert inspect.getdoc(value) == doc


def test_there_are_examples() -> None:
    assert sum(doc.values[1].count(">>> ") for doc in DOCS) > 70


def test_every_stub_has_its_module() -> None:
    for stub in STUBS:
        if stub.stem != "__init__":
            assert f"passband.{stub.stem}" in sys.modules


def test_the_readme_has_a_row_for_every_family() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \|$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == [stub.stem for stub in FAMILIES]


@pytest.mark.parametrize("stub", FAMILIES, ids=lambda stub: stub.stem)
def test_the_readme_names_every_kernel(stub: Path) -> None:
    table = README.read_text(encoding="utf-8")
    row = re.search(rf"^\| `{stub.stem}` \| (.*) \|$", table, re.MULTILINE)
    assert row
    public = [
        node.name
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]
    assert sorted(re.findall(r"`(\w+)`", row[1])) == sorted(public)
