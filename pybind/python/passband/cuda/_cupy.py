"""Arrays of CuPy, in its own memory on the device."""

from __future__ import annotations

from typing import Any

import cupy
from numpy.typing import NDArray

from passband._cuda import Stream, Transfer


def to_device(x: NDArray[Any], stream: Stream) -> Transfer:
    """Begins to copy an array in C's order to the device of a stream."""
    with cupy.cuda.Device(stream.device):
        made = cupy.empty(x.shape, x.dtype)
        # What the memory was used for before may still be running.
        used = cupy.cuda.get_current_stream().record()
        cupy.cuda.ExternalStream(stream.handle, stream.device).wait_event(used)
    return stream._to_device(x, made, made.data.ptr)


def in_c_order(array: Any) -> Any:
    """An array, or its copy on the device, in C's order."""
    with array.device:
        return cupy.ascontiguousarray(array)
