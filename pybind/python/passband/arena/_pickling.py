"""How an arena travels to another process."""

from __future__ import annotations

import os
from multiprocessing.reduction import DupFd
from typing import Any

from passband._arena import Arena


def reduce(arena: Arena) -> tuple[Any, ...]:
    """The pickling of an arena: its name, or a descriptor of its memory.

    A process that is being started inherits the descriptor; one that runs already fetches it from
    this one, as `multiprocessing` lets its processes do.
    """
    if arena.name is not None:
        return type(arena).attach, (arena.name,)
    return _attach, (type(arena), DupFd(arena._fileno()))


def _attach(cls: type[Arena], descriptor: Any) -> Arena:
    fd = descriptor.detach()
    try:
        return cls._attach(fd)
    finally:
        os.close(fd)
