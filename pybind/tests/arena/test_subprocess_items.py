"""`iterate_in_subprocess`: what arrives, and where it lies."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from passband.arena import _subprocess
from traces import Filled
from workers import ARENAS, iterate, make_pool, make_ring, things


@ARENAS
def test_items_arrive_in_order_and_again_in_each_pass(make: Callable[[], Any]) -> None:
    with iterate(partial(Filled, 20), arena=make()) as items:
        for _ in range(3):
            seen = [(int(item[0]), int(item[-1]), len(item)) for item in items]
            assert seen == [(number, number, 2000) for number in range(20)]


def nested() -> Iterator[Any]:
    yield {"a": np.arange(3000.0), "b": [np.ones((40, 50), np.int16), "text", None], "n": 7}
    yield (1, 2.5, "three")
    yield b"x" * 5000
    yield None
    yield np.arange(6, dtype=np.complex64).reshape(2, 3)


@ARENAS
def test_items_of_any_kind_come_as_they_were_sent(make: Callable[[], Any]) -> None:
    with iterate(nested, arena=make(), bytes_as="copy") as items:
        for got, sent in zip(items, nested(), strict=True):
            assert type(got) is type(sent)
            np.testing.assert_equal(got, sent)


def test_bytes_of_a_pool_are_read_only_views_unless_copies_are_asked_for() -> None:
    def letters() -> Iterator[bytes]:
        yield b"ab" * 4000

    with iterate(letters, arena=make_pool()) as items:
        (view,) = items
    assert isinstance(view, memoryview)
    assert view.readonly
    assert view == b"ab" * 4000


def test_an_item_of_a_pool_lies_in_it_and_one_of_a_ring_is_the_consumers_own() -> None:
    for make, owned in ((make_pool, False), (make_ring, True)):
        with iterate(partial(Filled, 1), arena=make()) as items:
            (item,) = items
        assert isinstance(item.base, arena.Export) is not owned
        assert item.flags.writeable
        item += 1
        assert item.sum() == 2000


def test_without_an_arena_items_may_have_any_size() -> None:
    class Huge:
        def __iter__(self) -> Iterator[bytes]:
            yield bytes(70 << 20)
            yield b"small"

    with iterate(Huge) as items:
        assert [len(item) for item in items] == [70 << 20, 5]


class Recording:
    """Samples that pickle is not to see."""

    def __init__(self, samples: Any) -> None:
        self.samples = samples

    def __reduce__(self) -> Any:
        raise TypeError("a recording is not pickled")


arena.register(Recording, lambda own: (None, [own.samples]), lambda _, own: Recording(own[0]))


def test_an_item_without_room_comes_as_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_subprocess, "DEFAULT_CAPACITY", 1 << 16)
    samples = np.arange(30_000.0)
    times = samples.astype("datetime64[s]")
    given = {
        "view": memoryview(samples),
        "bytes": samples.tobytes(),
        "bytearray": bytearray(samples),
        "array": samples,
        "columns": samples.reshape(300, 100).T[:50],
        "times": times,
        "every other": times[::2],
        "few": samples[:5],
    }

    def large() -> Iterator[Any]:
        yield Recording(samples)
        yield given
        yield "small"

    recording, there, small = iterate(large)
    assert np.array_equal(np.frombuffer(recording.samples), samples)
    assert small == "small"
    for name, one in there.items():
        assert type(one) is type(given[name])
        np.testing.assert_equal(one, given[name])
    assert there["view"].format == "d"
    assert there["array"].flags.writeable
    there["array"][0] = 7
    # They share their memory, as they did.
    assert there["few"][0] == there["view"][0] == there["columns"][0, 0] == 7


def test_an_envelope_without_room_comes_by_another_way() -> None:
    def large() -> Iterator[Any]:
        for number in range(5):
            yield [f"{number} {index}" for index in range(20_000)]
            # The array leaves no room for the rest of the item.
            yield {"text": "x" * 3000, "array": np.full(1 << 14, number, np.float32)}

    for _ in range(2):
        with iterate(things(large), arena=make_pool()) as items:
            next(iter(items))
            for number, (text, item) in enumerate(zip(*[iter(items)] * 2, strict=True)):
                assert text[-1] == f"{number} 19999"
                assert item["text"] == "x" * 3000
                assert (item["array"] == number).all()


def placed() -> Iterator[np.ndarray]:
    for number in range(20):
        out = arena.empty(3000, np.float32)
        out[:] = number
        yield out[5:-5]
        # Its unit was given up: it was never yielded.
        if number == 7:
            arena.empty(10)


def test_arrays_placed_in_the_worker_are_sent_where_they_lie() -> None:
    def counted() -> Iterator[Any]:
        before = arena.bytes_copied()
        yield from placed()
        yield arena.bytes_copied() - before

    with iterate(things(counted), arena=make_pool(count=4)) as items:
        for _ in range(2):
            *arrays, copied = [item if isinstance(item, int) else item.copy() for item in items]
            assert [array.tolist() for array in arrays] == [[n] * 2990 for n in range(20)]
            assert copied == 0


def test_empty_is_numpys_outside_of_a_worker() -> None:
    array = arena.empty((2, 3), np.int16)
    assert (array.shape, array.dtype, array.base) == ((2, 3), np.int16, None)


def test_empty_is_numpys_in_a_process_that_a_worker_forks() -> None:
    def forking() -> Iterator[Any]:
        read, write = os.pipe()
        if os.fork() == 0:
            os.write(write, repr(arena.empty(3).base).encode())
            os._exit(0)
        os.close(write)
        yield arena.empty(3)
        yield os.read(read, 1000)

    array, base = iterate(forking, arena=make_pool(), timeout=20)
    assert isinstance(array.base, arena.Export)
    assert bytes(base) == b"None"


def test_a_worker_that_keeps_its_own_arrays_is_told() -> None:
    def hoarding() -> Iterator[np.ndarray]:
        kept = []
        for _ in range(10):
            kept.append(arena.empty(100))
            yield kept[-1]

    pool = make_pool(count=3, acquire_timeout=0.2)
    with pytest.raises(arena.ArenaFull, match="this process still holds its own arrays in unit 0"):
        for _ in iterate(hoarding, arena=pool):
            pass


def test_several_iterables_at_once() -> None:
    with (
        iterate(partial(Filled, 30), arena=make_pool()) as first,
        iterate(partial(Filled, 30), arena=make_ring()) as second,
        iterate(partial(Filled, 30)) as third,
    ):
        for number, (a, b, c) in enumerate(zip(first, second, third, strict=True)):
            assert a[0] == b[0] == c[0] == number
