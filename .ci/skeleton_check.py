"""Proves that what `make new-kernel` writes is a kernel: it conforms, and Python has it."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import new_kernel
import proof

# One for a family that is there, one that founds a family.
KERNELS = {"OneMoreOfItsKind": "filter", "FirstOfItsKind": "first_family"}
CHECKS = (
    "test_arguments.py",
    "test_docs.py",
    "test_inputs.py",
    "test_out.py",
    "test_references.py",
    "test_state.py",
    "test_stream.py",
    "test_surface.py",
    "test_types.py",
)


def copy_tree(root: Path, to: Path) -> None:
    """Copies what git would, as a repository of its own; times stay, so that builds are short."""
    shutil.rmtree(to, ignore_errors=True)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)
    subprocess.run(["git", "init", "--quiet"], cwd=to, check=True)
    commit(to)


def commit(tree: Path) -> None:
    """Commits all changes of a tree: new kernels are written to clean ones only."""
    author = ("-c", "user.name=skeleton", "-c", "user.email=skeleton@localhost")
    subprocess.run(["git", "add", "--all"], cwd=tree, check=True)
    subprocess.run(["git", *author, "commit", "--quiet", "-m", "tree"], cwd=tree, check=True)


def prove(root: Path, python: Path, run: Callable[..., str]) -> str:
    """Writes both skeletons into a copy of the tree, and runs the checks that see new kernels."""
    place = Path(os.environ.get("CARGO_TARGET_DIR") or root / "target").absolute() / "skeletons"
    # The target folder is one of its own: cargo tells crates of two trees apart by their paths
    # within the tree, so that it would take the copy's for those of this one.
    tree, target = place / "tree", place / "target"
    copy_tree(root, tree)
    for kernel, family in KERNELS.items():
        if new_kernel.main(["--name", kernel, "--family", family], tree):
            raise proof.ProofError(f"no skeleton of {kernel}")
        commit(tree)

    cargo = {"CARGO_TARGET_DIR": str(target)}
    # Unoptimised, which two small kernels do not need, and the same crates with the same features
    # in both commands: built once, and from the second time on in seconds.
    both = ("--package=passband-pybind", "--features=passband-kernels/testing")
    suites = ("conformance", "firmware", "levels", "surface")
    tests = ("--package=passband-kernels", *(f"--test={suite}" for suite in suites))
    run("cargo", "fmt", "--all", "--check", cwd=tree, env=cargo)
    names = [f"{family}.{kernel}" for kernel, family in KERNELS.items()]
    only = cargo | {"PASSBAND_KERNEL": " ".join(names)}
    output = run("cargo", "test", *both, *tests, "--", "--nocapture", cwd=tree, env=only)
    proof.named("conformance", [f"{name}: float32: error" for name in names], output)
    levels = proof.levels_ran(output, proof.expected_levels())

    run("cargo", "build", *both, cwd=tree, env=cargo)
    package = tree / "pybind/python"
    shutil.copy2(target / "debug/lib_native.so", package / "passband/_native.abi3.so")
    pytest = (python, "-m", "pytest", "--verbose", "--config-file=pybind/pyproject.toml")
    files = [f"pybind/tests/{check}" for check in CHECKS]
    output = run(*pytest, *files, cwd=tree, env={"PYTHONPATH": str(package)}, show=False)
    proof.named("Python", [f"[{kernel}(gain=0.5)] PASSED" for kernel in KERNELS], output)
    run(python, "-m", "ruff", "check", cwd=tree)
    run(python, "-m", "ruff", "format", "--check", cwd=tree)
    return f"{len(KERNELS)} skeletons: {levels}; {proof.python_tests(output)} Python tests"
