"""The packages beside which passband is measured."""

import ctypes
import multiprocessing
import os
import time
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from sources import Source, Words
from transports import AHEAD, Items, Transport, producer

SEGMENTS = 8
# Room for what lies in a segment beside the array.
MARGIN = 4096


class _Spdl(Items):
    """`spdl.pipeline.iterate_in_subprocess` over one of its arenas."""

    @abstractmethod
    def arena(self, nbytes: int) -> Any:
        """Shared memory for arrays of a size."""

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""
        from spdl.pipeline import iterate_in_subprocess

        arena = self.arena(source.nbytes + MARGIN)
        items = iterate_in_subprocess(
            source.items, buffer_size=AHEAD, mp_context="spawn", arena=arena
        )
        try:
            yield from items
        finally:
            # A worker that is not done is given seconds to end by itself.
            for child in multiprocessing.active_children():
                child.terminate()


class SpdlPool(_Spdl):
    """SPDL's pool of segments: one copy in, views out."""

    name = "spdl pool"

    def arena(self, nbytes: int) -> Any:
        """Shared memory for arrays of a size."""
        from spdl.pipeline import SharedMemorySegmentPool

        return SharedMemorySegmentPool(nbytes, SEGMENTS)


class SpdlRing(_Spdl):
    """SPDL's ring of bytes: one copy in, copies out."""

    name = "spdl ring"

    def arena(self, nbytes: int) -> Any:
        """Shared memory for arrays of a size."""
        from spdl.pipeline import SharedMemoryRingBuffer

        return SharedMemoryRingBuffer(nbytes * SEGMENTS)


class Iceoryx(Transport):
    """iceoryx2, where a listener sleeps until the event of each sample.

    The consumer gets samples and makes no arrays of them, which favours it.
    """

    name = "iceoryx2 event"
    polls = False

    def receive(self, source: Source) -> Iterator[Any]:
        """Starts a process that sends what the source yields; yields what arrives."""
        name = f"passband-{os.getpid()}-{time.perf_counter_ns()}"
        node = _node()
        subscriber = _samples(node, name).subscriber_builder().create()
        listener = _events(node, name).listener_builder().create()
        with producer(_publish, name, source, not self.polls) as process:
            try:
                while True:
                    sample = subscriber.receive()
                    if sample is not None:
                        yield sample
                    elif not self.polls:
                        listener.blocking_wait()
            finally:
                process.terminate()
                # A publisher that waits for room looks at no signal.
                while process.is_alive():
                    subscriber.receive()

    def words(self, item: Any) -> Words:
        """The array in an item, where it lies."""
        return np.frombuffer(item.payload().as_memory_view(), np.uint64)


class IceoryxPoll(Iceoryx):
    """iceoryx2, where the subscriber asks again and again."""

    name = "iceoryx2 poll"
    polls = True


def _publish(name: str, source: Source, notifies: bool) -> None:
    import iceoryx2

    node = _node()
    notifier = _events(node, name).notifier_builder().create()
    publisher = (
        _samples(node, name)
        .publisher_builder()
        .initial_max_slice_len(source.nbytes)
        .backpressure_strategy(iceoryx2.BackpressureStrategy.RetryUntilDelivered)
        .create()
    )
    for words in source:
        sample = publisher.loan_slice_uninit(source.nbytes)
        ctypes.memmove(sample.payload_ptr, words.ctypes.data, source.nbytes)
        sample.assume_init().send()
        if notifies:
            notifier.notify()


def _node() -> Any:
    import iceoryx2

    iceoryx2.set_log_level(iceoryx2.LogLevel.Error)
    disabled = iceoryx2.SignalHandlingMode.Disabled
    builder = iceoryx2.NodeBuilder.new().signal_handling_mode(disabled)
    return builder.create(iceoryx2.ServiceType.Ipc)


def _samples(node: Any, name: str) -> Any:
    import iceoryx2

    return (
        node.service_builder(iceoryx2.ServiceName.new(name))
        .publish_subscribe(iceoryx2.Slice[ctypes.c_uint8])
        .payload_alignment(iceoryx2.Alignment.new(64))
        .subscriber_max_buffer_size(AHEAD)
        .subscriber_max_borrowed_samples(AHEAD)
        .enable_safe_overflow(False)
        .open_or_create()
    )


def _events(node: Any, name: str) -> Any:
    import iceoryx2

    return node.service_builder(iceoryx2.ServiceName.new(name)).event().open_or_create()
