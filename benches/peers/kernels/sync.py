"""Loops that follow a carrier or a clock."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import doppler.track
import numpy as np
import passband

from kernels.job import Job, N


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Loops; those of the other package differ in what they detect."""
    placed = np.empty(N, np.complex64)
    yield Job(
        "Pll (doppler: Costas)",
        partial(passband.Pll(0.01).steps, complex_),
        {"doppler-dsp": partial(doppler.track.Costas(bn=0.01, tsamps=1).steps, complex_, placed)},
    )
    yield Job(
        "SymbolSync, float32 (doppler: complex64)",
        partial(passband.SymbolSync(5, 0.01).execute, real),
        {"doppler-dsp": partial(doppler.track.SymbolSync(5, 0.01).steps, complex_, placed)},
    )
