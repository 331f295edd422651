"""Oscillators, sequences and noise, and what turns by them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import doppler.source
import doppler.wfm
import numpy as np
import passband
from scipy import signal

from kernels.job import Job, N


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Sources, and kernels with an oscillator in them."""
    yield from _oscillators(real, complex_)
    yield from _noise()
    yield from _sequences()
    yield Job(
        "Impulse, float32",
        partial(passband.Impulse().steps, N),
        {"scipy unit_impulse": partial(signal.unit_impulse, N, 0, np.float32)},
    )


def _oscillators(real: Any, complex_: Any) -> Iterator[Job]:
    yield Job(
        "LocalOscillator",
        partial(passband.LocalOscillator(0.1).steps, N),
        {"doppler-dsp": partial(doppler.source.LO(0.1).steps, N)},
    )
    turns = 0.1 * np.arange(N)
    yield Job(
        "Mixer",
        partial(passband.Mixer(0.1).steps, complex_),
        {"numpy exp": lambda: complex_ * np.exp(2j * np.pi * turns).astype(np.complex64)},
    )
    control, placed = 0.1 * real, np.empty(N, np.complex64)
    yield Job(
        "Nco",
        partial(passband.Nco().steps, control),
        {"doppler-dsp": partial(doppler.source.LO(0.0).steps_ctrl, control, placed)},
    )
    time = np.arange(N, dtype=np.float64)
    yield Job(
        "Chirp",
        partial(passband.Chirp(0.1, 1e-6).steps, N),
        {"scipy chirp": partial(signal.chirp, time, 0.1, 1, 0.1 + 1e-6, complex=True)},
    )
    angles = np.angle(complex_)
    yield Job(
        "FmDemod",
        partial(passband.FmDemod().steps, complex_),
        {"numpy angle": lambda: np.angle(complex_[1:] * complex_[:-1].conj())},
    )
    yield Job(
        "Unwrap, float32",
        partial(passband.Unwrap().steps, angles),
        {"numpy unwrap": partial(np.unwrap, angles)},
    )


def _noise() -> Iterator[Job]:
    rng = np.random.default_rng(1)
    yield Job(
        "Noise, gaussian, float32",
        partial(passband.Noise(1).steps, N),
        {"numpy standard_normal": partial(rng.standard_normal, N, np.float32)},
    )
    yield Job(
        "Noise, gaussian, complex64",
        partial(passband.Noise(1, dtype="complex64").steps, N),
        {
            "numpy standard_normal": partial(rng.standard_normal, 2 * N, np.float32),
            "doppler-dsp": partial(doppler.source.AWGN(1).generate, N),
        },
    )
    yield Job(
        "Noise, uniform, float32",
        partial(passband.Noise(1, distribution="uniform").steps, N),
        {"numpy random": partial(rng.random, N, np.float32)},
    )


def _sequences() -> Iterator[Job]:
    yield Job(
        "Pn of length 16",
        partial(passband.Pn(16).steps, N),
        {
            "doppler-dsp": partial(doppler.wfm.PN(seed=1, length=16).generate, N),
            "scipy max_len_seq": partial(signal.max_len_seq, 16, length=N),
        },
    )
    yield Job(
        "Gold of length 10",
        partial(passband.Gold(10, 5).steps, N),
        {"doppler-dsp": partial(doppler.wfm.Gold().generate, N)},
    )
