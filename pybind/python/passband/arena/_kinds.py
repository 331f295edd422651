"""The kinds of objects whose bytes are sent beside the pickle, found by their exact type.

Each is in a module that is imported with the first object of its kind, as NumPy and Torch are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

THRESHOLD: Final = 4096
"""Fewer bytes than this are cheaper in the pickle."""

Source = int | bytes | bytearray
"""The number of a leaf; or bytes in the row itself, where they are few or have no other way."""

Row = tuple[str, Source, tuple[Any, ...]]
"""How an object is made again: the name of its kind, its source, and what else `restore` takes."""


class Layout(NamedTuple):
    """Where the elements of an object lie; strides are in bytes."""

    address: int
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class Kind(Protocol):
    """What the codec knows of one type."""

    @property
    def type(self) -> type:
        """The type; objects of its subclasses are not of this kind."""

    def takes(self, obj: Any, /) -> bool:
        """Whether the object can be sent exactly; otherwise it is pickled as ever."""

    def owner(self, obj: Any, /) -> object:
        """The object whose memory it is; None where that is not known."""

    def leaf(self, obj: Any, /) -> Any:
        """Its bytes as they are sent, a `bytearray` if short; None where that takes its layout."""

    def layout(self, obj: Any, /) -> Layout:
        """Where its elements lie."""

    def row(
        self, obj: Any, source: Source, offset: int = 0, strides: tuple[int, ...] | None = None, /
    ) -> Row:
        """Its row, given where in the source it begins, and its strides if they are not C's."""

    def restore(self, source: Any, copy: bool, /, *rest: Any) -> Any:
        """The object, over its source; with `copy`, bytes are no views of it."""


def name_of(cls: type) -> str:
    """The name by which rows know a kind."""
    return f"{cls.__module__}.{cls.__qualname__}"


class _ByName(dict[str, Kind]):
    def __missing__(self, name: str) -> Kind:
        for kind in import_module(MODULES[name]).KINDS:
            self[name_of(kind.type)] = by_type[kind.type] = kind
        return self[name]


class _ByType(dict[type, Kind | None]):
    """Every type that comes by is entered: of those that can be pickled there are not many."""

    def __missing__(self, cls: type) -> Kind | None:
        name = name_of(cls)
        kind = by_name[name] if name in MODULES else None
        self[cls] = kind if kind and kind.type is cls else None
        return self[cls]


MODULES: Final = {
    # By the names that rows have.
    "builtins.bytes": "passband.arena._bytes",
    "builtins.bytearray": "passband.arena._bytes",
    "builtins.memoryview": "passband.arena._bytes",
    "pickle.PickleBuffer": "passband.arena._bytes",
    "numpy.ndarray": "passband.arena._numpy",
    "torch.Tensor": "passband.arena._torch",
}
by_name: Final = _ByName()
by_type: Final = _ByType()
