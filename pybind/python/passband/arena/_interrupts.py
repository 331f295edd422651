"""Ctrl-C at a better moment: when a process has been started, and not half-way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


class InterruptsLater:
    """A context that holds Ctrl-C back, also in a process that is started meanwhile.

    It would leave descriptors behind here, and end that in the middle of an import, with a
    traceback. While this thread blocks the signal another may have it, and Python then runs the
    handler in the main thread: there one that waits is put in place.
    """

    def __enter__(self) -> None:
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        handler = signal.getsignal(signal.SIGINT)
        in_main = threading.current_thread() is threading.main_thread()
        # What is no function ignores it, ends the process, or is not Python's.
        self._later = _Later(handler) if in_main and callable(handler) else None
        if self._later:
            signal.signal(signal.SIGINT, self._later)

    def __exit__(self, *_: object) -> None:
        if self._later:
            signal.signal(signal.SIGINT, self._later.handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        if self._later and self._later.came:
            signal.raise_signal(signal.SIGINT)


class _Later:
    """A handler that leaves it to another to handle the signal later."""

    def __init__(self, handler: Callable[..., Any]) -> None:
        self.handler = handler
        self.came = False

    def __call__(self, _number: int, _: FrameType | None) -> None:
        self.came = True


def let_through(interrupt: Callable[[int, FrameType | None], Any]) -> None:
    """Lets Ctrl-C come, in a process that was started in such a context.

    `interrupt` handles it where it would raise KeyboardInterrupt. Any other handler stays, as a
    forked process has it from the one that started it.
    """
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, _Later):
        handler = handler.handler
        signal.signal(signal.SIGINT, handler)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
