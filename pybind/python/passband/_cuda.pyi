"""Pinned memory, device arrays and copies; their public place is `passband.cuda`."""

from typing import Any, Self, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

@final
class DeviceArray:
    """An array in the memory of a device, in C's order, for whoever can take it.

    * `shape`, `dtype`: as `numpy.empty` has them, but `float32` by default. Types of references to
      objects are refused.
    * `device`: the number of the device. None is `cuda:$LOCAL_RANK`, which is 0 if it is not set.

    It has no arithmetic: `torch.from_dlpack` and `cupy.from_dlpack` take it, and so does whatever
    knows `__cuda_array_interface__`, without a copy. The memory is given back when the last of them
    is gone, by a thread of the library's own. Its elements are unset at first. Raises RuntimeError
    without a driver, or without that much memory.
    """

    def __new__(
        cls, shape: Any, dtype: DTypeLike = "float32", *, device: int | None = None
    ) -> Self: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def device(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *, stream: Any = None, **_options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

@final
class Stream:
    """A queue of copies on a device, which run one after the other, beside those of other streams.

    * `device`: the number of the device. None is `cuda:$LOCAL_RANK`, which is 0 if it is not set.

    `handle` is the number by which other libraries know it, as `torch.cuda.ExternalStream` and
    `cupy.cuda.ExternalStream` do: keep the stream for as long as they use that. It does not wait
    for the default stream. Raises RuntimeError without a driver.
    """

    def __new__(cls, device: int | None = None) -> Self: ...
    @property
    def device(self) -> int: ...
    @property
    def handle(self) -> int: ...
    def synchronize(self) -> None:
        """Waits for all that was asked of the stream so far.

        Raises RuntimeError where the driver reports that something of it failed.
        """

    @staticmethod
    def _of(device: int, handle: int, owner: object) -> Stream: ...
    def _to_device(self, source: NDArray[Any], target: object, address: int) -> Transfer: ...
    def _to_host(
        self, source: object, address: int, target: NDArray[Any], result: object = None
    ) -> Transfer: ...

@final
class Transfer:
    """A copy on its way, which keeps source, destination and stream until it is complete.

    One that is dropped before is kept by the library until the driver says that it is complete:
    until then nothing of it is given back or used again. One thread at a time: a second one gets
    RuntimeError.
    """

    @property
    def nbytes(self) -> int: ...
    @property
    def done(self) -> bool: ...
    def wait(self, timeout: float | None = None) -> Any:
        """Waits until the copy is complete, and gives what it was copied to.

        * `timeout`: seconds to wait, for ever without.

        Raises TimeoutError when the time is over; the copy goes on, and may be waited for again.
        Raises RuntimeError where it is uncertain whether the copy has ended: then everything is
        kept, and `passband.cuda.pending` tells of it when the transfer is dropped.
        """

@final
class Pending:
    """What could not be given back to the driver yet: `what` it is, its `state`, and `why`.

    `state` is `"draining"` where a copy may still be running, `"unregistering"` where memory is
    still pinned, `"freeing"` where the driver still has memory, a stream or an event. `nbytes` is
    how much memory is kept, `attempts` how often it was tried.
    """

    @property
    def what(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def attempts(self) -> int: ...

def device_count() -> int:
    """Gives the number of CUDA devices.

    Raises RuntimeError without a driver or a device, naming the libraries that were looked for.
    """

def default_device() -> int:
    """Gives the device that `device=None` means: `$LOCAL_RANK`, or 0 if that is not set.

    Raises ValueError where that is no number of a device, RuntimeError without a driver.
    """

def register_buffer(arr: NDArray[Any], *, device: int | None = None) -> NDArray[Any]:
    """Pins the memory of an array, and gives the same memory as an array that keeps it pinned.

    * `arr`: a writable array of NumPy, of any strides, without references. It must not lie in
      memory that is pinned already.
    * `device`: the number of the device whose driver context pins it; all devices profit. None is
      `cuda:$LOCAL_RANK`.

    The memory stays pinned, and `arr` alive, as long as the result or a view of it lives; then it
    is unpinned, and only then `arr` let go, by a thread of the library's own. The two have the same
    elements. Pinning takes about as long as filling the memory, so do it once for buffers that are
    used often. Raises TypeError for another object, ValueError for an empty array, RuntimeError
    without a driver, and where it refuses, as beyond the limit of `ulimit -l` or for memory that is
    pinned already.
    """

def pinned_empty(shape: Any, dtype: DTypeLike, device: int | None) -> NDArray[Any]: ...
def pending() -> list[Pending]:
    """Gives what this process could not give back to the driver yet, the oldest first.

    It is empty without CUDA.

    >>> from passband.cuda import pending
    >>> pending()
    []
    """

def retry_cleanup() -> list[Pending]:
    """Tries once more to give everything back, and gives what is still left.

    The library tries by itself as well: with each later use of an arena.

    >>> from passband.cuda import retry_cleanup
    >>> retry_cleanup()
    []
    """
