"""Signals for the command line to receive, and what it made of them."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from passband import cli

RATE = 256_000
OUTPUTS = ("--audio", "a.wav", "--records", "r.csv", "--plot", "p.png")


def write_iq(path: Path, iq: NDArray[np.complex128]) -> Path:
    """Write complex samples as cf32."""
    iq.astype("<c8").tofile(path)
    return path


def tone(
    frequency: float, count: int = RATE // 2, amplitude: float = 0.5
) -> NDArray[np.complex128]:
    """A complex tone at RATE."""
    carrier: NDArray[np.complex128] = np.exp(2j * np.pi * frequency / RATE * np.arange(count))
    return amplitude * carrier


def noise(count: int, power_db: float = -50) -> NDArray[np.complex128]:
    """Complex noise."""
    random = np.random.default_rng(7)
    parts: NDArray[np.float64] = (
        random.standard_normal(2 * count) * 10 ** (power_db / 20) / np.sqrt(2)
    )
    return parts[::2] + 1j * parts[1::2]


def bursts_of(path: Path) -> list[dict[str, float]]:
    """Burst records, whatever the file's format."""
    if path.suffix == ".json":
        found: list[dict[str, float]] = json.loads(path.read_text())["bursts"]
        return found
    with path.open(newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def strongest(audio: NDArray[Any], rate: float) -> float:
    """Frequency of the strongest line of a signal, in hertz."""
    spectrum = np.abs(np.fft.fft(audio * np.hanning(len(audio))))
    return float(np.fft.fftfreq(len(audio), 1 / rate)[spectrum.argmax()])


def receive(*words: str | Path) -> int:
    """Run ``passband receive``."""
    return cli.main(["receive", *map(str, words)])


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
