"""`iterate_in_subprocess` of two packages, which share its names."""

import importlib
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sources import Source
from transports import AHEAD, Items

SEGMENTS = 8
# Room for what lies in a segment beside the array.
MARGIN = 4096


def arena(package: str, nbytes: int, *, ring: bool, **options: Any) -> Any:
    """Shared memory of a package for some arrays of a size."""
    module = importlib.import_module(package)
    if ring:
        return module.SharedMemoryRingBuffer((nbytes + MARGIN) * SEGMENTS, **options)
    return module.SharedMemorySegmentPool(nbytes + MARGIN, SEGMENTS, **options)


@dataclass(frozen=True)
class InSubprocess(Items):
    """A package's `iterate_in_subprocess` over its pool (views out) or its ring (copies out)."""

    name: str
    package: str
    ring: bool = False

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""
        iterate = importlib.import_module(self.package).iterate_in_subprocess
        memory = arena(self.package, source.nbytes, ring=self.ring)
        items = iterate(source.items, buffer_size=AHEAD, mp_context="spawn", arena=memory)
        return iter(items)


class Spdl(InSubprocess):
    """SPDL's `iterate_in_subprocess`."""

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""
        try:
            yield from super().receive(source)
        finally:
            # A worker that is not done is given seconds to end by itself.
            for child in multiprocessing.active_children():
                child.terminate()
