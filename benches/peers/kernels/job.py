"""What is timed: a job, done by passband and by others."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import cmsisdsp
import numpy as np

N = 1 << 16

Call = Callable[..., Any]


class Job(NamedTuple):
    """What is done, by passband and by others, each with arrays of the type that it works in."""

    name: str
    passband: Call
    peers: dict[str, Call]
    samples: int = N


def signals() -> tuple[Any, Any]:
    """Noise, real and complex."""
    rng = np.random.default_rng(1)
    real = rng.standard_normal(N).astype(np.float32)
    return real, (real + 1j * rng.standard_normal(N)).astype(np.complex64)


def arm(operation: str, suffix: str, *arguments: Any) -> Any:
    """What a function of CMSIS-DSP gives."""
    return getattr(cmsisdsp, f"arm_{operation}_{suffix}")(*arguments)


def arm_made(kernel: str, suffix: str, *arguments: Any, instance: str = "") -> Call:
    """A kernel of CMSIS-DSP, to be called with what it runs on."""
    made = arm(instance or f"{kernel}_instance", suffix)
    arm(f"{kernel}_init", suffix, made, *arguments)
    return partial(arm, kernel, suffix, made)
