"""Whole batches, which have arrived when the call returns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from passband._cuda import Stream, Transfer
from passband.cuda._copies import copy_d2h, copy_h2d, stream_at
from passband.cuda._structure import Structure
from passband.cuda._target import ordinal_of, stream_of

_NUMBERS: Final = frozenset("?bhilqBHILQefdFD")
"""The types of NumPy that libraries have on a device."""

Begin = Callable[[Any], Transfer | None]
"""Begins the copy of an object; None for what stays as it is."""


def transfer_tensor_h2d(batch: Any, /, *, device: Any = None, stream: Any = None) -> Any:
    """Copies the arrays and tensors in a batch to a device, and returns when they are there.

    * `batch`: any object. Tuples, named ones too, lists, dicts and other mappings, sets, deques
      and dataclasses are looked into, and made again; what is in a batch twice is one thing again.
    * `device`: its number, a name such as `"cuda:1"`, or a device of Torch or CuPy. None is the
      device of `stream`, or else `cuda:$LOCAL_RANK`, which is 0 if it is not set.
    * `stream`: a stream of passband, Torch or CuPy, or its number. None is one of this thread's
      own.

    Dense Torch tensors in the host's memory become CUDA tensors. NumPy arrays of numbers and
    truth values become CuPy arrays where CuPy is imported, and otherwise `DeviceArray`s, which
    Torch takes by `torch.from_dlpack`. They are in C's order. All else stays what it is.

    Sources, destinations and the stream are kept until every copy is complete. An error on the way
    waits for those that were begun; of one that cannot be proved complete, `pending` tells, and
    everything is kept. Copies from pinned memory overlap each other and run at the speed of the
    bus; from other memory they go by way of the driver's own. Raises TypeError and ValueError for
    arguments that do not fit, RuntimeError without a driver, and for what it refuses.
    """
    where = stream_of(device, stream)

    def begin(obj: Any) -> Transfer | None:
        if _is_tensor(obj):
            from passband.cuda import _torch

            return _torch.to_device(obj, where) if _torch.is_on_host(obj) else None
        if type(obj) in (np.ndarray, np.memmap) and obj.dtype.char in _NUMBERS:
            return _array_to_device(obj, where)
        return None

    return _moved(batch, begin)


def transfer_tensor_d2h(batch: Any, /, *, device: Any = None, stream: Any = None) -> Any:
    """Copies the arrays and tensors in a batch from a device, and returns when they have come.

    * `batch`: any object, looked into as `transfer_tensor_h2d` does.
    * `device`: the device that they must be on. None is that of each.
    * `stream`: as for `transfer_tensor_h2d`. It has to be on their device.

    CUDA tensors become Torch tensors; CuPy arrays, `DeviceArray`s and whatever else has
    `__cuda_array_interface__` become NumPy arrays. Both are in pinned memory. What was asked of
    the device before, on the current stream of their library, is waited for.

    Keeps, waits and raises as `transfer_tensor_h2d` does. A batch that has nothing on a device
    needs no driver, unless `device` is given.

    >>> from passband.cuda import transfer_tensor_d2h
    >>> transfer_tensor_d2h([1, "two"])
    [1, 'two']
    """
    wanted = None if device is None else ordinal_of(device)

    def begin(obj: Any) -> Transfer | None:
        if _is_tensor(obj):
            from passband.cuda import _torch

            if not _torch.is_on_device(obj):
                return None
            return _torch.to_host(obj, stream_at(obj.device.index, "batch", wanted, stream))
        if not hasattr(obj, "__cuda_array_interface__"):
            return None
        return copy_d2h(_in_c_order(obj), device=wanted, stream=stream)

    return _moved(batch, begin)


def _moved(batch: Any, begin: Begin) -> Any:
    """The batch again, with what its copies lead to, when all of them are complete."""
    structure = Structure(batch)
    begun: list[Transfer | None] = []
    try:
        for obj in structure.objects:
            begun.append(begin(obj))
    except BaseException:
        _wait_for(begun)
        raise
    _wait_for(begun)
    pairs = zip(structure.objects, begun, strict=True)
    return structure.around([obj if copy is None else copy.wait() for obj, copy in pairs])


def _wait_for(begun: Iterable[Transfer | None]) -> None:
    """Waits for copies, also after one whose end is uncertain, which is raised then.

    What an interrupt leaves unfinished is kept until it is complete, as every dropped transfer is.
    """
    uncertain: Exception | None = None
    for copy in begun:
        try:
            if copy is not None:
                copy.wait()
        except Exception as error:
            uncertain = uncertain or error
    if uncertain is not None:
        raise uncertain


def _is_tensor(obj: object) -> bool:
    """Whether it is a tensor of Torch, which is not imported for that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(obj, torch.Tensor)


def _array_to_device(x: Any, stream: Stream) -> Transfer:
    x = np.ascontiguousarray(x, x.dtype.newbyteorder("=")).reshape(x.shape)
    if "cupy" not in sys.modules:
        return copy_h2d(x, stream=stream)
    from passband.cuda import _cupy

    return _cupy.to_device(x, stream)


def _in_c_order(array: Any) -> Any:
    """An array that can be copied as it lies; only CuPy's are put in order first."""
    cupy = sys.modules.get("cupy")
    if cupy is None or not isinstance(array, cupy.ndarray):
        return array
    from passband.cuda import _cupy

    return _cupy.in_c_order(array)
