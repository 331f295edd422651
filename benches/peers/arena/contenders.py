"""All that takes turns: transports that copy, and kernels that write where a reader reads."""

from typing import Any

from endpoints import Endpoints, KernelAlone, PlacedInSubprocess, Reading
from iceoryx import Iceoryx
from packages import InSubprocess, Spdl
from transports import Queue, Transport

COPYING: list[Transport] = [
    Queue("multiprocessing.Queue"),
    Spdl("spdl ring", "spdl.pipeline", ring=True),
    Spdl("spdl pool", "spdl.pipeline"),
    Iceoryx("iceoryx2 event"),
    Iceoryx("iceoryx2 poll", polls=True),
    InSubprocess("passband ring", "passband.arena", ring=True),
    InSubprocess("passband pool", "passband.arena"),
    Endpoints("passband ring, arrays", ring=True),
    Endpoints("passband pool, arrays"),
]
ALONE = KernelAlone("kernel alone")
PLACED: list[Transport] = [
    Endpoints("passband pool, placed", places=True),
    PlacedInSubprocess("passband worker, placed"),
]
# A kernel of 80 us outlasts the usual 20 us: who wants no wake-up for each unit spins longer.
LONGER: dict[str, Any] = {"spin_us": 200}
SPINNING: list[Transport] = [
    Endpoints("passband pool, placed, spin 200 us", places=True, options=LONGER),
    PlacedInSubprocess("passband worker, placed, spin 200 us", options=LONGER),
]
READING: list[Transport] = [
    Reading(f"{transport.name}, read", transport) for transport in (ALONE, *PLACED)
]
