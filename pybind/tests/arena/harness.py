"""Scripts that run in processes of their own, with a deadline."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import traces

HERE = Path(__file__).resolve().parent

PRELUDE = """\
import gc, os, signal, sys, threading, time
import numpy as np
import passband.arena as arena
from functools import partial
from traces import *
"""


def environment() -> dict[str, str]:
    """The environment of a script: it finds the modules of this folder."""
    return {**os.environ, "PYTHONPATH": str(HERE), "PYTHONFAULTHANDLER": "1"}


def write(folder: Path, functions: str, main: str) -> Path:
    """Writes a script; its functions can be imported, and `main` runs in its first process only."""
    path = folder / "script.py"
    body = textwrap.indent(textwrap.dedent(main), "    ")
    guard = f'if __name__ == "__main__":\n{body}'
    path.write_text("\n".join([PRELUDE, textwrap.dedent(functions), guard]))
    return path


def started(script: Path, *words: str) -> subprocess.Popen[str]:
    """A script that runs in a session of its own, its output to be read."""
    return subprocess.Popen(
        [sys.executable, script, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )


def run(
    folder: Path,
    main: str,
    functions: str = "",
    *,
    status: int = 0,
    stderr: str = "",
    deadline: float = 60.0,
) -> str:
    """Runs a script to its end and returns its output.

    Asserts its exit status and what it writes to stderr, and that no name is left.
    """
    before = traces.abandoned()
    result = subprocess.run(
        [sys.executable, write(folder, functions, main)],
        capture_output=True,
        text=True,
        timeout=deadline,
        env=environment(),
        check=False,
    )
    assert result.stderr == stderr, result.stderr + result.stdout
    assert result.returncode == status
    # Other processes' arenas come and go.
    assert traces.eventually(lambda: not traces.abandoned() - before)
    return result.stdout
