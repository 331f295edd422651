"""The import: the SIMD level that the environment asks for, or an error."""

import os
import subprocess
import sys

import passband
import pytest

LEVELS = ["scalar", "baseline", "avx2", "avx512"]


def level_of(wish: str | None) -> subprocess.CompletedProcess[str]:
    """Imports the package in a process of its own and prints its level."""
    environment = {name: value for name, value in os.environ.items() if name != "PASSBAND_SIMD"}
    if wish is not None:
        environment["PASSBAND_SIMD"] = wish
    program = "import passband; print(passband.simd_level())"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_level_is_the_one_asked_for() -> None:
    wish = os.environ.get("PASSBAND_SIMD")
    assert passband.simd_level() == (wish or level_of(None).stdout.strip())


def test_every_level_can_be_had_or_is_an_error() -> None:
    best = level_of(None).stdout.strip()
    for level in LEVELS:
        result = level_of(level)
        if LEVELS.index(level) <= LEVELS.index(best):
            assert result.stdout.strip() == level
        else:
            assert "ValueError: PASSBAND_SIMD: expected one of scalar, baseline" in result.stderr


@pytest.mark.parametrize("wish", ["altivec", "AVX2", "scalar ", "0"])
def test_an_impossible_level_fails_the_import(wish: str) -> None:
    result = level_of(wish)
    assert result.returncode == 1
    assert "ValueError: PASSBAND_SIMD: expected one of scalar" in result.stderr
    assert f"given {wish}" in result.stderr
