"""Types of the user's own, whose memory is to be sent beside the pickle."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pickle import PickleBuffer
from typing import Any, Generic, Protocol, TypeVar

from passband._arena import Export
from passband.arena._bytes import refuse_references
from passband.arena._errors import given
from passband.arena._kinds import MODULES, THRESHOLD, name_of

T = TypeVar("T")


class Handler(Protocol):
    """Sends and restores the objects that it matches, each with one buffer.

    `kind` is a name that no other handler has, and that is the same in both processes.
    """

    kind: str

    def matches(self, obj: Any, threshold: int, /) -> bool:
        """Whether it sends this object; fewer bytes than `threshold` go with the pickle anyway."""

    def get_buffer(self, obj: Any, /) -> tuple[Any, Any]:
        """The object's memory, not copied, and what else there is to the object."""

    def from_buffer(self, buf: memoryview, meta: Any, zero_copy: bool, /) -> tuple[Any, Any]:
        """The object, made of its memory and the rest, and an anchor, which is not needed.

        With `zero_copy` the memory is the arena's own, held for as long as `buf` or a view of it
        lives.
        """


@dataclass(frozen=True)
class _Registered(Generic[T]):
    """A handler for one type, with any number of buffers."""

    type: type[T]
    offload: Callable[[T], tuple[Any, Sequence[Any]]]
    restore: Callable[[Any, list[memoryview]], T]


_handlers: dict[str, _Registered[Any] | Handler] = {}
"""By kind, in the order in which they are asked."""


def register(
    type: type[T],
    offload: Callable[[T], tuple[Any, Sequence[Any]]],
    restore: Callable[[Any, list[memoryview]], T],
) -> None:
    """Sends the memory of objects of one type through arenas, instead of pickling it.

    * `type`: its own objects, not those of subclasses. What arenas send by themselves (bytes,
      NumPy arrays, Torch tensors) and Python's own types cannot be registered.
    * `offload`: gives an object's state, which is sent as any object is, and its buffers: objects
      with the buffer protocol.
    * `restore`: makes the object of state and buffers. From a pool these are the arena's memory,
      held for as long as they or views of them live; from a ring they are copies. Those below 4096
      bytes travel in the pickle.

    Both processes have to register the type: best in the module that has the class. Raises
    ValueError for a type that is registered already, or cannot be, and TypeError for what is no
    class or no function.

    >>> from passband import arena
    >>> class Recording:
    ...     def __init__(self, rate, samples):
    ...         self.rate, self.samples = rate, samples
    >>> def restore(rate, buffers):
    ...     return Recording(rate, np.frombuffer(buffers[0], "int16"))
    >>> arena.register(Recording, lambda r: (r.rate, [r.samples]), restore)
    >>> with arena.SharedMemorySegmentPool(1 << 16, 2) as pool:
    ...     writer, reader = pool.open_writer(), pool.open_reader()
    ...     ticket = writer.put(Recording(8000, np.arange(6000, dtype="int16")))
    ...     recording = reader.get()
    >>> recording.rate, len(recording.samples)
    (8000, 6000)
    """
    if not isinstance(type, builtins.type):
        raise TypeError(f"type: expected a class, given {given(type)}")
    _require_function("offload", offload)
    _require_function("restore", restore)
    # A child of `multiprocessing` knows the main module by another name.
    kind = name_of(type).replace("__mp_main__.", "__main__.", 1)
    if kind in MODULES or type.__module__ == "builtins":
        raise ValueError(f"type: expected one that arenas and pickle leave to others, given {kind}")
    _enter(kind, _Registered(type, offload, restore))


def register_handler(handler: Handler) -> None:
    """Sends the memory of the objects that a handler matches through arenas.

    Handlers and registered types are asked in the order in which they were entered; the first that
    matches has the object. Both processes have to enter the handler. Raises ValueError for a `kind`
    that is taken, TypeError for what has no such attributes.

    >>> from passband import arena
    >>> class Packet:
    ...     def __init__(self, payload):
    ...         self.payload = payload
    >>> class PacketHandler:
    ...     kind = "packet"
    ...     def matches(self, obj, threshold):
    ...         return isinstance(obj, Packet)
    ...     def get_buffer(self, obj):
    ...         return obj.payload, None
    ...     def from_buffer(self, buf, meta, zero_copy):
    ...         return Packet(buf), None
    >>> arena.register_handler(PacketHandler())
    >>> with arena.SharedMemoryRingBuffer(1 << 16) as ring:
    ...     writer, reader = ring.open_writer(), ring.open_reader()
    ...     ticket = writer.put(Packet(b"a payload"))
    ...     bytes(reader.get().payload)
    b'a payload'
    """
    kind: object = getattr(handler, "kind", None)
    if not isinstance(kind, str):
        raise TypeError(f"handler: expected an object with a str as kind, given {given(handler)}")
    for method in ("matches", "get_buffer", "from_buffer"):
        _require_function(f"handler.{method}", getattr(handler, method, None))
    _enter(kind, handler)


def _require_function(name: str, function: Any) -> None:
    if not callable(function):
        raise TypeError(f"{name}: expected a function, given {given(function)}")


def _enter(kind: str, handler: _Registered[Any] | Handler) -> None:
    if kind in _handlers:
        raise ValueError(f"kind: expected a new one, given {kind!r}, which is registered already")
    _handlers[kind] = handler


def reduce(obj: Any) -> tuple[Any, ...] | None:
    """The pickling of an object by the first that matches it; None without one."""
    # Another thread may enter one meanwhile.
    for kind, handler in list(_handlers.items()):
        if isinstance(handler, _Registered):
            if type(obj) is handler.type:
                name = f"offload of {kind}"
                state, buffers = _pair(name, "its state and its buffers", handler.offload(obj))
                return _restore, (kind, state, *_all_contiguous(name, buffers))
        elif handler.matches(obj, THRESHOLD):
            name = f"get_buffer of {kind}"
            buffer, meta = _pair(name, "its memory and the rest", handler.get_buffer(obj))
            return _restore, (kind, meta, _contiguous(name, buffer))
    return None


def _pair(name: str, meaning: str, returned: Any) -> tuple[Any, Any]:
    """The two things that a function of the user's has to return."""
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        raise TypeError(f"{name}: expected to return {meaning}, given {given(returned)}")
    first, second = returned
    return first, second


def _all_contiguous(name: str, buffers: Any) -> list[PickleBuffer]:
    if not isinstance(buffers, Iterable):
        raise TypeError(f"{name}: expected a sequence of buffers, given {given(buffers)}")
    return [_contiguous(name, buffer) for buffer in buffers]


def _contiguous(name: str, buffer: Any) -> PickleBuffer:
    try:
        view = memoryview(buffer)
    except TypeError:
        expected = "memory with the buffer protocol"
        raise TypeError(f"{name}: expected {expected}, given {given(buffer)}") from None
    refuse_references(view)
    return PickleBuffer(buffer if view.contiguous else view.tobytes())


def _restore(kind: str, state: Any, *buffers: Any) -> Any:
    handler = _handlers.get(kind)
    if handler is None:
        raise KeyError(f"kind {kind!r} is not registered in this process, as it is in the writer's")
    views: list[Any] = [memoryview(buffer) for buffer in buffers]
    if isinstance(handler, _Registered):
        return handler.restore(state, views)
    made = handler.from_buffer(views[0], state, type(views[0].obj) is Export)
    obj, _ = _pair(f"from_buffer of {kind}", "the object and an anchor", made)
    return obj
