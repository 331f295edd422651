"""Single copies, which run beside other work."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from passband._cuda import DeviceArray, Stream, Transfer, pinned_empty
from passband.arena._errors import given
from passband.cuda._interface import OnDevice, on_device
from passband.cuda._target import stream_of


def copy_h2d(
    x: NDArray[Any], /, *, out: Any = None, device: Any = None, stream: Any = None
) -> Transfer:
    """Begins to copy an array to a device, and gives the `Transfer` to wait for.

    * `x`: an array of NumPy without references. What is not in C's order is copied first.
    * `out`: where to copy it: an array on a device with `__cuda_array_interface__`, of the same
      shape and type, in C's order. Without, a `DeviceArray` is made.
    * `device`: its number, a name such as `"cuda:1"`, or a device of Torch or CuPy. None is the
      device of `out` or of `stream`, or else `cuda:$LOCAL_RANK`, which is 0 if it is not set.
    * `stream`: a stream of passband, Torch or CuPy, or its number. None is one of this thread's
      own.

    The transfer keeps source, destination and stream until the copy is complete, also if it is
    dropped. `x` must not be written meanwhile: nothing stands in the way. Pinned memory is read
    beside whatever else runs; of other memory at least a part is copied before this returns.
    Raises TypeError and ValueError for arguments that do not fit, RuntimeError without a driver,
    and for what it refuses.
    """
    _require_host_array("x", x)
    source = np.ascontiguousarray(x).reshape(x.shape)
    if out is None:
        where = stream_of(device, stream)
        made = DeviceArray(source.shape, source.dtype, device=where.device)
        return where._to_device(source, made, on_device("out", made).address)
    target = on_device("out", out)
    if target.readonly:
        raise TypeError(f"out: expected a writable array, given {given(out)}")
    _require_like(source, target)
    where = stream_at(target.device, "out", device, stream)
    target.wait_for_producer()
    return where._to_device(source, out, target.address)


def copy_d2h(
    x: Any, /, *, out: NDArray[Any] | None = None, device: Any = None, stream: Any = None
) -> Transfer:
    """Begins to copy an array of a device to the host, and gives the `Transfer` to wait for.

    * `x`: an array on a device with `__cuda_array_interface__`, in C's order. What its library has
      not done with it yet is waited for, as far as the interface tells.
    * `out`: where to copy it: a writable array of the same shape and type, in C's order. Without,
      one is made in pinned memory, of which up to 256 MiB for each device are kept to be used
      again.
    * `device`, `stream`: as for `copy_h2d`, but None is the device of `x`.

    The transfer keeps all three as that of `copy_h2d` does, and `out` holds nothing of use before
    its `wait` has returned. Raises as `copy_h2d`.
    """
    source = on_device("x", x)
    where = stream_at(source.device, "x", device, stream)
    if out is None:
        out = pinned_empty(source.shape, source.dtype, where.device)
    else:
        _require_host_array("out", out)
        _require_like(source, out)
    source.wait_for_producer()
    return where._to_host(x, source.address, out)


def stream_at(ordinal: int, name: str, device: Any, stream: Any) -> Stream:
    """The stream to copy on, which has to be on the device of the array that is the argument."""
    found = stream_of(device, stream, ordinal)
    if found.device != ordinal:
        text = f"expected an array on cuda:{found.device}, given one on cuda:{ordinal}"
        raise ValueError(f"{name}: {text}")
    return found


def _require_host_array(name: str, x: Any) -> None:
    if not isinstance(x, np.ndarray) or x.dtype.hasobject:
        expected = "an array of NumPy without references"
        raise TypeError(f"{name}: expected {expected}, given {given(x)}")


def _require_like(x: NDArray[Any] | OnDevice, out: NDArray[Any] | OnDevice) -> None:
    if out.dtype != x.dtype or out.shape != x.shape:
        expected = f"{x.dtype} of shape {x.shape}"
        raise ValueError(f"out: expected {expected}, given {out.dtype} of shape {out.shape}")
