"""What the book says of Torch, and a loader that fills batches in another process."""

import re
from pathlib import Path

import pytest

torch = pytest.importorskip(
    "torch", reason="torch is not here: the job torch of the gate runs this with Debian's"
)

PAGE = Path(__file__).resolve().parents[3] / "docs/pages/arena.md"
EXAMPLES = re.findall(r'^```python title="With Torch"\n(.*?)^```$', PAGE.read_text(), re.M | re.S)


def test_the_page_has_an_example() -> None:
    assert len(EXAMPLES) == 1


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_page(example: str) -> None:
    exec(compile(example, "arena.md", "exec"), {"__name__": "example"})
