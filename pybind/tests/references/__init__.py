"""What kernels give, in another way: by SciPy and NumPy, or by their definitions.

A module holds the references of a family. Each bears the name of its kernel in small letters, and
takes an example, the object that was made from it, and what this was fed: samples in double
precision, codes as they are, or a count. What it gives is in double precision, of codes exact.
"""

import importlib
import inspect
import re
from types import SimpleNamespace
from typing import Any

import passband
import pytest
from surface import Case


def reference(case: Case, made: Any, x: Any) -> Any:
    """The result of an example."""
    family = case.module.partition(".")[2] or "chain"
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", case.name).lower()
    module = importlib.import_module(f"references.{family}")
    if not hasattr(module, name):
        pytest.fail(f"no reference for {case.name}: references/{family}.py lacks `{name}`")
    if not case.takes_count and x.dtype.kind in "fc":
        x = x.astype("c16" if x.dtype.kind == "c" else "f8")
    return getattr(module, name)(case, made, x)


def arguments(case: Case) -> SimpleNamespace:
    """The arguments of an example by their names, defaults included."""
    bind = inspect.signature(case.cls).bind_partial
    bound = eval(f"bind({case.arguments})", {"bind": bind, "passband": passband})
    bound.apply_defaults()
    return SimpleNamespace(**bound.arguments)
