"""What the producers send."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Source:
    """One array again and again; with a pause after each, its first word is the time of sending."""

    nbytes: int
    pause: float = 0.0

    def __iter__(self) -> Iterator[Words]:
        words = np.arange(self.nbytes // 8, dtype=np.uint64)
        while True:
            if self.pause:
                words[0] = time.perf_counter_ns()
            yield words
            if self.pause:
                time.sleep(self.pause)

    def items(self) -> Iterator[dict[str, Any]]:
        """The same arrays as parts of an item."""
        for words in self:
            yield {"x": words, "i": 1}
