"""Conversions between samples and codes."""

from typing import Any

import numpy as np
from surface import Case

from references import arguments


def dithers(seed: int, n: int) -> Any:
    """Triangular noise by its definition: halves of SplitMix64."""
    bits, noise = (1 << 64) - 1, []
    for i in range(1, n + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & bits
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & bits
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & bits
        z ^= z >> 31
        noise.append(((z >> 32) - (z & 0xFFFFFFFF)) / 2**32)
    return np.array(noise)


def to_codes(case: Case, made: Any, x: Any) -> Any:
    """The nearest codes, halves to even."""
    limits, seed = np.iinfo(case.output), arguments(case).dither
    unsigned = limits.min == 0
    scale = 128 if unsigned else limits.max + 1
    middle = (127.5 if case.gives_pairs else 128) if unsigned else 0
    y = x.view(float) * scale + middle
    y = y if seed is None else y + dithers(seed, len(y))
    return np.clip(np.rint(y), limits.min, limits.max)


f32_to_u8 = f32_to_i8 = f32_to_i16 = f32_to_i32 = to_codes


def from_codes(case: Case, made: Any, x: Any) -> Any:
    """The numbers that codes stand for."""
    limits = np.iinfo(case.input)
    middle = (127.5 if case.in_pairs else 128) if limits.min == 0 else 0
    y = (x.astype(float) - middle) / (limits.max + 1 if limits.min else 128)
    return y[::2] + 1j * y[1::2] if case.in_pairs else y


u8_to_f32 = i8_to_f32 = i16_to_f32 = i32_to_f32 = from_codes


def to_fixed_point(case: Case, made: Any, x: Any) -> Any:
    """The nearest fractions, halves to even."""
    limits = np.iinfo(case.output)
    return np.clip(np.rint(x * (limits.max + 1)), limits.min, limits.max)


to_q7 = to_q15 = to_q31 = to_fixed_point


def from_fixed_point(case: Case, made: Any, x: Any) -> Any:
    """The fractions that codes stand for."""
    return x / (np.iinfo(case.input).max + 1.0)


from_q7 = from_q15 = from_q31 = from_fixed_point


def adc(case: Case, made: Any, x: Any) -> Any:
    """Each part at the nearest level of the converter."""
    given = arguments(case)
    end = 2.0 ** (given.bits - 1)
    step = given.full_scale / end
    parts = np.clip(np.rint(x.view(float) / step), -end, end - 1) * step
    return parts.view(x.dtype)
