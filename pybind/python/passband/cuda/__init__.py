"""Pinned memory, and transfers between the host and CUDA devices that end before they return.

Most need one function. `transfer_tensor_h2d` copies the arrays and tensors of a batch to a device,
whatever containers they are in, and `transfer_tensor_d2h` brings those of a device back.

>>> from passband.cuda import transfer_tensor_d2h
>>> transfer_tensor_d2h({"rate": 48_000})  # nothing in it lies on a device
{'rate': 48000}

They are fast from and to pinned memory, which the driver reads and writes by itself:

* Of an arena: `pin_memory=True` of `passband.arena.SharedMemorySegmentPool` pins what a reader
  receives, and of `SharedMemoryRingBuffer` what it copies out.
* Of one's own: `register_buffer` pins an array.

Then, as one needs more:

* Copies that run beside other work: `copy_h2d` and `copy_d2h` give a `Transfer`, whose `wait` gives
  the result. A `Stream` is the queue in which they run.
* What arrives where neither Torch nor CuPy is in use is a `DeviceArray`, which both can take.
* Which device: `device_count`, and `default_device` for where `device=None` leads.
* What could not be given back to the driver yet is `Pending`: `pending` tells, and `retry_cleanup`
  tries again.

The driver is loaded when it is first needed. Where there is none, what needs it raises
RuntimeError, which names the libraries that were looked for. So does a process that was forked from
one that uses CUDA: start it by `"spawn"` or `"forkserver"`. What the driver refuses is a
RuntimeError with the name of its function and its code.
"""

from passband._cuda import (
    DeviceArray,
    Pending,
    Stream,
    Transfer,
    default_device,
    device_count,
    pending,
    register_buffer,
    retry_cleanup,
)
from passband.cuda._copies import copy_d2h, copy_h2d
from passband.cuda._transfers import transfer_tensor_d2h, transfer_tensor_h2d

__all__ = [
    "DeviceArray",
    "Pending",
    "Stream",
    "Transfer",
    "copy_d2h",
    "copy_h2d",
    "default_device",
    "device_count",
    "pending",
    "register_buffer",
    "retry_cleanup",
    "transfer_tensor_d2h",
    "transfer_tensor_h2d",
]
