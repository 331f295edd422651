"""What `passband.cuda` says of itself: its examples run, and lead to every name."""

import doctest
import inspect
import re

import numpy as np
import passband.cuda
import pytest

DOCUMENTED = {"the module": passband.cuda} | {
    name: getattr(passband.cuda, name) for name in passband.cuda.__all__
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_examples_run(name: str) -> None:
    doc = inspect.getdoc(DOCUMENTED[name])
    assert doc
    test = doctest.DocTestParser().get_doctest(doc, {"np": np}, name, None, None)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_help_leads_to_every_name() -> None:
    named = re.findall(r"`(\w+)", passband.cuda.__doc__ or "")
    assert set(passband.cuda.__all__) - set(named) == set()
    assert named[0] == "transfer_tensor_h2d"
