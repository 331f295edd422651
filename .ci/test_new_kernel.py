"""Skeletons of kernels: what is refused, and that nothing is written then."""

from pathlib import Path

import command
import new_kernel
import pytest
import skeleton_check


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    skeleton_check.copy_tree(command.ROOT, tree)
    return tree


@pytest.fixture
def tree(clean: Path) -> Path:
    """A tree without changes."""
    command.run("git", "checkout", "--quiet", ".", cwd=clean)
    command.run("git", "clean", "--quiet", "-fd", cwd=clean)
    return clean


def files(tree: Path) -> dict[Path, bytes]:
    listed = command.run("git", "ls-files", "-co", "--exclude-standard", cwd=tree, show=False)
    return {path: path.read_bytes() for path in (tree / name for name in listed.split())}


def refused(tree: Path, name: str, family: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The message of a refusal, which changes no file."""
    before = files(tree)
    assert new_kernel.main(["--name", name, "--family", family], tree) == 1
    assert files(tree) == before
    message = capsys.readouterr().err
    assert message.startswith("new-kernel: ")
    assert message.endswith("; nothing was written\n")
    return message


@pytest.mark.parametrize(
    ("name", "family", "fault"),
    [
        ("", "filter", "NAME"),
        ("fm_demod", "filter", "NAME"),
        ("Two Words", "filter", "NAME"),
        ("../Up", "filter", "NAME"),
        ("Fir", "filter", "NAME: expected a new name"),
        ("Fir", "resample", "NAME: expected a new name"),
        ("FirConfig", "filter", "NAME: expected a new name"),
        ("Blockwise", "filter", "NAME: expected a new name"),
        ("SimdLevel", "filter", "NAME: expected a new name"),
        ("Match", "filter", "Rust"),
        ("Tile", "", "FAMILY"),
        ("Tile", "Filter", "FAMILY"),
        ("Tile", "../up", "FAMILY"),
        ("Tile", "core", "FAMILY"),
        ("Tile", "class", "Python"),
        ("Tile", "match", "Rust"),
        ("Tile", "state", "FAMILY: expected a family or a free name"),
        ("Tile", "testing", "FAMILY: expected a family or a free name"),
        ("Tile", "marshal", "FAMILY: expected a family or a free name"),
        ("Tile", "shape", "FAMILY: expected a family or a free name"),
        ("Tile", "plot", "FAMILY: expected a family or a free name"),
    ],
)
def test_names_that_cannot_be_are_refused(
    tree: Path, name: str, family: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fault in refused(tree, name, family, capsys)


def test_changes_that_are_not_committed_are_kept(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tree / "kernels/src/catalog.rs").open("a") as catalog:
        catalog.write("// Mine.\n")
    assert "kernels/src/catalog.rs" in refused(tree, "Tile", "filter", capsys)


def test_no_repository_is_refused(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tree.rename(tmp_path / "bare")
    (bare / ".git").rename(tmp_path / "git")
    try:
        assert new_kernel.main(["--name", "Tile", "--family", "filter"], bare) == 1
    finally:
        (tmp_path / "git").rename(bare / ".git")
        bare.rename(tree)
    assert "not a git repository" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "old", "family"),
    [
        ("README.md", "| `", "filter"),
        ("kernels/src/catalog.rs", "::cases,", "filter"),
        ("kernels/src/state/id.rs", ', "', "filter"),
        ("kernels/src/filter.rs", "pub use", "filter"),
        ("kernels/tests/levels.rs", '    "', "filter"),
        ("pybind/src/filter.rs", "items: &[", "filter"),
        ("pybind/src/filter.rs", "use crate::marshal::", "filter"),
        ("kernels/src/lib.rs", "pub mod", "novel"),
        ("kernels/firmware/src/cases/filter.rs", "Ok(())", "filter"),
        ("kernels/firmware/src/cases/mod.rs", "::run(report)", "novel"),
        ("pybind/tests/refused/filter.py", "\n]", "filter"),
        ("pybind/src/lib.rs", "::FAMILY,", "novel"),
        ("pybind/python/passband/__init__.pyi", "from passband import", "novel"),
    ],
)
def test_a_layout_that_is_not_known_is_refused(
    tree: Path, path: str, old: str, family: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (tree / path).read_text()
    (tree / path).write_text(text.replace(old, f"{old[:2]}other{old[2:]}"))
    message = refused(tree, "Tile", family, capsys)
    assert message.startswith(f"new-kernel: {path}: expected ")


def test_a_skeleton_has_all_its_places(tree: Path) -> None:
    before = files(tree)
    assert new_kernel.main(["--name", "FarAway", "--family", "novel"], tree) == 0
    after = files(tree)
    changed = {str(path.relative_to(tree)) for path in after if after[path] != before.get(path)}
    assert changed == {
        "README.md",
        "kernels/firmware/src/cases/mod.rs",
        "kernels/firmware/src/cases/novel.rs",
        "kernels/src/catalog.rs",
        "kernels/src/lib.rs",
        "kernels/src/novel.rs",
        "kernels/src/novel/far_away.rs",
        "kernels/src/novel/far_away/cases.rs",
        "kernels/src/state/id.rs",
        "kernels/tests/levels.rs",
        "pybind/python/passband/__init__.pyi",
        "pybind/python/passband/novel.pyi",
        "pybind/src/lib.rs",
        "pybind/src/novel.rs",
        "pybind/tests/references/novel.py",
        "pybind/tests/refused/novel.py",
    }
    for path in (tree / name for name in changed):
        assert after[path].count(b"keleton") == before.get(path, b"").count(b"keleton")
