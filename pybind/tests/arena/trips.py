"""Objects on their way through an arena, there and back in one process."""

from typing import Any

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


everywhere = pytest.mark.parametrize("trip", [Trip("pool"), Trip("ring")], ids=str)


def sizes(obj: Any) -> list[int]:
    """The bytes that are sent beside the pickle of an object, leaf by leaf."""
    from passband._arena import memory

    return [memory(leaf)[1] for leaf in _codec.dumps(obj)[1]]
