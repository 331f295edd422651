"""What `device` and `stream` mean, in the words of any library."""

from __future__ import annotations

import operator
import threading
from typing import Any

from passband._cuda import Stream, default_device, device_count
from passband.arena._errors import given


class _Own(threading.local):
    """The streams of this thread, by device."""

    def __init__(self) -> None:
        self.streams: dict[int, Stream] = {}


_own = _Own()


def own_stream(device: int) -> Stream:
    """The stream that this thread copies on, where it is given none."""
    stream = _own.streams.get(device)
    if stream is None:
        stream = _own.streams[device] = Stream(device)
    return stream


def stream_of(device: Any, stream: Any, at: int | None = None) -> Stream:
    """The stream to copy on: on the device that was asked for, or that the stream is on.

    Where neither is given, it is this thread's own, on the device `at` or the default one.
    """
    wanted = None if device is None else ordinal_of(device)
    known = at if wanted is None else wanted
    if stream is None:
        return own_stream(default_device() if known is None else known)
    found = stream if isinstance(stream, Stream) else _foreign(known, stream)
    if wanted is not None and found.device != wanted:
        text = f"expected one on cuda:{wanted}, given one on cuda:{found.device}"
        raise ValueError(f"stream: {text}")
    return found


def ordinal_of(device: Any) -> int:
    """The number of a device: of an int, `"cuda:1"`, Torch's `device` or CuPy's `Device`."""
    ordinal = device
    if not isinstance(device, int | str) and not hasattr(device, "__index__"):
        # Torch has the type beside the index, which is None for the current device.
        ordinal = str(device) if hasattr(device, "type") else getattr(device, "id", device)
    if isinstance(ordinal, str):
        kind, _, digits = ordinal.partition(":")
        if kind != "cuda" or not (digits.isdecimal() or ordinal == "cuda"):
            raise ValueError(f"device: expected 'cuda' or such as 'cuda:1', given {given(device)}")
        ordinal = int(digits) if digits else default_device()
    if isinstance(ordinal, bool) or not hasattr(ordinal, "__index__"):
        expected = "a number, a name such as 'cuda:1', or a device of Torch or CuPy"
        raise TypeError(f"device: expected {expected}, given {given(device)}")
    number, count = operator.index(ordinal), device_count()
    if not 0 <= number < count:
        raise ValueError(f"device: expected one of 0 to {count - 1}, given {given(device)}")
    return number


def _foreign(ordinal: int | None, stream: Any) -> Stream:
    """A stream of Torch, of CuPy, or as the number that libraries tell each other."""
    handle = getattr(stream, "cuda_stream", getattr(stream, "ptr", stream))
    if isinstance(handle, bool) or not hasattr(handle, "__index__"):
        expected = "a stream of passband, Torch or CuPy, or its number"
        raise TypeError(f"stream: expected {expected}, given {given(stream)}")
    if handle.__index__() < 0:
        raise ValueError(f"stream: expected a number of at least 0, given {given(stream)}")
    # Torch's streams know their device, CuPy's have -1 where it is the current one.
    where = getattr(stream, "device_index", getattr(stream, "device_id", ordinal))
    if where is None or where < 0:
        where = default_device() if ordinal is None else ordinal
    return Stream._of(where, handle.__index__(), stream)
