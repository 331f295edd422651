"""Proves that the abi3 wheel works with the torch and NumPy of Debian, older than all else here."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import proof

INTERPRETER = Path("/usr/bin/python3")
PACKAGES = ("torch", "numpy")
# Debian's own packages, which what pip brings must not replace.
DEBIAN = "/usr/lib/python3/dist-packages/"
TESTS = "pybind/tests/*/test_torch*.py"
FIND = "import sys, importlib.util as u; print(*[n for n in sys.argv[1:] if not u.find_spec(n)])"
VERSIONS = """
import json, platform, sys
import numpy, passband, torch
assert passband.__file__.startswith(sys.prefix), passband.__file__
packages = {"torch": torch, "numpy": numpy}
print(json.dumps({
    "files": {name: package.__file__ for name, package in packages.items()},
    "versions": {"python": platform.python_version()}
    | {name: package.__version__ for name, package in packages.items()},
}))
"""


def absent() -> list[str]:
    """The packages that Debian's Python lacks."""
    if not INTERPRETER.exists():
        return list(PACKAGES)
    command = [str(INTERPRETER), "-c", FIND, *PACKAGES]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def prove(root: Path, python: Path, run: Callable[..., str]) -> str:
    """Builds the wheel, installs it beside Debian's packages, and runs the tests with torch."""
    folder = root / "target/torch"
    shutil.rmtree(folder, ignore_errors=True)
    maturin = python.with_name("maturin")
    build = (maturin, "build", "--profile=wheel", "--interpreter", python, "--out", folder)
    run(*build, cwd=root / "pybind")
    (wheel,) = folder.glob("*-cp311-abi3-*.whl")
    run(INTERPRETER, "-m", "venv", "--system-site-packages", folder / "venv")
    debian = folder / "venv/bin/python"
    install = (debian, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*install, "pytest")
    run(*install, "--no-deps", wheel)
    used = versions(run(debian, "-c", VERSIONS, cwd=folder))
    tests = sorted(path.relative_to(root) for path in root.glob(TESTS))
    if not tests:
        raise proof.ProofError(f"there is no {TESTS}")
    pytest = (debian, "-m", "pytest", "--quiet", "--config-file=pybind/pyproject.toml")
    return f"{used}: {proof.every_python_test(run(*pytest, *tests))} tests"


def versions(output: str) -> str:
    """Reads what was imported, and requires Debian's packages."""
    found = json.loads(output)
    strange = [file for file in found["files"].values() if not file.startswith(DEBIAN)]
    if strange:
        raise proof.ProofError(f"not Debian's: {', '.join(strange)}")
    return ", ".join(f"{name} {version}" for name, version in found["versions"].items())
