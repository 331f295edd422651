"""Units that a consumer holds while its worker waits for them."""

from __future__ import annotations

import gc
import time
import warnings

from passband._arena import Reader
from passband.arena._errors import ArenaFull, HeldUnitsWarning


def warn_after(limit: float | None) -> float:
    """How long a worker may starve before its consumer is warned, in seconds."""
    return 1.0 if limit is None else min(1.0, limit / 10)


class Watch:
    """Looks, in one call of `next()`, for a worker that only this process can let go on."""

    def __init__(self, reader: Reader, limit: float | None) -> None:
        self._reader = reader
        self._limit = limit
        self._since: float | None = None
        self._warned = False

    def is_starving(self) -> bool:
        """Whether the worker waits for units that are held here.

        After a while it warns and collects garbage, once, and after the arena's `acquire_timeout`
        it raises `ArenaFull`.
        """
        held = self._reader.held() if self._reader.starves_writer() else []
        if not held:
            self._since = None
            return False
        now = time.monotonic()
        if self._since is None:
            self._since = now
        waited = now - self._since
        if waited >= warn_after(self._limit) and not self._warned:
            self._warned = True
            # At the line that calls `next()`.
            text = f"the worker waits for a segment, and {_blame(held)}; {self._outlook()}"
            warnings.warn(text, HeldUnitsWarning, stacklevel=4)
            # Cycles hold what nobody can reach any more.
            gc.collect()
        elif self._limit is not None and waited >= self._limit:
            waited_for = f"no free segment after waiting {waited:.1f} s"
            raise ArenaFull(f"segment pool exhausted: {waited_for}; {_blame(held)}")
        return True

    def _outlook(self) -> str:
        if self._limit is None:
            return "it waits for ever, as acquire_timeout=None"
        return f"ArenaFull is raised after acquire_timeout={self._limit:g} seconds"


def _blame(held: list[tuple[int, float, int]]) -> str:
    unit, age, exports = held[0]
    return (
        f"this process holds unit {unit} for {age:.1f} s (exports: {exports}, units held: "
        f"{len(held)}): drop what refers to it, copy what is to be kept, or make the pool with a "
        "larger count"
    )
