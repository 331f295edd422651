"""Builds the firmware image, runs it on QEMU, and compares it with the same cases on the host."""

import re
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from proof import ProofError
from toolchain import Toolchain

# The panic handler refers to this symbol, which nothing defines.
PANIC = "passband_panic_is_reachable"

Run = Callable[..., str]


@dataclass
class Case:
    """What one kernel reported: the bits of its outputs, and what they cost."""

    words: list[str] = field(default_factory=list)
    samples: int = 0
    instructions: int = 0


def parse(output: str) -> dict[str, Case]:
    """Reads `case NAME`, `cost INSTRUCTIONS SAMPLES` and the bits of doubles, all in hex."""
    cases: dict[str, Case] = {}
    case = Case()
    for line in output.splitlines():
        match line.split():
            case ["case", *name]:
                case = cases[" ".join(name)] = Case()
            case [word]:
                case.words.append(word)
            case ["cost", instructions, samples]:
                case.instructions, case.samples = int(instructions, 16), int(samples, 16)
    return cases


def compare(image: dict[str, Case], host: dict[str, Case]) -> None:
    """Requires the same cases with the same bits."""
    if not image or image.keys() != host.keys():
        raise ProofError(f"the image ran {list(image)}, the host {list(host)}")
    for name, case in image.items():
        expected = host[name].words
        if not case.words or len(case.words) != len(expected):
            raise ProofError(f"{name}: {len(case.words)} words, the host has {len(expected)}")
        for index, (got, want) in enumerate(zip(case.words, expected, strict=True)):
            if got != want:
                raise ProofError(f"{name}: word {index} is {got}, the host has {want}")
        if not case.samples or not case.instructions:
            raise ProofError(f"{name}: no instructions were counted")


def table(cases: dict[str, Case]) -> str:
    """A run for people: instructions per sample and the first results."""
    rows = [f"{'kernel':<60} {'samples':>8} {'insn/sample':>12} {'words':>6}   first results"]
    for name, case in cases.items():
        rate = case.instructions / max(case.samples, 1)
        first = "  ".join(f"{_value(word):.6g}" for word in case.words[:4])
        rows.append(f"{name:<60} {case.samples:>8} {rate:>12.1f} {len(case.words):>6}   {first}")
    return "\n".join(rows)


def host() -> str:
    """The target triple of this machine."""
    version = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^host: (\S+)", version, re.MULTILINE)
    assert found
    return found[1]


def prove(crate: Path, thumb: Toolchain, run: Run) -> str:
    """Builds, links, runs and compares; returns a line that says what was found."""
    _must_not_link(crate, thumb, run)
    image = parse(run(*thumb.command("run", "--release"), cwd=crate, env=thumb.env, show=False))
    here = parse(run("cargo", "run", "--profile=host", f"--target={host()}", cwd=crate, show=False))
    compare(image, here)
    print(table(image))
    words = sum(len(case.words) for case in image.values())
    return f"{len(image)} cases, {words} words as on the host, no panic is reachable"


def _must_not_link(crate: Path, thumb: Toolchain, run: Run) -> None:
    """The control image has one reachable panic: this shows that the proof can fail."""
    command = thumb.command("build", "--release", "--features=control")
    try:
        run(*command, cwd=crate, env=thumb.env, show=False)
    except subprocess.CalledProcessError as error:
        if f"undefined symbol: {PANIC}" in error.output:
            return
        raise
    raise ProofError("the control image has a reachable panic, and yet it links")


def _value(word: str) -> float:
    value: float = struct.unpack(">d", int(word, 16).to_bytes(8))[0]
    return value
