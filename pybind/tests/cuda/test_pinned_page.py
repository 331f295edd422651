"""The examples of the page on pinned memory run as they stand, on the stand-in."""

import re
from pathlib import Path

from stand_in import ROOT, run_file

PAGE = ROOT / "docs/pages/pinned.md"


def test_the_examples_of_the_page(tmp_path: Path) -> None:
    text = PAGE.read_text()
    blocks = re.findall(r'^```python title="With CUDA"\n(.*?)^```$', text, re.M | re.S)
    assert len(blocks) == text.count("```python")
    scripts = [block for block in blocks if "__main__" in block]
    # One reads a page from the top: what an example defines is there below it.
    steps = "".join(block for block in blocks if "__main__" not in block)
    for number, script in enumerate([*scripts, steps]):
        path = tmp_path / f"example_{number}.py"
        path.write_text(script)
        assert run_file(path) == ""
    assert len(scripts) == 1
