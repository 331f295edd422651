"""Peaks, pulses and bursts."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import passband
from scipy import signal

from kernels.job import Job


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Detectors beside what finds the edges only, where nobody else has the records."""
    doubles = real.astype(np.float64)
    yield Job(
        "find_peaks, prominence and width",
        partial(passband.find_peaks, doubles, height=1),
        {"scipy find_peaks": partial(signal.find_peaks, doubles, 1, prominence=0, width=0)},
    )
    yield Job(
        "PulseSlicer, float32",
        partial(passband.PulseSlicer(0.5, 0.0, dtype="float32").detect, real),
        {"numpy diff of >": lambda: np.flatnonzero(np.diff(real > 0.5))},
    )

    def edges() -> Any:
        power = np.square(complex_.real) + np.square(complex_.imag)
        return np.flatnonzero(np.diff(power > 6))

    detector = passband.BurstDetector(6.0, 3.0, hang=8)
    yield Job(
        "BurstDetector, complex64",
        partial(detector.detect, complex_),
        {"numpy diff of >": edges},
    )
