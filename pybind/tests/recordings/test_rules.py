"""Every step on samples in the recording tests is a passband kernel: a check on their syntax trees.

NumPy may slice, compare, make and pack arrays, SciPy may design filters, and each file's parameters
are its format, its rate and the constants of its protocol. A name says which: module constants
begin as in ``CONSTANTS``, and functions hold no other number than 0, 1 and 2. A module that several
recordings share lies beside them, under the same rules. What is the same for every recording and
no constant of a protocol is a fixture.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

NUMPY = {
    *(
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "float32",
        "float64",
        "complex64",
        "bool",
        "ndarray",
        "void",
    ),
    *(
        "array",
        "asarray",
        "empty",
        "zeros",
        "ones",
        "full",
        "arange",
        "concatenate",
        "fromfile",
        "frombuffer",
    ),
    *("packbits", "unpackbits", "flatnonzero", "array_equal", "count_nonzero", "searchsorted"),
}
ARRAY = {
    *(
        "all",
        "any",
        "astype",
        "copy",
        "dtype",
        "flat",
        "flatten",
        "item",
        "itemsize",
        "nbytes",
        "ndim",
        "nonzero",
    ),
    *("ravel", "reshape", "searchsorted", "shape", "size", "tobytes", "tolist", "view"),
}
DESIGN = {
    "firwin",
    "firwin2",
    "firls",
    "remez",
    "kaiserord",
    "kaiser_beta",
    "butter",
    "cheby1",
    "cheby2",
    "ellip",
    "bessel",
}
MODULES = {
    *(
        "__future__",
        "binascii",
        "collections",
        "collections.abc",
        "csv",
        "dataclasses",
        "datetime",
        "itertools",
        "json",
    ),
    *("os", "pathlib", "re", "struct", "typing", "zlib", "pytest", "numpy.typing"),
}
BUILTINS = {"abs", "complex", "divmod", "eval", "exec", "getattr", "pow", "sum", "__import__"}
HERE = Path(__file__)
FRAMING = {path.stem for path in HERE.parent.glob("*.py")}
CONSTANTS = ("RECORDING", "FORMAT", "RATE", "PROTOCOL_", "TRUTH_")

ARRAY_API = {name for name in dir(np.ndarray) if not name.startswith("_")}


def foreign_steps(tree: ast.Module) -> Iterator[str]:
    """Yield what may be signal processing by something else than passband, as ``line: what``."""
    for node in ast.walk(tree):
        if (what := _foreign(node)) is not None:
            yield f"{getattr(node, 'lineno', 0)}: {what}"


def loose_parameters(tree: ast.Module) -> Iterator[str]:
    """Yield numbers and constants that belong to no format, rate, protocol or truth."""
    for top in tree.body:
        if isinstance(top, ast.FunctionDef):
            numbers = (
                node
                for part in top.body
                for node in ast.walk(part)
                if isinstance(node, ast.Constant)
            )
            for number in numbers:
                if isinstance(number.value, int | float | complex) and number.value not in (
                    0,
                    1,
                    2,
                ):
                    yield f"{number.lineno}: the number {number.value}"
        elif isinstance(top, ast.Assign | ast.AnnAssign):
            targets = top.targets if isinstance(top, ast.Assign) else [top.target]
            for name in (
                node
                for target in targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name)
            ):
                if not name.id.startswith(CONSTANTS):
                    yield f"{name.lineno}: the constant {name.id}"


def _foreign(node: ast.AST) -> str | None:
    match node:
        case ast.Import(names=names):
            bad = [
                a.name
                for a in names
                if a.name not in MODULES and (a.name, a.asname) != ("numpy", "np")
            ]
            return f"import {', '.join(bad)}" if bad else None
        case ast.ImportFrom(module="scipy.signal", names=names):
            bad = [a.name for a in names if a.name not in DESIGN]
            return f"scipy.signal.{', '.join(bad)}" if bad else None
        case ast.ImportFrom(module=module):
            ours = module is not None and module.split(".")[0] == "passband"
            return None if ours or module in MODULES | FRAMING else f"from {module} import"
        case ast.Attribute(value=ast.Name(id="np"), attr=name):
            return None if name in NUMPY else f"np.{name}"
        case ast.Attribute(attr=name):
            return f".{name}" if name in ARRAY_API - ARRAY else None
        case ast.Name(id=name):
            return name if name in BUILTINS else None
        case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
            return "@"
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.Pow(), right=right):
            return None if _fixed(left) or _fixed(right) else "a product of two variables"
        case ast.AugAssign(op=ast.Mult() | ast.Div() | ast.Pow(), value=value):
            return None if _fixed(value) else "a product of two variables"
    return None


def _fixed(node: ast.expr) -> bool:
    """Whether an expression is made of numbers and constants only."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name.isupper()
        case ast.UnaryOp(operand=operand):
            return _fixed(operand)
        case ast.BinOp(left=left, right=right):
            return _fixed(left) and _fixed(right)
        case ast.Call(func=ast.Name(id="round" | "int"), args=arguments):
            return all(map(_fixed, arguments))
    return False


@pytest.mark.parametrize(
    "path", sorted(set(HERE.parent.glob("*.py")) - {HERE}), ids=lambda path: path.name
)
def test_samples_go_through_passband_kernels_only(path: Path) -> None:
    assert list(foreign_steps(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "path",
    sorted(set(HERE.parent.glob("*.py")) - {HERE, HERE.with_name("conftest.py")}),
    ids=lambda path: path.name,
)
def test_parameters_are_format_rate_and_protocol(path: Path) -> None:
    assert list(loose_parameters(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "planted",
    [
        *(
            "np.abs(x)",
            "np.angle(x)",
            "np.convolve(x, h)",
            "np.cumsum(x)",
            "np.fft.fft(x)",
            "abs(x)",
            "sum(x)",
        ),
        *(
            "x.mean()",
            "x.conj()",
            "x.cumsum()",
            "x.real",
            "x.max()",
            "x @ h",
            "x * x",
            "x / n",
            "x ** n",
            "np.diff(x)",
        ),
        *(
            "x *= h",
            "import math",
            "import scipy",
            "import numpy",
            "from numpy import abs",
            "from numpy.fft import fft",
        ),
        *(
            "from scipy.signal import lfilter",
            "from scipy.signal import firwin, hilbert",
            "from scipy.fft import fft",
        ),
        *(
            "getattr(np, 'abs')(x)",
            "import numpy as np, cmath",
            "import numpy as numeric",
            "from . import helpers",
        ),
    ],
)
def test_a_planted_step_is_found(planted: str) -> None:
    assert len(list(foreign_steps(ast.parse(f"if True:\n    {planted}\n")))) >= 1


@pytest.mark.parametrize(
    "planted", ["THRESHOLD = 0.3", "LEVEL: float = 0.3", "def f(x):\n    return x > 0.3"]
)
def test_a_planted_parameter_is_found(planted: str) -> None:
    assert len(list(loose_parameters(ast.parse(planted)))) == 1


def test_slicing_comparing_packing_and_design_are_allowed() -> None:
    allowed = """
import numpy as np
from scipy.signal import firwin
from passband.filter import Fir
RATE = 250_000
PROTOCOL_BAUD = 1200
def bits(x):
    y = Fir(firwin(2 * round(RATE / PROTOCOL_BAUD) + 1, 1 / 2), dtype="float32").steps(x[1:])
    return np.packbits(y[:: round(RATE / PROTOCOL_BAUD)] > 0).tobytes()
"""
    tree = ast.parse(allowed)
    assert [*foreign_steps(tree), *loose_parameters(tree)] == []
