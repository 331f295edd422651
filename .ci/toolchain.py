"""Finds Rust toolchains: above all one that builds for a bare Cortex-M4.

Rustup's target is the ordinary way. Debian's toolchain for wasm carries the sources of `core`, so
that it builds for any target from the archive alone; it is what the gate uses with CI=true.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

TARGET = "thumbv7em-none-eabihf"
HOW_TO_GET_ONE = (
    f"`rustup target add {TARGET}`, or on Debian `apt install rustc-web cargo-web rust-web-src lld`"
)

_DEBIAN_CARGO = Path("/usr/bin/cargo")
_DEBIAN_RUSTC = Path("/usr/bin/rustc")
_DEBIAN_RUSTDOC = Path("/usr/bin/rustdoc")
_DEBIAN_LINKER = Path("/usr/bin/ld.lld")
_DEBIAN_SOURCES = Path("/usr/lib/rustlib/src/rust/library/core")


@dataclass(frozen=True)
class Toolchain:
    """A cargo that builds for `TARGET`."""

    name: str
    cargo: str
    env: dict[str, str] = field(default_factory=dict)
    builds_std: bool = False

    def command(self, subcommand: str, *arguments: str, std: str = "core") -> list[str]:
        """The command line of a cargo subcommand that uses the library crates `std` names."""
        flags = [f"-Zbuild-std={std}"] if self.builds_std else []
        return [self.cargo, subcommand, *flags, f"--target={TARGET}", *arguments]


def nightly_has_sources() -> bool:
    """Whether a nightly toolchain can build the standard library itself."""
    found = subprocess.run(
        ["rustc", "+nightly", "--print=sysroot"], capture_output=True, text=True, check=False
    )
    sources = Path(found.stdout.strip()) / "lib/rustlib/src/rust/library/std"
    return found.returncode == 0 and sources.exists()


def thumb() -> Toolchain | None:
    """The toolchain to use, or None where there is none."""
    rustup = _rustup()
    debian = _debian()
    if os.environ.get("CI") == "true":
        return debian
    return rustup or debian


def _rustup() -> Toolchain | None:
    if not shutil.which("rustup"):
        return None
    listed = subprocess.run(
        ["rustup", "target", "list", "--installed"], capture_output=True, text=True, check=False
    )
    return Toolchain("rustup", "cargo") if TARGET in listed.stdout.split() else None


def _debian() -> Toolchain | None:
    parts = (_DEBIAN_CARGO, _DEBIAN_RUSTC, _DEBIAN_LINKER, _DEBIAN_SOURCES)
    if not all(part.exists() for part in parts):
        return None
    env = {
        "RUSTC": str(_DEBIAN_RUSTC),
        "RUSTDOC": str(_DEBIAN_RUSTDOC),
        # `-Zbuild-std` is an unstable flag, and this is a stable compiler.
        "RUSTC_BOOTSTRAP": "1",
        # The compiler comes without its own linker.
        f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}_LINKER": str(_DEBIAN_LINKER),
    }
    return Toolchain("Debian rustc-web", str(_DEBIAN_CARGO), env, builds_std=True)
