"""Arrays of NumPy: of every type without references, of any order and strides."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from passband._arena import Export, array, memory
from passband.arena._kinds import THRESHOLD, Kind, Layout, Row, Source

_TYPES: Final[dict[int, np.dtype[Any]]] = {
    np.dtype(char).num: np.dtype(char) for char in "?bhilqBHILQefdgFDG"
}
"""The types that are one object each, by their numbers; all others travel as they are."""
_NUMBERS: Final = {id(dtype): number for number, dtype in _TYPES.items()}


class _Array:
    """`numpy.ndarray`; its base is the export itself."""

    type = np.ndarray

    def takes(self, obj: NDArray[Any], /) -> bool:
        return obj.nbytes > 0 and not obj.dtype.hasobject

    def owner(self, obj: NDArray[Any], /) -> object:
        base: object = obj
        while type(base) is np.ndarray:
            obj, base = base, base.base
        if base is None:
            return obj if obj.flags.owndata else None
        return base if type(base) in (Export, bytes, bytearray) else None

    def leaf(self, obj: NDArray[Any], /) -> Any:
        if not obj.flags.c_contiguous:
            return None
        return obj if obj.nbytes >= THRESHOLD else bytearray(obj.tobytes())

    def layout(self, obj: NDArray[Any], /) -> Layout:
        low, _ = memory(obj)
        reaches = (
            stride * (length - 1) for length, stride in zip(obj.shape, obj.strides, strict=True)
        )
        address = low - sum(reach for reach in reaches if reach < 0)
        return Layout(address, obj.itemsize, obj.shape, obj.strides)

    def row(
        self,
        obj: NDArray[Any],
        source: Source,
        offset: int = 0,
        strides: tuple[int, ...] | None = None,
        /,
    ) -> Row:
        writable = obj.flags.writeable
        dtype = _NUMBERS.get(id(obj.dtype), obj.dtype)
        if strides is None and writable:
            return "numpy.ndarray", source, (dtype, obj.shape)
        return "numpy.ndarray", source, (dtype, obj.shape, strides, offset, writable)

    def restore(
        self,
        source: Any,
        _copy: bool,
        dtype: Any,
        shape: tuple[int, ...],
        strides: tuple[int, ...] | None = None,
        offset: int = 0,
        writable: bool = True,
        /,
    ) -> NDArray[Any]:
        dtype = _TYPES[dtype] if type(dtype) is int else dtype
        return array(source, dtype, shape, strides, offset, writable)


KINDS: Final[tuple[Kind, ...]] = (_Array(),)
