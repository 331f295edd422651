"""Shared memory whose bytes outlive every wrapper: pools, rings, iterables in other processes."""

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
