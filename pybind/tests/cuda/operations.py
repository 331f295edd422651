"""What is done with the driver in the table of faults; each gives the driver back all it took."""

from typing import Any

import numpy as np
import passband.arena as arena
import passband.cuda as cuda


def to_device() -> None:
    """Copies a batch to a device."""
    x = np.arange(5000)
    cuda.transfer_tensor_h2d([x, x + 1, [x + 2]])


def there_and_back() -> None:
    """Copies a batch to a device and back."""
    x = np.arange(5000)
    back = cuda.transfer_tensor_d2h(cuda.transfer_tensor_h2d([x, x + 1]))
    assert (back[1] == x + 1).all()


def copy_and_drop() -> None:
    """Begins copies that nobody waits for."""
    stream = cuda.Stream(0)
    for _ in range(3):
        cuda.copy_h2d(np.arange(5000), stream=stream)


def register() -> None:
    """Pins an array."""
    pinned = cuda.register_buffer(np.zeros(5000))
    assert (cuda.copy_d2h(cuda.copy_h2d(pinned).wait()).wait() == 0).all()


def _stream(made: Any) -> None:
    try:
        writer, reader = made.open_writer(), made.open_reader()
        for number in range(4):
            writer.put(np.full(5000, number))
            x = reader.get()
            there = cuda.transfer_tensor_h2d(x)
            assert (cuda.transfer_tensor_d2h(there) == number).all()
    finally:
        made.close()
        made.unlink()


def pool() -> None:
    """Reads a pinned pool and copies what comes."""
    _stream(arena.SharedMemorySegmentPool(1 << 16, 2, pin_memory=True, acquire_timeout=10.0))


def ring() -> None:
    """Reads a pinned ring and copies what comes."""
    _stream(arena.SharedMemoryRingBuffer(1 << 17, pin_memory=True, acquire_timeout=10.0))


OPERATIONS = {
    function.__name__: function
    for function in (to_device, there_and_back, copy_and_drop, register, pool, ring)
}
