"""Checks that every Rust dependency may be used under a licence that passband accepts."""

import json
import re
import subprocess
from pathlib import Path

ACCEPTED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}

_OPERATORS = {"AND": "and", "OR": "or", "(": "(", ")": ")"}
_TOKEN = re.compile(r"[()]|[A-Za-z0-9.+-]+(?: WITH [A-Za-z0-9.-]+)?")


def accepts(expression: str) -> bool:
    """Whether an SPDX expression (or the old `MIT/Apache-2.0` form) can be met by `ACCEPTED`."""
    tokens = _TOKEN.findall(expression.replace("/", " OR "))
    terms = [_OPERATORS.get(token) or str(token in ACCEPTED) for token in tokens]
    # Only the words of `_OPERATORS`, True and False can be in here.
    return bool(terms) and bool(eval(" ".join(terms)))


def refused(manifest: Path) -> tuple[list[str], int]:
    """The dependencies of a manifest that are not accepted, and how many were looked at."""
    command = ["cargo", "metadata", "--format-version=1", "--all-features", "--locked"]
    listed = subprocess.run(
        [*command, f"--manifest-path={manifest}"], capture_output=True, text=True, check=True
    )
    packages = json.loads(listed.stdout)["packages"]
    faults = [
        f"{package['name']} {package['version']}: {package['license'] or 'no licence stated'}"
        for package in packages
        if not accepts(package["license"] or "")
    ]
    return faults, len(packages)
