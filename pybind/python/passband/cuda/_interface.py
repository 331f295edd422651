"""Arrays on a device as libraries describe them to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from passband._cuda import DeviceArray, Stream, default_device
from passband.arena._errors import given


class OnDevice(NamedTuple):
    """An array on a device, its elements in C's order."""

    array: Any
    address: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    device: int
    readonly: bool
    stream: int | None

    def wait_for_producer(self) -> None:
        """Waits until what was asked of the device before has been written."""
        if self.stream is not None:
            Stream._of(self.device, self.stream, self.array).synchronize()


def on_device(name: str, array: Any) -> OnDevice:
    """The array of an argument, by `__cuda_array_interface__`."""
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        expected = "an array on a device, with `__cuda_array_interface__`"
        raise TypeError(f"{name}: expected {expected}, given {given(array)}")
    # The interface has no names of fields.
    own = isinstance(array, DeviceArray)
    dtype = array.dtype if own else np.dtype(interface["typestr"])
    shape = tuple(interface["shape"])
    strides = interface.get("strides")
    if strides is not None and tuple(strides) != _dense(shape, dtype.itemsize) and 0 not in shape:
        raise ValueError(f"{name}: expected elements in C's order, given strides {strides}")
    address, readonly = interface["data"]
    stream = interface.get("stream")
    return OnDevice(array, address, shape, dtype, _device_of(array), readonly, stream)


def _dense(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    strides = [itemsize] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * shape[axis]
    return tuple(strides)


def _device_of(array: Any) -> int:
    """The device that an array is on; the interface does not tell."""
    if not hasattr(array, "__dlpack_device__"):
        return default_device()
    return int(array.__dlpack_device__()[1])
