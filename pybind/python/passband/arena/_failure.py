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
    try:
        pickled = pickle.dumps(error)
    except BaseException:
        pickled = b""
    summary = traceback.format_exception_only(error)[-1].strip()
    return pickle.dumps((pickled, summary, "".join(traceback.format_exception(error))))


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
    error.__cause__ = RemoteError(text)
    return error
