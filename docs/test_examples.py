"""The examples of the README and of the book run as they stand."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from passband import demo

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
    build = tmp_path / "build"
    (build / "demo").mkdir(parents=True)
    truth = demo.synthesise(build / "demo/demo.cu8")
    subprocess.run(
        [sys.executable, "-m", "passband", *shlex.split(command)], cwd=tmp_path, check=True
    )
    written = sorted(path.name for path in build.iterdir())
    assert written == ["am.wav", "bursts.csv", "bursts.png", "demo"]
    assert len((build / "bursts.csv").read_text().splitlines()) == 1 + len(truth)
