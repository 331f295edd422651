"""Whatever Torch keeps of a unit keeps the unit."""

import alias_table
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is not here: the job torch of the gate runs this with Debian's"
)


@pytest.fixture(scope="module")
def table() -> dict[str, str]:
    """What became of the bytes, by the way they were kept."""
    print(f"torch {torch.__version__}")
    return alias_table.table("torch")


@pytest.mark.parametrize("name", alias_table.torch_rows())
def test_aliases(table: dict[str, str], name: str) -> None:
    assert table[name] == alias_table.HELD
