"""Arrays that a worker writes where the other process reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from passband._arena import Writer

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_writers: dict[int, Writer] = {}
"""By the number of the worker's process: one that it forks has a copy, which places nothing."""


def place_in(writer: Writer) -> None:
    """Has this process, a worker, place arrays in the arena that it sends its items through."""
    _writers[os.getpid()] = writer


def empty(
    shape: int | Sequence[int], dtype: DTypeLike = "float32", order: Literal["C", "F"] = "C"
) -> NDArray[Any]:
    """Gives an array to be written in place: in a worker inside the next unit, elsewhere NumPy's.

    * `shape`, `dtype`, `order`: as `numpy.empty` has them, but `float32` by default.

    In a worker of `iterate_in_subprocess` with a pool, the array lies in shared memory, 64-byte
    aligned, and it and its views are part of the next item without being copied. It is read-only
    once that item is sent: take a new one for each item. Waits for a free segment; the errors are
    those of `Writer.empty`.

    >>> import passband
    >>> from passband import arena
    >>> mixer = passband.Mixer(0.25)
    >>> out = arena.empty(4, "complex64")
    >>> mixer.steps(np.ones(4, "complex64"), out=out) is out
    True
    """
    writer = _writers.get(os.getpid())
    if writer is not None and writer.zero_copy:
        return writer.empty(shape, dtype, order)
    import numpy as np

    return np.empty(shape, dtype, order)
