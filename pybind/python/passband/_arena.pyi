"""Arenas of shared memory and their endpoints; their public place is `passband.arena`."""

import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Literal, Self, final

from numpy.typing import DTypeLike, NDArray
from typing_extensions import Buffer, disjoint_base

from passband._cuda import Pending

@disjoint_base
class Arena:
    """Shared memory with one writer and one reader: what pools and rings can both do.

    It pickles as the same arena in another process, and a `with` block closes and unlinks it.
    Arenas are made as one of the two kinds; `Arena.attach` gives the one that a name has.

    >>> from passband.arena import Arena, SharedMemoryRingBuffer
    >>> with SharedMemoryRingBuffer(4096, named=True) as ring:
    ...     Arena.attach(ring.name)
    SharedMemoryRingBuffer(capacity=4096)
    """

    @property
    def acquire_timeout(self) -> float | None: ...
    @property
    def pin_memory(self) -> bool: ...
    @property
    def pending(self) -> list[Pending]: ...
    @property
    def name(self) -> str | None: ...
    @property
    def id(self) -> str: ...
    @property
    def published(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    def open_writer(self) -> Writer:
        """Opens the one endpoint that writes.

        Raises EndpointError where a living process has it, or where this one was forked into
        another pid namespace; ArenaClosed after a close.
        """

    def open_reader(self) -> Reader:
        """Opens the one endpoint that reads.

        A pool with `pin_memory=True` is pinned by this, in this process. Raises EndpointError
        where a living process has it, or where this one was forked into another pid namespace;
        ArenaClosed after a close; RuntimeError where the memory cannot be pinned.
        """

    def shutdown_arena(self) -> None:
        """Ends the stream for both sides, from any process, and wakes who waits."""

    def close(self) -> None:
        """Ends this process's use of the arena; again, it does nothing.

        The endpoints of this process are closed, and the other side is told so. Views stay
        readable; the memory is unmapped when the last one is gone.
        """

    def unlink(self) -> None:
        """Lets no further process attach: a name is removed, the descriptor is given back."""

    def retry_cleanup(self) -> list[Pending]:
        """Tries to unpin and give back what is `pending`, and gives what is still left.

        Both are about the whole process, as `passband.cuda.pending` and `retry_cleanup` are: pinned
        memory may outlive its arena.
        """

    def descriptor(self) -> int:
        """Gives a new file descriptor of the arena's memory, which the caller closes."""

    @classmethod
    def attach(cls, name: str) -> Self:
        """Attaches the arena of this name, which another process made with `named=True`.

        Raises FileNotFoundError where there is none, EndpointError for one of the other kind, and
        for one that was unlinked, or made in another pid namespace or by another version.
        """

    def _fileno(self) -> int: ...
    @classmethod
    def _attach(cls, fd: int) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        *exception: type[BaseException] | BaseException | TracebackType | None,
    ) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SharedMemorySegmentPool(Arena):
    """A pool of shared memory: each unit has a segment to itself, and is read where it lies.

    * `segment_size`: bytes of the largest unit. A unit is all binaries of one item, each at a
      multiple of 64 bytes. Arrays and bytes below 4096 bytes within an item are no binaries, but
      part of its pickle; where that is longer than 928 bytes, it takes room in the unit as well.
    * `count`: segments. A reader may hold `count - 1` units; placement needs at least 2.
    * `acquire_timeout`: seconds that a writer waits for a free segment. 0 raises at once, None
      waits for ever, as does what no clock can count.
    * `pin_memory`: pins the memory in the reader's process, so that CUDA devices read it beside
      other work. A reader's arrays are unpinned and unmapped only when the driver agrees. Without a
      driver it is a RuntimeError here, which names the libraries that were looked for.
    * `named`: gives the arena a name, by which unrelated processes attach it. Without, it is an
      anonymous file that travels inside the pickled pool and can leave nothing behind.
    * `readonly`: the reader's process sees all units read-only.
    * `prefault`: touches the memory at once; first use is several times slower than later copies.
    * `max_ahead`: units that may wait to be read, so that the segments in use stay in the caches.
    * `spin_us`: microseconds to look for the other side before sleeping. Units that come further
      apart cost their writer a wake-up each, some 15 us; a longer spin saves that, and keeps a
      processor busy meanwhile.
    * `debug`: units are read-only in their writer's process once they are sent, so that a late
      write faults; what a reader in the same process receives is read-only.

    A segment is used again when every alias of its unit's memory is gone, in the order of the
    units: slices, views, memoryviews, tensors, whatever refers to them. Memory: `count` segments
    rounded up to pages and about 64 KiB, reserved here. Raises ArenaMemoryError where it is not
    there, ValueError for a size or count below 1, OverflowError for one that no memory can have.

    >>> from passband.arena import SharedMemorySegmentPool
    >>> with SharedMemorySegmentPool(4096, 2) as pool:
    ...     writer, reader = pool.open_writer(), pool.open_reader()
    ...     ticket = writer.put([1, 2, 3])
    ...     reader.get()
    [1, 2, 3]
    """

    def __new__(
        cls,
        segment_size: int,
        count: int,
        *,
        acquire_timeout: float | None = 60.0,
        pin_memory: bool = False,
        named: bool = False,
        readonly: bool = False,
        prefault: bool = True,
        max_ahead: int = 3,
        spin_us: float = 20,
        debug: bool = False,
    ) -> Self: ...
    @property
    def segment_size(self) -> int: ...
    @property
    def count(self) -> int: ...

@final
class SharedMemoryRingBuffer(Arena):
    """A ring of shared memory: one queue of bytes, from which the reader copies each unit once.

    * `capacity`: bytes. About `(buffer_size + 2)` times the largest unit keeps the writer busy; any
      unit up to the capacity fits an empty ring.
    * `pin_memory`: copies arrays and tensors out into pinned memory, which CUDA devices read beside
      other work. Blocks of it are used again when nothing refers to them and no copy reads them.
      Without a driver it is a RuntimeError, as for a pool.
    * `acquire_timeout`, `named`, `prefault`, `spin_us`: as for `SharedMemorySegmentPool`.

    A unit has one contiguous span, which is free as soon as it is copied out. What is read is the
    reader's own, and survives everything; the capacity does not bound how much of it is kept.
    Nothing can be placed in a ring. Memory: the capacity and about 320 KiB, reserved here. Raises
    ArenaMemoryError where it is not there, ValueError for a capacity below 1, OverflowError for one
    that no memory can have.

    >>> from passband.arena import SharedMemoryRingBuffer
    >>> with SharedMemoryRingBuffer(1 << 16) as ring:
    ...     writer, reader = ring.open_writer(), ring.open_reader()
    ...     ticket = writer.put(b"hello")
    ...     reader.get()
    b'hello'
    """

    def __new__(
        cls,
        capacity: int,
        *,
        acquire_timeout: float | None = 60.0,
        pin_memory: bool = False,
        named: bool = False,
        prefault: bool = True,
        spin_us: float = 20,
    ) -> Self: ...
    @property
    def capacity(self) -> int: ...

@final
class Writer:
    """The one endpoint that puts units into an arena; `open_writer()` gives it.

    Most need `put`, and `empty` for arrays that are to be written in place. The other methods are
    the low level below them. One thread at a time: a second one gets RuntimeError. Dropping the
    writer closes its end: the reader drains the arena and stops.
    """

    @property
    def zero_copy(self) -> bool: ...
    @property
    def has_unit(self) -> bool: ...
    @property
    def published(self) -> int: ...
    @property
    def reclaimed(self) -> int: ...
    def put(self, obj: object, *, pipe: Callable[[bytes], object] | None = None) -> Ticket:
        """Sends any object: arrays and bytes through shared memory, the rest pickled beside them.

        * `pipe`: sends bytes that the reader's `pipe` gives. It is used for what is pickled where
          the unit has no room for that, and in a pool where there is no unit. It is called before
          the object can be seen, and may wait for the reader to take the bytes. Where it raises,
          having sent nothing, the object is not sent.

        Arrays from `empty` are sent where they lie; all others are copied in once, or pickled where
        they have less than 4096 bytes and are part of something. Raises ArenaFull, UnitTooLarge,
        ArenaClosed, PeerDied, TypeError for a `pipe` that is no function, and what `pipe` raises;
        the open unit is given up then.

        >>> import numpy as np
        >>> from passband.arena import SharedMemorySegmentPool
        >>> with SharedMemorySegmentPool(1 << 16, 2) as pool:
        ...     writer, reader = pool.open_writer(), pool.open_reader()
        ...     x = writer.empty(4, "int16")
        ...     x[:] = 7
        ...     ticket = writer.put({"x": x, "rate": 8000})
        ...     reader.get()
        {'x': array([7, 7, 7, 7], dtype=int16), 'rate': 8000}
        """

    def empty(
        self,
        shape: int | Sequence[int],
        dtype: DTypeLike = "float32",
        order: Literal["C", "F"] = "C",
    ) -> NDArray[Any]:
        """Gives an array inside the open unit, 64-byte aligned, to be written in place.

        Opens a unit where none is. Its elements are unset. Once the unit is sent the array is
        read-only for good; views that were made of it before are beyond any library, and must not
        be written. Its segment is used again only when the array and its views are gone too. Raises
        EndpointError in a ring or a pool of one segment, UnitTooLarge, ArenaFull, TypeError for a
        type of references to objects.
        """

    def begin_unit(self, nbytes: int | None = None) -> Unit:
        """Begins a unit of at most `nbytes` bytes, which for a pool are its segment's by default.

        An envelope of more than 928 bytes lies in the unit, and counts; more than `nbytes`
        are UnitTooLarge. Waits for room up to the arena's `acquire_timeout`, without the
        interpreter lock. Raises ArenaFull after it, UnitTooLarge for what never fits, ArenaClosed,
        PeerDied.
        """

    def write_binary(self, data: Buffer) -> tuple[int, int]:
        """Copies bytes into the open unit and gives their offset, a multiple of 64, and length.

        Of an array all bytes from its lowest address to its highest. Raises UnitTooLarge for more
        than there is room for, EndpointError without a unit, TypeError for what is no contiguous
        buffer, or one of references to objects.
        """

    def commit_unit(self, envelope: bytes = b"") -> Ticket:
        """Makes the open unit visible to the reader, with a few bytes that say what it is."""

    def abort_unit(self) -> None:
        """Gives the open unit up; without one, does nothing."""

    def reset(self) -> None:
        """Gives the open unit up. Units that were sent are not touched."""

    def shutdown_arena(self) -> None:
        """Ends the stream for both sides; wakes who waits."""

    def wanted_pass(self) -> int:
        """Gives the pass that the reader wants, from 0 on."""

    def wait_for_pass(self, after: int, timeout: float) -> int | None:
        """Waits until the reader wants another pass than `after`; None after `timeout` seconds."""

    def begin_pass(self, pass_: int) -> None:
        """Takes up a pass, to which all that is sent from here on belongs."""

    def limit_ahead(self, items: int) -> None:
        """Lets at most `items` units and items wait to be read."""

    def be_patient(self) -> None:
        """Waits for the reader without a limit, which keeps the time: see `Reader.starves_writer`.

        `acquire_timeout` still limits a wait that only arrays of this process can end.
        """

    def _put(
        self,
        body: bytes,
        leaves: list[Any],
        pipe: Callable[[bytes], object] | None = None,
    ) -> Ticket: ...
    def _holds(self, address: int, nbytes: int) -> bool: ...
    def _send(
        self,
        kind: Literal["end", "error", "started"],
        body: bytes,
        pipe: Callable[[bytes], object] | None = None,
    ) -> Ticket: ...

@final
class Unit:
    """The open unit of a writer: its methods are the writer's.

    They raise EndpointError once the unit was sent or given up, in whatever way.
    """

    def empty(
        self,
        shape: int | Sequence[int],
        dtype: DTypeLike = "float32",
        order: Literal["C", "F"] = "C",
    ) -> NDArray[Any]:
        """Gives an array inside the unit, as `Writer.empty` does."""

    def write(self, data: Buffer) -> tuple[int, int]:
        """Copies bytes into the unit, as `Writer.write_binary` does."""

    def commit(self, envelope: bytes = b"") -> Ticket:
        """Sends the unit, as `Writer.commit_unit` does."""

    def abort(self) -> None:
        """Gives the unit up, as `Writer.abort_unit` does."""

@final
class Reader:
    """The one endpoint that takes units out of an arena, in the order they were sent.

    One thread at a time: a second one gets RuntimeError. Dropping the reader closes its end; what
    it gave out stays good.
    """

    @property
    def zero_copy(self) -> bool: ...
    @property
    def delivered(self) -> int: ...
    def get(
        self,
        timeout: float | None = None,
        *,
        bytes_as: Literal["view", "copy"] = "view",
        pipe: Callable[[], bytes | None] | None = None,
    ) -> Any:
        """Waits for the next object and gives it: in a pool its arrays lie in shared memory.

        * `timeout`: seconds to wait, for ever without.
        * `bytes_as`: as what a pool gives `bytes` and `bytearray` of 4096 bytes and more. `"view"`:
          memoryviews, read-only for `bytes`; `"copy"`: their own types.
        * `pipe`: gives, in their order, the bytes that the writer's `pipe` was called with, and
          waits for them. It may be called before their unit is there. It may give None after a
          wait of its own, and is called again while there is time. A unit whose bytes it does not
          give, or that arrives without a pipe, stays the next one.

        A unit's memory is used again when all that refers to it is gone. Raises TimeoutError,
        ArenaClosed where nothing will come any more, PeerDied, ArenaCorrupt. What the object's own
        classes raise has a note that names the unit.
        """

    def read_binary(self, offset: int, nbytes: int) -> memoryview:
        """Gives bytes of the unit being read: those of the pool itself, or a ring's, copied.

        Takes the next unit up where none is being read. The view's `obj` is the export, which keeps
        the bytes; a copied one's is a bytearray. Raises ValueError outside the unit.
        """

    def end_unit(self, ticket: Ticket | int, anchors: object = None) -> None:
        """Ends the unit being read; without exports of it about, its memory is free from here.

        `anchors` is not needed: exports keep their storage themselves. Raises TicketError for any
        ticket but that of the unit being read.
        """

    def reset(self) -> None:
        """Ends the unit being read, if there is one. Nothing else is touched."""

    def shutdown_arena(self) -> None:
        """Ends the stream for both sides; wakes who waits."""

    def request_pass(self) -> int:
        """Asks the writer for another pass and gives its number.

        What the writer sent before it begins the pass is discarded when it arrives.
        """

    def starves_writer(self) -> bool:
        """Tells whether the writer waits for units that this process holds, and for no other."""

    def held(self) -> list[tuple[int, float, int]]:
        """Gives the units that this process holds: number, seconds since they came, exports."""

    def _next(
        self,
        timeout: float | None = None,
        pipe: Callable[[], bytes | None] | None = None,
    ) -> Delivery | NDArray[Any] | None: ...

@final
class Delivery:
    """A record that has arrived: what it is, its name, its body, and its binaries."""

    @property
    def kind(self) -> Literal["item", "end", "error", "started"]: ...
    @property
    def ticket(self) -> Ticket: ...
    @property
    def body(self) -> bytes: ...
    @property
    def exports(self) -> list[Any]: ...

@final
class Ticket:
    """Names a unit: its arena, pass and number, and the bytes that it takes, which `int` gives."""

    @property
    def arena(self) -> str: ...
    @property
    def pass_(self) -> int: ...
    @property
    def unit(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @classmethod
    def _from_parts(cls, arena: list[int], pass_: int, unit: int, nbytes: int) -> Ticket: ...

@final
class Export:
    """Bytes of an arena, good for as long as this object lives: a buffer and nothing else."""

    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

    def __len__(self) -> int: ...

def array(
    export: Buffer,
    dtype: DTypeLike,
    shape: Sequence[int],
    strides: Sequence[int] | None = None,
    offset: int = 0,
    writable: bool = True,
) -> NDArray[Any]:
    """Gives an array of any type over an export, which is its base itself.

    * `export`: an `Export`, or any object with a contiguous buffer.
    * `dtype`, `shape`, `strides` in bytes, `offset` in bytes: as NumPy's `ndarray` has them.
    * `writable`: whether it may be written, where the export may.

    Raises ValueError for elements outside the export, and TypeError for a type of references to
    objects, or a buffer of them.
    """

def memory(leaf: object) -> tuple[int, int]: ...
def bytes_copied() -> int:
    """Gives the bytes that this process has copied into and out of arenas so far.

    Arrays that are written in place and read where they lie add nothing. What a worker copied, the
    worker tells.

    >>> from passband.arena import bytes_copied
    >>> bytes_copied() >= 0
    True
    """

def sweep() -> list[str]:
    """Removes the named arenas of this user that no process has attached, and gives their names.

    Only killed processes leave one behind. Raises OSError where the names cannot be listed.
    """
