"""The examples of what `passband.arena` has from Python run as they stand."""

import doctest
import inspect

import numpy as np
import passband.arena
import pytest
from passband.arena import _registry

PUBLIC = [
    name
    for name in passband.arena.__all__
    if getattr(passband.arena, name).__module__.startswith("passband.arena.")
]


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # What an example registers goes with it.
    monkeypatch.setattr(_registry, "_handlers", {})
    doc = inspect.getdoc(getattr(passband.arena, name))
    assert doc
    names = {"np": np, "__name__": "example"}
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, None)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_functions_have_examples() -> None:
    functions = [getattr(passband.arena, name) for name in PUBLIC]
    for function in filter(inspect.isfunction, functions):
        assert ">>> " in (function.__doc__ or ""), function.__name__
