"""Conversions of samples to codes and back, and arithmetic of codes."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import cmsisdsp
import doppler.cvt
import numpy as np
import passband

from kernels.job import Job, N, arm


def jobs(real: Any, complex_: Any) -> Iterator[Job]:
    """Conversions and arithmetic."""
    rng = np.random.default_rng(1)
    yield from _to_codes(0.2 * real, rng)
    yield from _from_codes(0.2 * real, rng)
    yield from _arithmetic(0.2 * real)


def nearest(x: Any, dtype: str) -> Any:
    """Codes by NumPy."""
    limits = np.iinfo(dtype)
    return np.clip(np.rint(x * (limits.max + 1.0)), limits.min, limits.max).astype(dtype)


def _to_codes(x: Any, rng: Any) -> Iterator[Job]:
    for bits, peer in ((8, "q7"), (16, "q15"), (32, "q31")):
        wide = x.astype(np.float64) if bits == 32 else x
        name = f"F32ToI{bits}"
        yield Job(
            name,
            partial(getattr(passband, name)().steps, x),
            {
                "numpy rint clip astype": partial(nearest, wide, f"int{bits}"),
                "cmsisdsp": partial(getattr(cmsisdsp, f"arm_float_to_{peer}"), x),
                "doppler-dsp": partial(getattr(doppler.cvt, name)().steps, x),
            },
        )
    yield Job(
        "F32ToI16, dither",
        partial(passband.F32ToI16(dither=1).steps, x),
        {"numpy": lambda: nearest(x + rng.triangular(-1, 0, 1, N) / 32768, "int16")},
    )
    yield Job(
        "F32ToU8",
        partial(passband.F32ToU8().steps, x),
        {"numpy": lambda: np.clip(np.rint(x * 128 + 128), 0, 255).astype(np.uint8)},
    )
    yield Job(
        "Adc, 12 bits, float32",
        partial(passband.Adc(12).steps, x),
        {"numpy rint clip": lambda: np.clip(np.rint(x * 2048), -2048, 2047) / 2048},
    )


def _from_codes(x: Any, rng: Any) -> Iterator[Job]:
    octets = rng.integers(0, 256, 2 * N, np.uint8)
    yield Job(
        "U8ToF32, I and Q",
        partial(passband.U8ToF32(iq=True).steps, octets),
        {
            "numpy astype": lambda: ((octets.astype("f4") - 127.5) / 128).view(np.complex64),
            "doppler-dsp": partial(doppler.cvt.U8ToF32().steps, octets),
        },
    )
    for bits, peer in ((8, "q7"), (16, "q15"), (32, "q31")):
        codes, name = nearest(x.astype(np.float64), f"int{bits}"), f"I{bits}ToF32"
        full = np.float32(2.0 ** (bits - 1))
        yield Job(
            name,
            partial(getattr(passband, name)().steps, codes),
            {
                "numpy astype": lambda codes=codes, full=full: codes.astype("f4") / full,
                "cmsisdsp": partial(getattr(cmsisdsp, f"arm_{peer}_to_float"), codes),
                "doppler-dsp": partial(getattr(doppler.cvt, name)().steps, codes),
            },
        )


def _arithmetic(x: Any) -> Iterator[Job]:
    for q, dtype in (("q7", "int8"), ("q15", "int16"), ("q31", "int32")):
        a = nearest(x.astype(np.float64), dtype)
        b = np.roll(a, 1)
        for ours, theirs in (("add", "add"), ("sub", "sub"), ("mul", "mult"), ("dot", "dot_prod")):
            yield Job(
                f"fixed.{ours}, {q}",
                partial(getattr(passband.fixed, ours), a, b),
                {"cmsisdsp": partial(arm, theirs, q, a, b)},
            )
        yield Job(
            f"fixed.shift, {q}",
            partial(passband.fixed.shift, a, 2),
            {"cmsisdsp": partial(arm, "shift", q, a, 2)},
        )
