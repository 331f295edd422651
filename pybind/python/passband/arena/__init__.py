"""Shared memory whose bytes outlive every wrapper: pools, rings, iterables in other processes.

Most need one function. `iterate_in_subprocess` runs an iterable in a worker process, and receives
its items; in the worker, `empty` gives arrays that are written where they will be read.

>>> from functools import partial
>>> from passband.arena import iterate_in_subprocess
>>> for row in iterate_in_subprocess(partial(np.ones, (2, 1000))):
...     print(row.sum())
1000.0
1000.0

What it gives is a `SubprocessIterable`. Then, as one needs more:

* An arena of one's own: a `SharedMemorySegmentPool`, whose items are read where they lie, or a
  `SharedMemoryRingBuffer`, whose items are copied out and may all be kept. Either is an `Arena`.
* A process of one's own: the arena is its argument, `open_writer()` there gives a `Writer`, whose
  `put` sends any object, and `open_reader()` here a `Reader`, whose `get` receives it.
* Classes of one's own: `register` lets their memory travel as that of arrays does;
  `register_handler` takes a `Handler` for many types.
* The end of a stream: `ArenaClosed` after all that was sent, `PeerDied` without one.
* No room: `ArenaFull` and, before it, `HeldUnitsWarning` name who is waited for; `UnitTooLarge` and
  `ArenaMemoryError` say what is too small.
* A wrong use, or a wrong peer: `EndpointError`, `PassEnded`, `TicketError`, `ArenaCorrupt`.
* What it costs, and what is left: `bytes_copied`, `sweep`.
* On to a CUDA device: `pin_memory=True` of either kind, and `passband.cuda`.
* Below all this: a `Unit` is written and named by a `Ticket`, its bytes are an `Export`, and
  `array` makes an array of one.
"""

from passband._arena import (
    Arena,
    Export,
    Reader,
    SharedMemoryRingBuffer,
    SharedMemorySegmentPool,
    Ticket,
    Unit,
    Writer,
    array,
    bytes_copied,
    sweep,
)
from passband.arena._errors import (
    ArenaClosed,
    ArenaCorrupt,
    ArenaFull,
    ArenaMemoryError,
    EndpointError,
    HeldUnitsWarning,
    PassEnded,
    PeerDied,
    TicketError,
    UnitTooLarge,
)
from passband.arena._placement import empty
from passband.arena._registry import Handler, register, register_handler
from passband.arena._subprocess import SubprocessIterable, iterate_in_subprocess

__all__ = [
    "Arena",
    "ArenaClosed",
    "ArenaCorrupt",
    "ArenaFull",
    "ArenaMemoryError",
    "EndpointError",
    "Export",
    "Handler",
    "HeldUnitsWarning",
    "PassEnded",
    "PeerDied",
    "Reader",
    "SharedMemoryRingBuffer",
    "SharedMemorySegmentPool",
    "SubprocessIterable",
    "Ticket",
    "TicketError",
    "Unit",
    "UnitTooLarge",
    "Writer",
    "array",
    "bytes_copied",
    "empty",
    "iterate_in_subprocess",
    "register",
    "register_handler",
    "sweep",
]
