"""The examples of what `passband.arena` has from Python run as they stand."""

import doctest
import inspect
import re

import numpy as np
import passband.arena
import pytest
from passband.arena import _registry

PUBLIC = [
    name
    for name in passband.arena.__all__
    if getattr(passband.arena, name).__module__.startswith("passband.arena.")
]


DOCUMENTED = {"the module": passband.arena} | {
    name: getattr(passband.arena, name) for name in PUBLIC
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # What an example registers goes with it.
    monkeypatch.setattr(_registry, "_handlers", {})
    doc = inspect.getdoc(DOCUMENTED[name])
    assert doc
    names = {"np": np, "__name__": "example"}
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, None)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_help_leads_to_every_name() -> None:
    named = re.findall(r"`(\w+)", passband.arena.__doc__ or "")
    assert set(passband.arena.__all__) - set(named) == set()
    assert named[0] == "iterate_in_subprocess"


def test_functions_have_examples() -> None:
    functions = [getattr(passband.arena, name) for name in PUBLIC]
    for function in filter(inspect.isfunction, functions):
        assert ">>> " in (function.__doc__ or ""), function.__name__
