"""Each scenario on the stand-in, which copies at once, or late, as real ones do."""

import pytest
from scenarios import NEEDS, SCENARIOS
from stand_in import HERE, run_file

# Libraries that need a real driver: `make gpu-check` runs these where there is one.
HERE_TOO = [name for name in SCENARIOS if name not in NEEDS]


@pytest.mark.parametrize("driver", ["", "delay=3"], ids=["at once", "late"])
@pytest.mark.parametrize("name", HERE_TOO)
def test_scenario(name: str, driver: str) -> None:
    assert run_file(HERE / "scenarios.py", name, driver=driver) == ""


def test_every_library_has_its_scenario() -> None:
    assert sorted(NEEDS.values()) == ["cupy", "torch"]
