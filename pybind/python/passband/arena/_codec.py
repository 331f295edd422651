"""Any object as a short pickle and a list of leaves, whose bytes are not pickled.

The pickle names each object that was left out by a number. Beside it is a table with a row for
each of these, which says how it is made again over the leaves, or over a few bytes of its own.
"""

from __future__ import annotations

import copyreg
import pickle
from contextlib import suppress
from io import BytesIO
from types import FunctionType
from typing import Any, Final, Literal

from passband._arena import Ticket, Writer
from passband.arena import _registry
from passband.arena._extents import Found, plan
from passband.arena._kinds import Row, by_name, by_type

_PROTOCOL: Final = 5
_LARGE: Final = 1 << 16
"""A pickler whose memo has grown with a pickle of this many bytes is not used again."""
_CONTAINERS: Final = (tuple, list, dict, set, frozenset)


class _Pickler(pickle.Pickler):
    """Pickles all but the objects of known kinds, which it collects."""

    def __init__(self) -> None:
        self._file = BytesIO()
        super().__init__(self._file, _PROTOCOL)
        self._numbers: dict[int, int] = {}
        self.arguments: dict[int, object] = {}
        self.found: list[Found] = []

    def pickled(self, obj: object) -> bytes:
        """The pickle of an object."""
        self.dump(obj)
        return self._file.getvalue()

    def mark_arguments(self, rows: list[Row]) -> None:
        """Has those bytes made again as what they were that a function is called with."""
        for identity in self.arguments:
            number = self._numbers.get(identity)
            if number is not None:
                name, source, rest = rows[number]
                rows[number] = name, source, (*rest, True)

    def persistent_id(self, obj: Any) -> int | None:
        """The number of an object that is left out."""
        kind = by_type[type(obj)]
        if kind is None:
            return None
        number = self._numbers.get(id(obj))
        if number is None and kind.takes(obj):
            number = self._numbers[id(obj)] = len(self.found)
            self.found.append((kind, obj))
        return number

    def reducer_override(self, obj: Any) -> Any:
        """The pickling of an object that is no plain container or number."""
        cls = type(obj)
        if cls is FunctionType or issubclass(cls, type):
            return NotImplemented
        reduced: Any = _registry.reduce(obj)
        if reduced is None:
            by_table = copyreg.dispatch_table.get(cls)
            reduced = by_table(obj) if by_table else obj.__reduce_ex__(_PROTOCOL)
        if type(reduced) is tuple:
            self._note_arguments(reduced[1])
            if len(reduced) > 2 and (len(reduced) > 5 or hasattr(cls, "__setstate__")):
                self._note_arguments(reduced[2])
        return reduced

    def _note_arguments(self, value: object) -> None:
        """Notes the bytes that a function will be called with, which expects their own type."""
        todo, seen = [value], set()
        while todo:
            part: Any = todo.pop()
            if type(part) in (bytes, bytearray):
                self.arguments[id(part)] = part
            elif type(part) in _CONTAINERS and id(part) not in seen:
                seen.add(id(part))
                todo += part.items() if type(part) is dict else part

    def forget(self) -> None:
        """Gets ready for another object."""
        self.clear_memo()
        self._file.seek(0)
        self._file.truncate()
        self._numbers.clear()
        self.arguments.clear()
        self.found.clear()


class Unpickler(pickle.Unpickler):
    """Puts in the objects that were left out."""

    __slots__ = ("objects",)
    objects: list[Any]

    def persistent_load(self, number: int) -> Any:
        """The object of this number."""
        return self.objects[number]


_idle: list[_Pickler] = []
"""Picklers to be used again; each is taken out while it is in use."""


def dumps(obj: object, writer: Writer | None = None) -> tuple[bytes, list[Any]]:
    """The body of an object's envelope, and its leaves; what lies in the open unit stays there."""
    pickled, rows, leaves = _taken_apart(obj, writer)
    return pickle.dumps((pickled, rows), _PROTOCOL), leaves


def dumps_whole(obj: object) -> bytes:
    """The body of an object with its leaves in it, each of them copied."""
    pickled, rows, leaves = _taken_apart(obj)
    sources = [leaf if type(leaf) in (bytes, bytearray) else _copied(leaf) for leaf in leaves]
    whole = [
        (name, sources[source] if type(source) is int else source, rest)
        for name, source, rest in rows
    ]
    return pickle.dumps((pickled, whole), _PROTOCOL)


def _copied(leaf: Any) -> bytearray:
    # Not every array has a buffer: those of times have none.
    return bytearray(leaf if type(leaf) is memoryview else leaf.tobytes())


def _taken_apart(obj: object, writer: Writer | None = None) -> tuple[bytes, list[Row], list[Any]]:
    """The pickle of an object, the rows for what was left out of it, and the leaves."""
    try:
        pickler = _idle.pop()
    except IndexError:
        pickler = _Pickler()
    pickled = pickler.pickled(obj)
    leaves, rows = plan(pickler.found, writer)
    if pickler.arguments:
        pickler.mark_arguments(rows)
    if len(pickled) < _LARGE:
        pickler.forget()
        _idle.append(pickler)
    return pickled, rows, leaves


def loads(
    body: bytes,
    exports: list[Any],
    zero_copy: bool,
    bytes_as: Literal["view", "copy"] = "view",
    ticket: Ticket | None = None,
) -> Any:
    """The object of a body and of its leaves where they arrived.

    With `bytes_as="copy"`, or without `zero_copy`, bytes are copied into their own types. An error
    has a note that names the unit, which stays for as long as something of it is in the traceback.
    """
    try:
        pickled, rows = pickle.loads(body)
        if not rows:
            return pickle.loads(pickled)
        copy = not zero_copy or bytes_as == "copy"
        objects = []
        for name, source, rest in rows:
            if type(source) is int:
                source = exports[source]
            objects.append(by_name[name].restore(source, copy, *rest))
        unpickler = Unpickler(BytesIO(pickled))
        unpickler.objects = objects
        return unpickler.load()
    except Exception as error:
        if ticket is not None:
            # Its class may allow no assignment.
            with suppress(Exception):
                error.add_note(f"This came of unit {ticket.unit} of arena {ticket.arena}.")
        raise
