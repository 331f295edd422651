"""Checks pinned memory and transfers on a real GPU, and times them: `make gpu-check`.

It needs Python with NumPy, and the package: as a wheel that was built elsewhere (`make gpu-wheel`),
which is unpacked, or as it is installed. Torch and CuPy are checked as well where they are. It ends
within five minutes, prints what it found, and writes the same to `gpu-check.txt` under OUT.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "pybind/tests/cuda"
NO_DEVICE = "no CUDA device"
# Seconds for everything, for one scenario, and for the table.
LIMIT = 280.0
SCENARIO = 60.0
TABLE = 120.0

ABOUT = """
import platform, sys
import numpy
try:
    import passband.cuda as cuda
    count = cuda.device_count()
except RuntimeError as error:
    # A driver that is there and fails is another matter.
    if not str(error).startswith("CUDA cannot be used here"):
        raise
    print(error)
    sys.exit(3)
print(f"python {platform.python_version()}, numpy {numpy.__version__}, {count} CUDA devices")
"""
LIST = """
from importlib.util import find_spec
from scenarios import NEEDS, SCENARIOS
for name in SCENARIOS:
    library = NEEDS.get(name)
    print(name, library if library and not find_spec(library) else "")
"""


def main() -> int:
    """Runs all of it; the exit status says whether all was well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="the wheel to check")
    parser.add_argument("--out", type=Path, default=ROOT / "build/gpu-check", help="where to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.wheel is not None:
            zipfile.ZipFile(arguments.wheel).extractall(folder)
        check = Check(Path(folder), arguments.out / "gpu-check.txt")
        return check.run()


class Check:
    """One run, with what it has to say."""

    def __init__(self, package: Path, report: Path) -> None:
        paths = [str(package), str(TESTS), os.environ.get("PYTHONPATH", "")]
        self.env = {**os.environ, "PYTHONPATH": ":".join(filter(None, paths))}
        self.report = report
        self.end = time.monotonic() + LIMIT
        report.write_text("")

    def say(self, text: str) -> None:
        """Prints a line, and writes it."""
        print(text, flush=True)
        with self.report.open("a") as file:
            file.write(text + "\n")

    def python(self, *words: str | Path, limit: float) -> subprocess.CompletedProcess[str]:
        """Runs Python in a process of its own; what is over its time has failed."""
        command = [sys.executable, *map(str, words)]
        left = max(1.0, min(limit, self.end - time.monotonic()))
        try:
            return subprocess.run(
                command, env=self.env, capture_output=True, text=True, timeout=left, check=False
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"not done within {left:.0f} s")

    def run(self) -> int:
        """Says what was found; 0 where all was well, or there is no device."""
        about = self.python("-c", ABOUT, limit=SCENARIO)
        if about.returncode == 3:
            self.say(f"{NO_DEVICE}\n{about.stdout.strip()}")
            return 0
        if about.returncode:
            self.say(about.stderr)
            return 1
        self.say(about.stdout.strip())
        failed = sum(self.scenario(*line.split()) for line in self.listed())
        table = self.python(TESTS / "bandwidth.py", limit=TABLE)
        self.say(table.stdout + table.stderr)
        verdict = f"{failed} scenarios failed" if failed else "all scenarios passed"
        self.say(verdict if table.returncode == 0 else f"{verdict}, and the table did")
        return int(failed > 0 or table.returncode != 0)

    def listed(self) -> list[str]:
        """The scenarios, each with the library that it needs and that is not here."""
        listed = self.python("-c", LIST, limit=SCENARIO)
        if listed.returncode:
            raise SystemExit(listed.stderr)
        return listed.stdout.splitlines()

    def scenario(self, name: str, absent: str = "") -> bool:
        """Runs one scenario; whether it failed."""
        if absent:
            self.say(f"left out   {name}: {absent} is not here")
            return False
        start = time.monotonic()
        ran = self.python(TESTS / "scenarios.py", name, limit=SCENARIO)
        took = time.monotonic() - start
        self.say(f"{'FAILED' if ran.returncode else 'passed':<10} {name} ({took:.1f} s)")
        if ran.returncode:
            self.say(ran.stdout + ran.stderr)
        return ran.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
