"""Which bytes are sent: those of each object once, however many views of them there are.

Objects that share memory are sent as the one range that covers them, and share it again where they
arrive. An object with gaps that shares nothing is sent without them: what lies in between is not
its own, and may be much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd, prod
from operator import itemgetter
from typing import Any

from passband._arena import Writer
from passband.arena._kinds import THRESHOLD, Kind, Layout, Row, Source

Found = tuple[Kind, Any]


def plan(found: Sequence[Found], writer: Writer | None = None) -> tuple[list[Any], list[Row]]:
    """The leaves to send for the objects that were found, and a row for each of these."""
    leaves: list[Any] = []
    alone: list[Row] = []
    if len(found) < 2 or _have_own_memory(found):
        for kind, obj in found:
            alone.append(_alone(kind, obj, leaves, writer))
        return leaves, alone
    rows: dict[int, Row] = {}
    for group in _sharing([_Piece(number, *one) for number, one in enumerate(found)]):
        if len(group) == 1:
            rows[group[0].number] = _alone(group[0].kind, group[0].obj, leaves, writer)
            continue
        start, memory = _common_memory(group, writer)
        source = _source(memory, leaves)
        for piece in group:
            rows[piece.number] = piece.row(source, start)
    return leaves, [rows[number] for number in range(len(found))]


def _have_own_memory(found: Iterable[Found]) -> bool:
    """Whether it takes no look at addresses to know that no two objects share memory."""
    owners = set()
    for kind, obj in found:
        owner = kind.owner(obj)
        if owner is None or id(owner) in owners:
            return False
        owners.add(id(owner))
    return True


def _source(memory: Any, leaves: list[Any]) -> Source:
    if type(memory) is bytearray and len(memory) < THRESHOLD:
        return memory
    leaves.append(memory)
    return len(leaves) - 1


def _alone(kind: Kind, obj: Any, leaves: list[Any], writer: Writer | None) -> Row:
    """The row of an object that shares its memory with no other."""
    leaf = _leaf(kind, obj, writer)
    if leaf is not None:
        return kind.row(obj, _source(leaf, leaves))
    from passband.arena import _memory

    piece = _Piece(0, kind, obj)
    nbytes = piece.high - piece.low
    placed = _has(writer, piece.low, nbytes)
    if placed or nbytes == piece.used or piece.overlaps_itself():
        memory = _memory.at(piece.low, nbytes, obj, placed=placed)
        return piece.row(_source(memory, leaves), piece.low)
    order, offset, strides = _packed(piece.layout)
    packed = _memory.packed(piece.layout, order, obj)
    return kind.row(obj, _source(packed, leaves), offset, strides)


def _common_memory(group: Sequence[_Piece], writer: Writer | None) -> tuple[int, Any]:
    """The memory to send for objects that share it, and the address that it begins at."""
    from passband.arena import _memory

    low, high = min(piece.low for piece in group), max(piece.high for piece in group)
    objects = [piece.obj for piece in group]
    if _has(writer, low, high - low):
        return low, _memory.at(low, high - low, objects, placed=True)
    if not all(piece.stays_aligned(low) for piece in group):
        pad = low % _memory.ALIGNMENT
        return low - pad, _memory.at(low, high - low, objects, pad)
    for piece in group:
        leaf = piece.kind.leaf(piece.obj) if (piece.low, piece.high) == (low, high) else None
        if leaf is not None:
            return low, leaf
    return low, _memory.at(low, high - low, objects)


def _leaf(kind: Kind, obj: Any, writer: Writer | None) -> Any:
    """What to send for an object as it is: a short one's bytes, unless they lie in the unit."""
    leaf = kind.leaf(obj)
    if type(leaf) is bytearray and writer is not None and writer.has_unit:
        address = kind.layout(obj).address
        if _has(writer, address, len(leaf)):
            from passband.arena import _memory

            return _memory.at(address, len(leaf), obj, placed=True)
    return leaf


def _has(writer: Writer | None, address: int, nbytes: int) -> bool:
    """Whether the unit that is being written has these bytes."""
    return writer is not None and writer._holds(address, nbytes)


class _Piece:
    """The range that an object covers, and how it lies in there.

    Its bytes are in blocks, the first of them at the range's start, the others some number of steps
    further on. An object without gaps is one block, and has no step.
    """

    __slots__ = ("block", "high", "kind", "layout", "low", "number", "obj", "step", "used")

    def __init__(self, number: int, kind: Kind, obj: Any) -> None:
        self.number, self.kind, self.obj = number, kind, obj
        self.layout = address, itemsize, shape, strides = kind.layout(obj)
        reaches = [stride * (length - 1) for length, stride in zip(shape, strides, strict=True)]
        self.low = address + sum(reach for reach in reaches if reach < 0)
        self.high = address + sum(reach for reach in reaches if reach > 0) + itemsize
        self.used = min(itemsize * prod(shape), self.high - self.low)
        self.block, self.step = itemsize, 0
        for axis in _by_stride(self.layout):
            if not self.step and abs(strides[axis]) <= self.block:
                self.block += abs(reaches[axis])
            elif reaches[axis]:
                self.step = gcd(self.step, strides[axis])

    def overlaps_itself(self) -> bool:
        """Whether elements may have bytes in common."""
        reach = self.layout.itemsize
        for axis in _by_stride(self.layout):
            stride, length = abs(self.layout.strides[axis]), self.layout.shape[axis]
            if length > 1 and stride < reach:
                return True
            reach += stride * (length - 1)
        return False

    def stays_aligned(self, start: int) -> bool:
        """Whether its elements are as aligned as now where `start` is at an aligned address."""
        alignment = min(self.layout.itemsize & -self.layout.itemsize, 16)
        return self.layout.address % alignment != 0 or start % alignment == 0

    def row(self, source: Source, start: int) -> Row:
        """Its row, if the source begins with what is at the address `start`."""
        offset = self.layout.address - start
        return self.kind.row(self.obj, source, offset, self.layout.strides)


def _sharing(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces in groups, of which no two share memory."""
    group: list[_Piece] = []
    high = 0
    for piece in sorted(pieces, key=lambda piece: piece.low):
        if not piece.used:
            yield [piece]
            continue
        if group and piece.low >= high:
            yield from _split(group, high)
            group = []
        group.append(piece)
        high = max(high, piece.high)
    if group:
        yield from _split(group, high)


def _split(group: list[_Piece], high: int) -> Iterable[list[_Piece]]:
    """Parts of a group of ranges that overlap; all of it if that is less to send than its parts."""
    if len(group) == 1 or high - group[0].low <= sum(piece.used for piece in group):
        return [group]
    parts = _by_place(group)
    if len(parts) == 1:
        return parts
    # Without the others, its ranges may not overlap any more, or its steps have more in common.
    return [smaller for part in parts for smaller in _sharing(part)]


def _by_place(group: list[_Piece]) -> list[list[_Piece]]:
    """Parts whose blocks are at other places in the step that all pieces have in common."""
    step = gcd(*(piece.step for piece in group))
    if not step:
        return [group]
    parts: list[list[_Piece]] = []
    high = 0
    for place, piece in sorted(((piece.low % step, piece) for piece in group), key=itemgetter(0)):
        if not parts or place >= high:
            parts.append([])
        parts[-1].append(piece)
        high = max(high, place + piece.block)
    # The last may reach into the next step, where the first ones are.
    around = [part for part in parts[:-1] if part[0].low % step < high - step]
    return [[piece for part in (*around, parts[-1]) for piece in part], *parts[len(around) : -1]]


def _by_stride(layout: Layout) -> list[int]:
    """The axes, those first along which neighbours are closest."""
    return sorted(range(len(layout.shape)), key=lambda axis: abs(layout.strides[axis]))


def _packed(layout: Layout) -> tuple[list[int], int, tuple[int, ...]]:
    """The same order without gaps: its axes by stride, the first element's offset, the strides."""
    order, strides = _by_stride(layout), list(layout.strides)
    offset, stride = 0, layout.itemsize
    for axis in order:
        strides[axis] = stride if strides[axis] >= 0 else -stride
        stride *= layout.shape[axis]
        offset -= min(strides[axis], 0) * (layout.shape[axis] - 1)
    return order, offset, tuple(strides)
