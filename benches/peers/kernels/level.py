"""Levels and powers."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import passband

from kernels.job import Job


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """What is measured of a block."""
    yield Job(
        "PowerAverager, complex64",
        partial(passband.PowerAverager(dtype="complex64").push, complex_),
        {"numpy vdot": partial(np.vdot, complex_, complex_)},
    )
    yield Job(
        "LevelMeter, float32",
        partial(passband.LevelMeter(dtype="float32").measure, real),
        {"numpy": lambda: (np.sqrt(np.mean(np.square(real))), np.max(np.abs(real)))},
    )
