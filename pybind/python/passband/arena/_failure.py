"""Exceptions on their way to another process."""

from __future__ import annotations

import pickle
import traceback
from contextlib import suppress

_SILENT = (StopIteration, SystemExit)


class RemoteError(Exception):
    """The cause of an exception that arrived from the worker: its traceback there."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f'\n"""\n{self.text}"""'


def describe(error: BaseException) -> bytes:
    """An exception and its traceback, for `revive`."""
    pickled = b""
    with suppress(BaseException):
        pickled = pickle.dumps(error)
    return pickle.dumps((pickled, *_formatted(error)))


def _formatted(error: BaseException) -> tuple[str, str]:
    """Its last line, and all of them."""
    try:
        summary = traceback.format_exception_only(error)[-1].strip()
        return summary, "".join(traceback.format_exception(error))
    except BaseException:
        # Its own properties fail.
        summary = f"{type(error).__module__}.{type(error).__qualname__}"
        frames = traceback.format_tb(vars(BaseException)["__traceback__"].__get__(error))
        return summary, "".join(("Traceback (most recent call last):\n", *frames, summary, "\n"))


def revive(described: bytes) -> BaseException:
    """The exception itself, or a `RuntimeError` that names it where it cannot be had here."""
    pickled, summary, text = pickle.loads(described)
    error: BaseException = RuntimeError(summary)
    # Its own code may raise anything.
    with suppress(BaseException):
        itself = pickle.loads(pickled)
        # These would end the loop that they are raised in, or the interpreter, without a word.
        if isinstance(itself, BaseException) and not isinstance(itself, _SILENT):
            error = itself
    # Its class may allow no assignment, or have a property of this name.
    vars(BaseException)["__cause__"].__set__(error, RemoteError(text))
    return error
