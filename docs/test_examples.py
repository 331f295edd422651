"""The examples of the README and of the book run as they stand."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs/pages").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


EXAMPLES = [page for page in PAGES if blocks(page, "python")]


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.stem)
def test_python(page: Path, tmp_path: Path) -> None:
    # One reads a page from the top: what an example defines is there below it.
    namespace = {"__name__": "example"}
    for index, block in enumerate(blocks(page, "python")):
        if "__main__" in block:
            # A script of its own, which its worker imports.
            script = tmp_path / f"example_{index + 1}.py"
            script.write_text(block)
            subprocess.run([sys.executable, script], check=True, timeout=60)
        else:
            exec(compile(block, f"{page.name}, example {index + 1}", "exec"), namespace)


def test_the_command_line_of_the_readme(tmp_path: Path) -> None:
    consoles = "".join(blocks(PAGES[0], "console")).replace("\\\n", " ")
    (command,) = re.findall(r"^\$ passband (.*)$", consoles, re.MULTILINE)
    rng = np.random.default_rng(1)
    codes = rng.normal(127.5, 2.0, (1_000_000, 2))
    burst = np.exp(-2j * np.pi * 150e3 / 2e6 * np.arange(100_000))
    codes[600_000:700_000] += 60.0 * burst.view(float).reshape(-1, 2)
    codes.round().astype(np.uint8).tofile(tmp_path / "recording.cu8")
    subprocess.run(
        [sys.executable, "-m", "passband", *shlex.split(command)], cwd=tmp_path, check=True
    )
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == ["audio.wav", "bursts.csv", "recording.cu8", "recording.png"]
    assert len((tmp_path / "bursts.csv").read_text().splitlines()) == 2
