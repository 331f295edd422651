"""Memory as NumPy sees it, whoever owns it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from passband.arena._kinds import THRESHOLD, Layout

ALIGNMENT: Final = 64
"""Where a leaf arrives, its address is a multiple of this."""


class _Interface:
    """What NumPy looks at, and then keeps."""

    def __init__(self, owner: Any, address: int, **interface: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), **interface}


def at(
    address: int, nbytes: int, owner: Any, pad: int = 0, *, placed: bool = False
) -> NDArray[np.uint8] | bytearray:
    """Bytes at an address, after `pad` others; copied if padded, or few and not placed already."""
    memory = np.asarray(_Interface(owner, address, typestr="|u1", shape=(nbytes,)))
    if pad + nbytes < THRESHOLD and not placed:
        return bytearray(pad) + memory.data
    return np.concatenate((np.zeros(pad, np.uint8), memory)) if pad else memory


def packed(layout: Layout, order: list[int], owner: Any) -> NDArray[Any] | bytearray:
    """A copy of elements without gaps, as they follow in memory; `order` has the axes by stride."""
    address, itemsize, shape, strides = layout
    elements = np.asarray(
        _Interface(owner, address, typestr=f"|V{itemsize}", shape=shape, strides=strides)
    )
    forward = elements[tuple(slice(None, None, -1 if stride < 0 else 1) for stride in strides)]
    copy = np.ascontiguousarray(forward.transpose(order[::-1]))
    return bytearray(copy) if copy.nbytes < THRESHOLD else copy
