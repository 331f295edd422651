"""Recordings of real signals: where they lie, and what is the same for every one of them."""

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from passband.plan import Level

FOLDER = "PASSBAND_RECORDINGS"
REQUIRED = "PASSBAND_REQUIRE_RECORDINGS"

skipped: list[str] = []


@pytest.fixture(scope="session")
def recordings() -> Path:
    """The folder of the recordings; without it the test is skipped, or fails where required."""
    folder = os.environ.get(FOLDER)
    if folder and Path(folder).is_dir():
        return Path(folder)
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(f"{REQUIRED} is set, and {FOLDER} names no folder: {folder!r}")
    pytest.skip(f"{FOLDER} names no folder with recordings: {folder!r}")


@pytest.fixture
def recording(recordings: Path, request: pytest.FixtureRequest) -> Path:
    """The file that a test module is about, its ``RECORDING``."""
    return recordings.joinpath(request.module.RECORDING)


@pytest.fixture
def detect() -> tuple[Level, Level]:
    """Detection thresholds, the same for every recording: well over noise, under any signal."""
    return Level(20), Level(17)


@pytest.fixture
def truth(recordings: Path) -> dict[str, Any]:
    """What each recording is known to hold, by its file name: see the list beside them."""
    known: dict[str, Any] = json.loads((recordings / "TRUTH.json").read_text(encoding="utf-8"))
    return known


@pytest.fixture(params=[0.005, 0.01, 0.02])
def loop_bandwidth(request: pytest.FixtureRequest) -> float:
    """The loop bandwidth of symbol clocks: any of these does for every recording."""
    bandwidth: float = request.param
    return bandwidth


@pytest.fixture(params=[1000, 4099])
def block(request: pytest.FixtureRequest) -> int:
    """The length of the blocks into which a stream is cut."""
    length: int = request.param
    return length


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count the tests that went without their recording."""
    report = yield
    if report.skipped and isinstance(item, pytest.Function) and "recordings" in item.fixturenames:
        skipped.append(item.nodeid)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it where it cannot be overlooked."""
    if skipped:
        terminalreporter.section("REAL RECORDINGS NOT TESTED", sep="!", red=True, bold=True)
        terminalreporter.line(
            f"{len(skipped)} tests skipped: {FOLDER} does not name the folder with the recordings"
        )
