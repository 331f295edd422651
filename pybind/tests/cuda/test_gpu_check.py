"""`make gpu-check`: without a device, and on the stand-in as on a real one."""

import subprocess
import sys
from pathlib import Path

import pytest
from scenarios import NEEDS, SCENARIOS
from stand_in import ROOT, environment
from test_no_driver import has_driver


def check(out: Path, driver: str | None) -> str:
    """What it says, which is also what it writes."""
    command: list[str | Path] = [sys.executable, ROOT / ".ci/gpu_check.py", "--out", out]
    env = environment(driver)
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=280)
    assert ran.stdout == (out / "gpu-check.txt").read_text()
    return ran.stdout


@pytest.mark.skipif(has_driver(), reason="this machine has a driver: its absence cannot be seen")
def test_without_a_device(tmp_path: Path) -> None:
    line, why = check(tmp_path / "out", None).splitlines()
    assert line == "no CUDA device"
    assert "libcuda.so.1" in why


def test_on_the_stand_in(tmp_path: Path) -> None:
    lines = check(tmp_path / "out", "").splitlines()
    assert "2 CUDA devices" in lines[0]
    passed = {line.split()[1] for line in lines if line.startswith("passed")}
    assert passed == set(SCENARIOS) - set(NEEDS)
    assert sum(line.startswith("left out") for line in lines) == len(NEEDS)
    rows = [line for line in lines if line.startswith(("pinned", "pageable"))]
    assert len(rows) == 12
    assert all(float(number) > 0 for row in rows for number in row.split()[2:])
    assert lines[-1] == "all scenarios passed"
