"""Nothing public is without examples, documentation or a place at the top of the package."""

import inspect
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import passband
import pytest
from surface import EXAMPLES, METHODS, Case, each, native

FAMILIES = sorted(
    name
    for name, value in vars(native).items()
    if sys.modules.get(f"passband.{name}") is value and not name.startswith("_")
)
# Told by name: they take no samples.
OTHERS = {"simd_level", "Progress", "Level"}


def public(module: Any) -> dict[str, Any]:
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }


def test_families_are_found() -> None:
    stubs = Path(str(passband.__file__)).parent.glob("*.pyi")
    assert sorted(stub.stem for stub in stubs if not stub.stem.startswith("_")) == FAMILIES
    assert "filter" in FAMILIES


@pytest.mark.parametrize("family", [None, *(f for f in FAMILIES if f != "shape")])
def test_every_public_name_has_examples(family: str | None) -> None:
    module = sys.modules[f"passband.{family}"] if family else native
    found = set(public(module)) - OTHERS
    assert found - {case.name for case in EXAMPLES} == set(), "these have no examples"


@pytest.mark.parametrize("family", [f for f in FAMILIES if f not in ("math", "fixed", "shape")])
def test_every_name_of_a_family_is_also_at_the_top(family: str) -> None:
    for name, value in public(sys.modules[f"passband.{family}"]).items():
        assert getattr(passband, name) is value or inspect.isbuiltin(value)


@pytest.mark.parametrize("family", ["math", "fixed"])
def test_the_top_has_no_functions_of_samples(family: str) -> None:
    assert not public(sys.modules[f"passband.{family}"]).keys() & vars(passband).keys()


def test_classes_know_their_module() -> None:
    for case in EXAMPLES:
        if inspect.isclass(case.cls):
            assert case.cls.__module__ == case.module


@each(EXAMPLES)
def test_every_shape_is_known(case: Case) -> None:
    assert case.is_function or case.shape in METHODS
    if not case.is_function and case.shape != "Chain":
        assert issubclass(case.cls, getattr(passband.shape, case.shape))


@each(EXAMPLES)
def test_documentation_starts_with_a_sentence_and_has_an_example(case: Case) -> None:
    doc = case.cls.__doc__
    first = doc.split("\n\n")[0]
    assert first.endswith((".", "`."))
    assert ">>> " in doc
    for name, member in vars(case.cls).items() if inspect.isclass(case.cls) else ():
        if not name.startswith("_"):
            assert ">>> " in member.__doc__, name


@each(EXAMPLES)
def test_signatures_show_their_defaults(case: Case) -> None:
    text = str(inspect.signature(case.cls))
    assert "..." not in text
    if case.shape not in ("Chain", "Sink", "Measure") and not case.is_function:
        assert "out=None" in str(inspect.signature(getattr(case.cls, METHODS[case.shape])))


def test_the_version_is_that_of_the_package() -> None:
    assert passband.__version__ == version("passband")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Fir([0.5], dtype='float32')", "<Fir of 1 tap, float32 to float32>"),
        ("LocalOscillator(0.1)", "<LocalOscillator, complex64>"),
        ("Chain([Mixer(0.1), FmDemod()])", "<Chain of 2 stages, complex64 to float32>"),
    ],
)
def test_objects_show_what_they_take_and_give(text: str, shown: str) -> None:
    assert repr(eval(text, vars(passband))) == shown
