"""Functions of samples, beside NumPy's and CMSIS-DSP's."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import doppler.spectral
import numpy as np
from passband import math

from kernels.job import Call, Job, arm


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Functions of two arrays, of one, and of all samples."""
    for x in (real, complex_):
        yield from _of_two(x)
    yield from _of_complex(complex_)
    yield from _of_real(real)
    yield from _of_all(real)


def _of_two(a: Any) -> Iterator[Job]:
    b = np.roll(a, 1)
    for name, peer in (
        ("add", np.add),
        ("mul", np.multiply),
        ("dot", np.dot),
        ("vdot", np.vdot),
    ):
        yield Job(
            f"math.{name}, {a.dtype}",
            partial(getattr(math, name), a, b),
            {f"numpy {peer.__name__}": partial(peer, a, b)},
        )
    yield Job(
        f"math.mac, {a.dtype}",
        partial(math.mac, b, a, b),
        {"numpy": lambda: b + a * b},
    )


def _of_complex(x: Any) -> Iterator[Job]:
    parts = x.view(np.float32)
    decibels = partial(doppler.spectral.magnitude_db_cf32, x, 1e-12, 0.0)
    for name, function, peers in (
        (
            "magnitude",
            math.magnitude,
            {"numpy abs": partial(np.abs, x), "cmsisdsp": partial(arm, "cmplx_mag", "f32", parts)},
        ),
        (
            "magnitude_squared",
            math.magnitude_squared,
            {
                "numpy": lambda: np.square(x.real) + np.square(x.imag),
                "cmsisdsp": partial(arm, "cmplx_mag_squared", "f32", parts),
            },
        ),
        ("phase", math.phase, {"numpy angle": partial(np.angle, x)}),
        (
            "conj",
            math.conj,
            {"numpy": partial(np.conj, x), "cmsisdsp": partial(arm, "cmplx_conj", "f32", parts)},
        ),
        ("amplitude_to_db", partial(math.amplitude_to_db, floor=-240), {"doppler-dsp": decibels}),
    ):
        yield Job(f"math.{name}, complex64", partial(function, x), peers)
    for phase in (np.angle(x), np.angle(x.astype("c16"))):
        yield Job(
            f"math.unwrap, {phase.dtype}",
            partial(math.unwrap, phase),
            {"numpy unwrap": partial(np.unwrap, phase)},
        )


def _of_real(x: Any) -> Iterator[Job]:
    positive = np.abs(x) + 1
    rows: tuple[tuple[str, Any, dict[str, Call]], ...] = (
        ("sqrt", positive, {"numpy": partial(np.sqrt, positive)}),
        ("exp", x, {"numpy": partial(np.exp, x), "cmsisdsp": partial(arm, "vexp", "f32", x)}),
        (
            "log",
            positive,
            {"numpy": partial(np.log, positive), "cmsisdsp": partial(arm, "vlog", "f32", positive)},
        ),
        ("sin", x, {"numpy": partial(np.sin, x)}),
        ("cos", x, {"numpy": partial(np.cos, x)}),
        ("sincos", x, {"numpy": lambda: (np.sin(x), np.cos(x))}),
        ("power_to_db", positive, {"numpy": lambda: 10 * np.log10(positive)}),
    )
    for name, of, peers in rows:
        yield Job(f"math.{name}, float32", partial(getattr(math, name), of), peers)
    yield Job(
        "math.scale, float32",
        partial(math.scale, x, 0.5),
        {"numpy": lambda: 0.5 * x, "cmsisdsp": partial(arm, "scale", "f32", x, 0.5)},
    )
    yield Job(
        "math.clamp, float32",
        partial(math.clamp, x, -1, 1),
        {
            "numpy clip": partial(np.clip, x, -1, 1),
            "cmsisdsp": partial(arm, "clip", "f32", x, -1.0, 1.0),
        },
    )


def _of_all(x: Any) -> Iterator[Job]:
    for name, numpy, theirs in (
        ("mean", np.mean, "mean"),
        ("variance", np.var, "var"),
        ("std_dev", np.std, "std"),
        ("rms", lambda x: np.sqrt(np.mean(np.square(x))), "rms"),
        ("min", np.min, "min_no_idx"),
        ("max", np.max, "max_no_idx"),
        ("argmin", np.argmin, "min"),
        ("argmax", np.argmax, "max"),
    ):
        yield Job(
            f"math.{name}, float32",
            partial(getattr(math, name), x),
            {"numpy": partial(numpy, x), "cmsisdsp": partial(arm, theirs, "f32", x)},
        )
