"""iceoryx2, a middleware with samples in shared memory."""

import ctypes
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sources import Source, Words
from transports import AHEAD, Transport, producer


@dataclass(frozen=True)
class Iceoryx(Transport):
    """A listener that sleeps until the event of each sample, or a subscriber that asks anew.

    The consumer gets samples and makes no arrays of them, which favours it.
    """

    name: str
    polls: bool = False

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
