"""Bytes in Python's own types."""

from __future__ import annotations

from pickle import PickleBuffer
from typing import Any, Final

from passband._arena import Export, array, memory
from passband.arena._kinds import THRESHOLD, Kind, Layout, Row, Source, by_name

_CASTABLE: Final = frozenset("bBhHiIlLqQnNfd?cP")
"""The formats that `memoryview.cast` knows."""


class _Bytes:
    """`bytes`: read-only memoryviews from a pool."""

    type = bytes

    def takes(self, obj: bytes, /) -> bool:
        return len(obj) >= THRESHOLD

    def owner(self, obj: bytes, /) -> object:
        return obj

    def leaf(self, obj: bytes, /) -> Any:
        return obj

    def layout(self, obj: bytes, /) -> Layout:
        return _flat(obj)

    def row(self, obj: bytes, source: Source, offset: int = 0, _strides: object = None, /) -> Row:
        return "builtins.bytes", source, (offset, len(obj))

    def restore(
        self, source: Any, copy: bool, offset: int, nbytes: int, own: bool = False, /
    ) -> Any:
        if type(source) is bytes and len(source) == nbytes:
            return source
        view = memoryview(source)[offset : offset + nbytes]
        return bytes(view) if copy or own else view.toreadonly()


class _ByteArray:
    """`bytearray`: writable memoryviews from a pool."""

    type = bytearray

    def takes(self, obj: bytearray, /) -> bool:
        return len(obj) > 0

    def owner(self, obj: bytearray, /) -> object:
        return obj

    def leaf(self, obj: bytearray, /) -> Any:
        return obj

    def layout(self, obj: bytearray, /) -> Layout:
        return _flat(obj)

    def row(
        self, obj: bytearray, source: Source, offset: int = 0, _strides: object = None, /
    ) -> Row:
        return "builtins.bytearray", source, (offset, len(obj))

    def restore(
        self, source: Any, copy: bool, offset: int, nbytes: int, own: bool = False, /
    ) -> Any:
        if type(source) is bytearray and len(source) == nbytes:
            return source
        view = memoryview(source)[offset : offset + nbytes]
        return bytearray(view) if copy or own else view


class _MemoryView:
    """`memoryview`, of any format, shape and strides, which NumPy restores if `cast` cannot."""

    type = memoryview

    def takes(self, obj: memoryview, /) -> bool:
        if obj.suboffsets:
            return False
        refuse_references(obj)
        return True

    def owner(self, obj: memoryview, /) -> object:
        return obj.obj if type(obj.obj) in (bytes, bytearray, Export) else None

    def leaf(self, obj: memoryview, /) -> Any:
        if not obj.c_contiguous:
            return None
        return obj if obj.nbytes >= THRESHOLD else bytearray(obj)

    def layout(self, obj: memoryview, /) -> Layout:
        if obj.c_contiguous:
            return _flat(obj)
        return by_name["numpy.ndarray"].layout(_array_of(obj))

    def row(
        self,
        obj: memoryview,
        source: Source,
        offset: int = 0,
        strides: tuple[int, ...] | None = None,
        /,
    ) -> Row:
        rest: tuple[Any, ...]
        if not obj.c_contiguous:
            rest = _array_of(obj).dtype, obj.shape, strides
        elif obj.format.removeprefix("@") not in _CASTABLE or (obj.ndim != 1 and not obj.nbytes):
            rest = _array_of(obj).dtype, obj.shape
        else:
            rest = obj.format, obj.shape, obj.nbytes
        return "builtins.memoryview", source, (obj.readonly, offset, *rest)

    def restore(
        self,
        source: Any,
        _copy: bool,
        readonly: bool,
        offset: int,
        format: Any,
        shape: tuple[int, ...],
        rest: Any = None,
        /,
    ) -> memoryview:
        if type(format) is str:
            view: Any = memoryview(source)[offset : offset + rest]
            view = view.cast(format) if len(shape) == 1 else view.cast(format, shape)
        else:
            view = array(source, format, shape, rest, offset).data
        made: memoryview = view.toreadonly() if readonly else view
        return made


class _PickleBuffer:
    """`PickleBuffer`, which types that know of protocol 5 wrap their memory in."""

    type = PickleBuffer

    def takes(self, obj: PickleBuffer, /) -> bool:
        refuse_references(memoryview(obj))
        return True

    def owner(self, _obj: PickleBuffer, /) -> object:
        return None

    def leaf(self, obj: PickleBuffer, /) -> Any:
        view = obj.raw()
        return view if view.nbytes >= THRESHOLD else bytearray(view)

    def layout(self, obj: PickleBuffer, /) -> Layout:
        return _flat(obj.raw())

    def row(
        self, obj: PickleBuffer, source: Source, offset: int = 0, _strides: object = None, /
    ) -> Row:
        view = obj.raw()
        return "pickle.PickleBuffer", source, (offset, view.nbytes, view.readonly)

    def restore(
        self, source: Any, _copy: bool, offset: int, nbytes: int, readonly: bool, /
    ) -> memoryview:
        view = memoryview(source)[offset : offset + nbytes]
        return view.toreadonly() if readonly else view


def refuse_references(view: memoryview) -> None:
    """Raises TypeError for a view whose elements are references to objects of this process."""
    # Names of fields stand between colons.
    if any("O" in part for part in view.format.split(":")[::2]):
        expected = "memory without references to objects"
        raise TypeError(f"obj: expected {expected}, given a buffer of format {view.format!r}")


def _flat(obj: Any) -> Layout:
    address, nbytes = memory(obj)
    return Layout(address, 1, (nbytes,), (1,))


def _array_of(view: memoryview) -> Any:
    import numpy as np

    return np.asarray(view)


KINDS: Final[tuple[Kind, ...]] = (_Bytes(), _ByteArray(), _MemoryView(), _PickleBuffer())
