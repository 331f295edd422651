"""Commands: run, shown, and their output kept."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(
    *command: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    show: bool = True,
) -> str:
    """Runs a command and returns its output, which is also shown as it comes."""
    words = [str(word) for word in command]
    shown = [f"{name}={value}" for name, value in (env or {}).items()] + words
    print("$", *shown, flush=True)
    with subprocess.Popen(
        words,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            if show:
                print(line, end="", flush=True)
    output = "".join(lines)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, shown, output)
    return output


def run_all(commands: Sequence[tuple[Sequence[str | Path], Mapping[str, str]]]) -> list[str]:
    """Runs commands with their environments, one on each processor, and returns their outputs.

    Each output is shown as a whole when its command ends. The first that failed is raised once
    those under way have ended.
    """

    def quietly(command: Sequence[str | Path], env: Mapping[str, str]) -> str:
        try:
            output = run(*command, env=env, show=False)
        except subprocess.CalledProcessError as error:
            print(error.output, flush=True)
            raise
        print(output, flush=True)
        return output

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(quietly, *zip(*commands, strict=True)))
