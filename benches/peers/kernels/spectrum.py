"""Transforms and windows."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import doppler.spectral
import numpy as np
import passband
from scipy import fft, signal

from kernels.job import Job, N


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Frames of several lengths, and long windows."""
    for n in (256, 1024, 16384):
        frames = np.ascontiguousarray(complex_.reshape(-1, n))
        engine, out = doppler.spectral.FFT(n), np.empty(n, np.complex64)
        yield Job(
            f"Fft of {n}, complex64",
            partial(passband.Fft(n).batch, frames),
            {
                "scipy fft": partial(fft.fft, frames),
                "doppler-dsp": partial(_each, engine.execute_cf32, frames, out),
            },
        )
    single = np.empty(N, np.float32)
    yield Job(
        "kaiser, float32 (SciPy: float64)",
        partial(passband.kaiser, N, 8, dtype="float32"),
        {
            "doppler-dsp": partial(doppler.spectral.kaiser_window, single, 8),
            "scipy": partial(signal.windows.kaiser, N, 8),
        },
    )
    yield Job(
        "hann, float32 (SciPy: float64)",
        partial(passband.hann, N, dtype="float32"),
        {
            "doppler-dsp": partial(doppler.spectral.hann_window, single),
            "scipy": partial(signal.windows.hann, N),
        },
    )
    yield Job(
        "blackman_harris, float64",
        partial(passband.blackman_harris, N),
        {"scipy": partial(signal.windows.blackmanharris, N)},
    )


def _each(execute: Any, frames: Any, out: Any) -> None:
    for frame in frames:
        execute(frame, out)
