"""Writes the skeleton of a blockwise kernel, with a Python face: a little kernel that works.

What it leaves is a first difference with a gain, in the family and under the name that are asked
for: with documentation, cases for the checks, tests, an id, a class and a stub. Nothing is written
unless all of it can be.
"""

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from insertions import (
    RefusedError,
    with_case,
    with_class,
    with_definition,
    with_id,
    with_line,
    with_module,
    with_refusal,
    with_row,
)

ROOT = Path(__file__).resolve().parent.parent
SKELETON = Path(__file__).resolve().parent / "skeleton"
KERNELS = Path("kernels/src")
CLASSES = Path("pybind/src")
STUBS = Path("pybind/python/passband")
README = Path("README.md")
LEVELS = Path("kernels/tests/levels.rs")
REFERENCES = Path("pybind/tests/references")
IMAGE = Path("kernels/firmware/src/cases")
REFUSED = Path("pybind/tests/refused")

# Crates whose names a family would hide.
CRATES = ("alloc", "core", "std")

# Where the author of the kernel goes on, and what is to be written there.
NEXT = {
    KERNELS / "{family}/{name}.rs": "config, state, `steps` and its body, documentation, tests",
    KERNELS / "{family}/{name}/cases.rs": "the reference, the summary, and bounds near the error",
    CLASSES / "{family}.rs": "the constructor's arguments, and examples of each type",
    STUBS / "{family}.pyi": "the documentation of the class",
    LEVELS: "the name, to stay while the bits are the same at every level",
    REFERENCES / "{family}.py": "the result in double precision",
    REFUSED / "{family}.py": "what the constructor refuses",
    IMAGE / "{family}.rs": "runs of the other sample types",
}
# And where the family is new.
NEXT_OF_FAMILY = {
    KERNELS / "{family}.rs": "what the family is for, in its first line",
    STUBS / "{family}.pyi": "the same for Python",
}


class Tree:
    """The files as they will be, until `write` makes them so."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.changed: dict[Path, str] = {}

    def exists(self, path: Path) -> bool:
        """Whether there is or will be such a file."""
        return path in self.changed or (self.root / path).exists()

    def read(self, path: Path) -> str:
        """The text of a file, with the changes so far."""
        if not self.exists(path):
            raise RefusedError(f"{path}: expected a file, found none")
        return self.changed.get(path) or (self.root / path).read_text(encoding="utf-8")

    def add(self, path: Path, text: str) -> None:
        """A new file."""
        if self.exists(path):
            raise RefusedError(f"{path}: expected no such file, found one")
        self.changed[path] = text

    def edit(self, path: Path, edit: Callable[[str], str]) -> None:
        """A change of a file; Rust is formatted after it."""
        try:
            text = edit(self.read(path))
        except RefusedError as fault:
            raise RefusedError(f"{path}: {fault}") from fault
        self.changed[path] = formatted(self.root, text) if path.suffix == ".rs" else text

    def write(self) -> None:
        """Writes all changes, unless one of the files has changes of its own."""
        paths = [str(path) for path in self.changed]
        status = ["git", "-C", str(self.root), "status", "--porcelain", "--", *paths]
        asked = subprocess.run(status, capture_output=True, text=True, check=False)
        if asked.returncode or asked.stdout:
            dirty = " ".join(asked.stdout.split()[1::2]) or asked.stderr.strip()
            raise RefusedError(
                f"expected files without changes of their own, found: {dirty}; commit or stash them"
            )
        for path, text in self.changed.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")


def formatted(root: Path, text: str) -> str:
    """Rust as `cargo fmt` leaves it."""
    command = ["rustfmt", "--edition=2024", f"--config-path={root}"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RefusedError(f"expected names that Rust takes: {ran.stderr.strip()}")
    return ran.stdout


def snake(kernel: str) -> str:
    """The name of a type's module."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kernel).lower()


def new_kernel(root: Path, kernel: str, family: str) -> list[Path]:
    """Writes the skeleton of a kernel into a tree; the files that it wrote."""
    name, tree = snake(kernel), Tree(root)
    check_names(tree, kernel, name, family)
    if not tree.exists(KERNELS / f"{family}.rs"):
        found_family(tree, family)
    found_tests(tree, family)

    names = {"Skeleton": kernel, "skeleton": name, "SKELETON": name.upper(), "skeletons": family}

    def template(file: str) -> str:
        text = (SKELETON / file).read_text(encoding="utf-8")
        return re.sub(r"(?i:skeletons?)", lambda word: names[word[0]], text)

    tree.add(KERNELS / family / f"{name}.rs", formatted(root, template("kernel.rs")))
    tree.add(KERNELS / family / name / "cases.rs", formatted(root, template("cases.rs")))
    tree.edit(KERNELS / f"{family}.rs", partial(with_module, name=name, kernel=kernel))
    number = partial(with_id, constant=name.upper(), family=family, kernel=kernel)
    tree.edit(KERNELS / "state/id.rs", number)
    row = f"    crate::{family}::{name}::cases,"
    line = partial(with_line, kind=r"    crate::\w+::\w+::cases,", line=row)
    tree.edit(KERNELS / "catalog.rs", line)
    declared = partial(with_class, kernel=kernel, declaration=template("declaration.rs"))
    tree.edit(CLASSES / f"{family}.rs", declared)
    stub = partial(with_definition, added=template("stub.pyi"), between="\n\n")
    tree.edit(STUBS / f"{family}.pyi", stub)
    case = partial(with_case, name=name, added=template("firmware.rs"))
    tree.edit(IMAGE / f"{family}.rs", case)
    tree.edit(README, partial(with_row, kernel=kernel, family=family))
    tree.edit(LEVELS, partial(with_line, kind=r'    "\w+",', line=f'    "{kernel}",'))
    reference = partial(with_definition, added=template("reference.txt"), between="\n\n\n")
    tree.edit(REFERENCES / f"{family}.py", reference)
    refusal = partial(with_refusal, added=template("refused.txt"))
    tree.edit(REFUSED / f"{family}.py", refusal)
    tree.write()
    return list(tree.changed)


def check_names(tree: Tree, kernel: str, name: str, family: str) -> None:
    """Refuses names that cannot be, or that are taken."""
    if not re.fullmatch(r"([A-Z][a-z0-9]+)+", kernel):
        raise RefusedError(f"NAME: expected the name of a type such as FmDemod, given {kernel!r}")
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", family) or family in CRATES:
        raise RefusedError(f"FAMILY: expected the name of a module such as demod, given {family!r}")
    if keyword.iskeyword(kernel) or keyword.iskeyword(family):
        raise RefusedError("expected names that Python takes")
    check_family(tree, family)
    family_file = tree.root / KERNELS / f"{family}.rs"
    for path in (*SKELETON.iterdir(), *(tree.root / STUBS).glob("*.pyi"), family_file):
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if re.search(rf"^[^\"/#]*\b{kernel}\b", text, re.MULTILINE):
            raise RefusedError(
                f"NAME: expected a new name, given {kernel!r}, which {path.name} has"
            )
    for path in (KERNELS / family / f"{name}.rs", KERNELS / family / name):
        if tree.exists(path):
            raise RefusedError(f"NAME: expected a new name, given {kernel!r}: there is {path}")


def check_family(tree: Tree, family: str) -> None:
    """Refuses a name that is neither a family's nor free."""
    parts = [KERNELS / f"{family}.rs", CLASSES / f"{family}.rs", STUBS / f"{family}.pyi"]
    other = [KERNELS / family, CLASSES / family, STUBS / family, STUBS / f"{family}.py"]
    there = [tree.exists(part) for part in parts]
    if all(there) and "const FAMILY: Family" in tree.read(parts[1]) and family != "shape":
        return
    if any(there) or any(map(tree.exists, other)):
        raise RefusedError(f"FAMILY: expected a family or a free name, given {family!r}")


def found_family(tree: Tree, family: str) -> None:
    """Adds a family that holds nothing yet."""
    title = family.replace("_", " ").capitalize()
    tree.add(KERNELS / f"{family}.rs", f"//! {title}.\n")
    tree.add(
        CLASSES / f"{family}.rs",
        f"//! `passband.{family}`.\n\n"
        "use crate::declare::{Family, stub_doc};\n"
        "use crate::marshal::{};\n\n"
        "pub(crate) const FAMILY: Family = Family {\n"
        f'name: "{family}", doc: stub_doc!("{family}"), at_top: true, items: &[],\n'
        "};\n",
    )
    tree.add(STUBS / f"{family}.pyi", f'"""{title}."""\n')
    tree.add(
        IMAGE / f"{family}.rs",
        f"//! {title}.\n\n"
        "use crate::report::Report;\n"
        "use core::fmt::Result;\n\n"
        "pub(super) fn run(report: &mut Report) -> Result {\n    Ok(())\n}\n",
    )
    lines = [
        (IMAGE / "mod.rs", r"mod \w+;", f"mod {family};"),
        (IMAGE / "mod.rs", r"    \w+::run\(report\)\?;", f"    {family}::run(report)?;"),
        (KERNELS / "lib.rs", r"pub mod \w+;", f"pub mod {family};"),
        (CLASSES / "lib.rs", r"mod \w+;", f"mod {family};"),
        (CLASSES / "lib.rs", r"    \w+::FAMILY,", f"    {family}::FAMILY,"),
        (
            STUBS / "__init__.pyi",
            r"from passband import \w+ as \w+",
            f"from passband import {family} as {family}",
        ),
        (
            STUBS / "__init__.pyi",
            r"from passband\.\w+ import .+",
            f"from passband.{family} import *",
        ),
    ]
    for path, kind, line in lines:
        tree.edit(path, partial(with_line, kind=kind, line=line))


def found_tests(tree: Tree, family: str) -> None:
    """Adds the files of tests that a family lacks."""
    title = family.replace("_", " ")
    if not tree.exists(REFERENCES / f"{family}.py"):
        tree.add(REFERENCES / f"{family}.py", f'"""{title.capitalize()}."""\n')
    if not tree.exists(REFUSED / f"{family}.py"):
        doc = f'"""What is refused in {title}."""'
        wrong = f"{doc}\n\nfrom refused import Row\n\nWRONG: list[Row] = [\n]\n"
        tree.add(REFUSED / f"{family}.py", wrong)


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Runs the command; the exit status."""
    parser = argparse.ArgumentParser(prog="make new-kernel", description=__doc__)
    parser.add_argument("--name", metavar="NAME", help="the type, as in FmDemod", required=True)
    parser.add_argument("--family", metavar="FAMILY", help="the module, as in demod", required=True)
    given = parser.parse_args(arguments)
    try:
        written = new_kernel(root, given.name, given.family)
    except RefusedError as fault:
        print(f"new-kernel: {fault}; nothing was written", file=sys.stderr)
        return 1
    print("Written:", *written, sep="\n  ")
    name = snake(given.name)
    print("Go on in:")
    founded = KERNELS / "lib.rs" in written
    for path, what in [*NEXT.items(), *(NEXT_OF_FAMILY.items() if founded else ())]:
        print(f"  {str(path).format(family=given.family, name=name)}: {what}")
    print("`make test` runs its checks; docs/pages/adding-a-kernel.md tells the rest.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
