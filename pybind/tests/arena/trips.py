"""Objects on their way through an arena, there and back in one process."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from passband.arena import SharedMemoryRingBuffer, SharedMemorySegmentPool, _codec

SIZE = 1 << 22


class Trip:
    """A way through one kind of arena; each call makes one of its own."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __str__(self) -> str:
        return self.kind

    @property
    def is_pool(self) -> bool:
        """Whether what arrives lies in the arena."""
        return self.kind == "pool"

    def arena(self) -> SharedMemorySegmentPool | SharedMemoryRingBuffer:
        """A new arena, in which an endless wait is an error."""
        if self.is_pool:
            return SharedMemorySegmentPool(SIZE, 2, acquire_timeout=0, prefault=False)
        return SharedMemoryRingBuffer(SIZE, acquire_timeout=0, prefault=False)

    def __call__(self, obj: Any, **options: Any) -> Any:
        """The object as it arrives. It stays good without the arena."""
        with self.arena() as arena:
            writer, reader = arena.open_writer(), arena.open_reader()
            writer.put(obj)
            return reader.get(timeout=10, **options)


POOL, RING = Trip("pool"), Trip("ring")

everywhere = pytest.mark.parametrize("trip", [POOL, RING], ids=str)


def sizes(obj: Any) -> list[int]:
    """The bytes that are sent beside the pickle of an object, leaf by leaf."""
    from passband._arena import memory

    return [memory(leaf)[1] for leaf in _codec.dumps(obj)[1]]


def is_same(there: Any, given: Any) -> bool:
    """Whether the type, the elements' bytes and the flags of two arrays are the same."""
    return (
        type(there) is type(given)
        and there.dtype == given.dtype
        and there.dtype.fields == given.dtype.fields
        and there.dtype.isalignedstruct == given.dtype.isalignedstruct
        and dict(there.dtype.metadata or {}) == dict(given.dtype.metadata or {})
        and there.shape == given.shape
        and there.tobytes() == given.tobytes()
        and there.flags.writeable == given.flags.writeable
        and there.flags.aligned >= given.flags.aligned
    )


def parts(obj: Any) -> Iterator[Any]:
    """The arrays, memoryviews and bytes of nested containers, in their order."""
    if isinstance(obj, dict):
        obj = list(obj.values())
    if isinstance(obj, list | tuple):
        for part in obj:
            yield from parts(part)
    elif isinstance(obj, np.ndarray | memoryview | bytes | bytearray):
        yield obj
