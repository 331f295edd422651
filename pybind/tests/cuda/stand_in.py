"""Processes that have a driver: the stand-in, or on a machine with a GPU the real one."""

import functools
import os
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Modules that look at mappings are the arena's.
PATHS = (HERE, HERE.parent / "arena")

PRELUDE = """\
import gc, os, sys, threading, time
import numpy as np
import passband.arena as arena
import passband.cuda as cuda
from functools import partial
from driver import *
from traces import mappings
"""


@functools.cache
def folder_of_it() -> Path:
    """The folder in which the stand-in has the driver's name; it is built first."""
    build = ("cargo", "build", "--quiet", "--release", "--package=passband-arena")
    subprocess.run([*build, "--example=test_driver"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    folder = target / "test-driver"
    folder.mkdir(exist_ok=True)
    for name in ("libcuda.so", "libcuda.so.1"):
        # Another process may do the same.
        link = folder / f"{name}.{os.getpid()}"
        link.symlink_to(target / "release/examples/libtest_driver.so")
        link.replace(folder / name)
    return folder


def environment(driver: str | None, **variables: str) -> dict[str, str]:
    """The environment of a process: with the stand-in, set as `driver` says, or without it."""
    inherited = [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]
    paths = ":".join([*map(str, PATHS), *inherited])
    env = {**os.environ, "PYTHONPATH": paths, "PYTHONFAULTHANDLER": "1", **variables}
    if driver is not None:
        libraries = [str(folder_of_it()), os.environ.get("LD_LIBRARY_PATH", "")]
        env["LD_LIBRARY_PATH"] = ":".join(filter(None, libraries))
        env["PASSBAND_TEST_DRIVER"] = driver
    return env


def run(
    folder: Path,
    main: str,
    functions: str = "",
    *,
    driver: str | None = "",
    status: int = 0,
    deadline: float = 60.0,
    **variables: str,
) -> str:
    """Runs a script to its end and returns its output; it must not say anything else."""
    script = folder / "script.py"
    body = textwrap.indent(textwrap.dedent(main), "    ")
    guard = f'if __name__ == "__main__":\n{body}'
    script.write_text("\n".join([PRELUDE, textwrap.dedent(functions), guard]))
    return run_file(script, driver=driver, status=status, deadline=deadline, **variables)


def run_file(
    script: Path,
    *words: str,
    driver: str | None = "",
    status: int = 0,
    deadline: float = 60.0,
    **variables: str,
) -> str:
    """Runs a file to its end and returns its output; it must not say anything else."""
    result = subprocess.run(
        [sys.executable, script, *words],
        capture_output=True,
        text=True,
        timeout=deadline,
        env=environment(driver, **variables),
        check=False,
    )
    assert result.stderr == "", result.stderr + result.stdout
    assert result.returncode == status, result.stdout
    return result.stdout
