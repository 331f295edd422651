"""The errors of an arena. Every text gives sizes, unit, age, and what to do."""

_SHORT = 40
"""Characters of an argument that a message shows."""


class ArenaFull(BufferError, TimeoutError):  # noqa: N818
    """No room came free within `acquire_timeout`; nothing changed, and a later try may succeed."""


class UnitTooLarge(BufferError):  # noqa: N818
    """The unit could not fit even an empty arena."""


class TicketError(ValueError):
    """The ticket is not that of the unit being read; the accounting is untouched."""


class ArenaClosed(RuntimeError):  # noqa: N818
    """The arena, or the endpoint at its other end, was closed."""


class EndpointError(RuntimeError):
    """The endpoint is taken by another, belongs to another process, or cannot do what was asked."""


class PeerDied(RuntimeError):  # noqa: N818
    """The process at the other end has died; all that it committed was delivered first.

    `exitcode` is that of `multiprocessing`, where the process was a worker of this one.
    """

    exitcode: int | None = None


class PassEnded(RuntimeError):  # noqa: N818
    """The reader has begun another pass: what belongs to the one before is not wanted any more."""


class ArenaCorrupt(RuntimeError):  # noqa: N818
    """The shared memory says what cannot be: the other process wrote where it must not."""


class ArenaMemoryError(OSError, MemoryError):
    """The memory for the arena is not there; `errno` says why, and nothing was left behind."""


class HeldUnitsWarning(UserWarning):
    """A writer waits, and this process holds the units that it waits for."""


def given(argument: object) -> str:
    """How a message shows an argument that it refuses: a long one, or a broken one, by its type."""
    kind = type(argument).__name__
    try:
        text = repr(argument)
    except Exception:
        return kind
    return f"{text} ({kind})" if len(text) <= _SHORT else kind
