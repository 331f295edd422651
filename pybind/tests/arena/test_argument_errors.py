"""Arguments of arenas and endpoints: each error names its own, before anything changes."""

import itertools
import math
import os
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import passband.arena as arena
import pytest
from passband._arena import memory
from workers import make_pool, make_ring

POOL: Any = make_pool(count=3)
WRITER: Any = POOL.open_writer()
READER: Any = POOL.open_reader()
ARRAY: Any = arena.array
HUGE = 2**64

# The call, what it is given, and the kind and start of its error.
WRONG: list[tuple[Callable[..., Any], Any, type[Exception], str]] = [
    (WRITER.begin_unit, -1, ValueError, "nbytes: expected a count of at least 0, given -1"),
    (WRITER.begin_unit, HUGE, OverflowError, f"nbytes: expected at most {2**63 - 1}, given {HUGE}"),
    (WRITER.begin_unit, "x", TypeError, "nbytes: expected an integer, given 'x' [(]str[)]"),
    (WRITER.limit_ahead, 0, ValueError, "items: expected at least 1, given 0"),
    (WRITER.limit_ahead, -1, ValueError, "items: expected at least 1, given -1"),
    (WRITER.limit_ahead, HUGE, OverflowError, "items: expected at most"),
    (WRITER.begin_pass, -1, ValueError, "pass_: expected a count of at least 0, given -1"),
    (WRITER.begin_pass, HUGE, OverflowError, "pass_: expected at most"),
    (lambda x: WRITER.wait_for_pass(x, 0), -1, ValueError, "after: expected a count"),
    (lambda x: WRITER.wait_for_pass(x, 0), HUGE, OverflowError, "after: expected at most"),
    (lambda x: WRITER.wait_for_pass(1, x), "x", TypeError, "timeout: expected a real number"),
    (lambda x: WRITER.wait_for_pass(1, x), -1, ValueError, "timeout: expected a non-negative"),
    (WRITER.empty, 2**63, ValueError, f"shape: expected lengths of at least 0 .* given {2**63}"),
    (WRITER.empty, (2**62, 4), ValueError, "shape: expected lengths of at least 0"),
    (WRITER.empty, (3, -1), ValueError, "shape: expected lengths of at least 0 .* given -1"),
    (WRITER.empty, "x", TypeError, "shape: expected a length or a sequence of lengths, given 'x'"),
    (WRITER.empty, b"", TypeError, "shape: expected a length or a sequence of lengths, given b''"),
    (
        WRITER.empty,
        {3: 4},
        TypeError,
        "shape: expected a length or a sequence of lengths, given {3",
    ),
    (WRITER.empty, {3}, TypeError, "shape: expected a length or a sequence of lengths"),
    (
        WRITER.empty,
        True,
        TypeError,
        "shape: expected a length or a sequence of lengths, given True",
    ),
    (WRITER.empty, itertools.repeat(1), TypeError, "shape: expected a length or a sequence"),
    (WRITER.empty, [1] * 65, ValueError, "shape: expected at most 64 axes, given 65"),
    (WRITER.empty, 1.5, TypeError, "shape: expected a length or a sequence of lengths, given 1.5"),
    (WRITER.empty, (1, "x"), TypeError, "shape: expected an integer, given 'x'"),
    (lambda x: WRITER.empty(3, x), "odd", TypeError, "dtype: expected a type of NumPy without"),
    (lambda x: WRITER.empty(3, x), object, TypeError, "dtype: expected a type of NumPy without"),
    (lambda x: WRITER.empty(3, order=x), "K", ValueError, "order: expected 'C' or 'F', given 'K'"),
    (lambda x: WRITER.empty(3, order=x), 3, TypeError, "order: expected 'C' or 'F', given 3"),
    (lambda x: READER.read_binary(x, 0), -1, ValueError, "offset: expected a count of at least 0"),
    (lambda x: READER.read_binary(0, x), -1, ValueError, "nbytes: expected a count of at least 0"),
    (lambda x: READER.read_binary(0, x), HUGE, OverflowError, "nbytes: expected at most"),
    (READER.get, "x", TypeError, "timeout: expected a real number, given 'x'"),
    (READER.get, -1, ValueError, "timeout: expected a non-negative number of seconds, given -1"),
    (lambda x: READER.get(0, bytes_as=x), 3, TypeError, "bytes_as: expected 'view' or 'copy'"),
    (lambda x: READER.get(0, bytes_as=x), "x", ValueError, "bytes_as: expected 'view' or 'copy'"),
    (lambda x: ARRAY(x, "u1", 1), 3, TypeError, "export: expected an object with a contiguous"),
    (lambda x: ARRAY(b"abcd", x, 1), "odd", TypeError, "dtype: expected a type of NumPy without"),
    (lambda x: ARRAY(b"abcd", "u1", x), -1, ValueError, "shape: expected lengths of at least 0"),
    (lambda x: ARRAY(b"abcd", "u1", 1, x), "x", TypeError, "strides: expected a sequence"),
    (lambda x: ARRAY(b"abcd", "u1", 1, x), (2**63,), ValueError, "strides: expected a sequence"),
    (lambda x: ARRAY(b"abcd", "u1", 1, None, x), -1, ValueError, "offset: expected a count"),
    (lambda x: ARRAY(b"abcd", "u1", 1, None, 0, x), 1, TypeError, "writable: expected True or"),
    (arena.Arena.attach, 3, TypeError, "name: expected a str, given 3"),
    (arena.Arena.attach, "passband-\0", ValueError, "name: expected the name of an arena"),
    (arena.Arena.attach, "\udc80", ValueError, "name: expected the name of an arena"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_an_error_names_the_argument_what_was_expected_and_what_was_given(number: int) -> None:
    call, given, kind, text = WRONG[number]
    with pytest.raises(kind, match=f"^{text}") as caught:
        call(given)
    assert type(caught.value) is kind
    assert ", given " in str(caught.value)
    assert (WRITER.has_unit, WRITER.published, READER.delivered) == (False, 0, 0)


@pytest.mark.parametrize(
    ("name", "given", "kind", "text"),
    [
        ("size", 0, ValueError, "at least 1, given 0"),
        ("size", -1, ValueError, "at least 1, given -1"),
        ("size", HUGE, OverflowError, f"at most {2**63 - 1}, given {HUGE}"),
        ("size", "1", TypeError, "an integer, given '1' (str)"),
        ("count", 0, ValueError, "at least 1, given 0"),
        ("count", None, TypeError, "an integer, given None (NoneType)"),
        ("max_ahead", 0, ValueError, "at least 1, given 0"),
        ("acquire_timeout", "1", TypeError, "a real number, given '1' (str)"),
        ("acquire_timeout", -1, ValueError, "a non-negative number of seconds, given -1.0"),
        ("acquire_timeout", math.nan, ValueError, "a non-negative number of seconds, given nan"),
        ("spin_us", -1, ValueError, "a non-negative number of microseconds, given -1.0"),
        ("spin_us", "1", TypeError, "a real number, given '1' (str)"),
        ("named", 1, TypeError, "True or False, given 1 (int)"),
        ("prefault", None, TypeError, "True or False, given None (NoneType)"),
        ("readonly", "no", TypeError, "True or False, given 'no' (str)"),
        ("debug", 0, TypeError, "True or False, given 0 (int)"),
    ],
)
def test_constructors_name_the_argument(
    name: str, given: object, kind: type[Exception], text: str
) -> None:
    makers: list[tuple[Any, str]] = [(make_pool, "segment_size")]
    if name in ("size", "acquire_timeout", "spin_us", "named", "prefault"):
        makers.append((make_ring, "capacity"))
    for make, size in makers:
        argument = size if name == "size" else name
        with pytest.raises(kind) as caught:
            make(**{argument: given})
        assert str(caught.value) == f"{argument}: expected {text}"


@pytest.mark.parametrize("make", [make_pool, make_ring])
def test_a_time_that_no_clock_can_count_is_for_ever(make: Any) -> None:
    for limit, seen in ((math.inf, None), (1e300, None), (None, None), (1.5, 1.5), (0, 0.0)):
        assert make(acquire_timeout=limit).acquire_timeout == seen


STRUCTURED = np.zeros(2000, [("O", "i4"), ("b", "O")])
REFERENCES: dict[str, Any] = {
    "objects": np.array([1, None] * 1000),
    "few objects": np.array([1, None]),
    "none": np.empty(0, object),
    "columns": np.array([1, None] * 1000).reshape(2, 1000).T,
    "every other": np.array([1, None] * 1000)[::2],
    "structured": STRUCTURED,
    "nested": np.zeros(3, [("a", [("b", "O", (2,))])]),
}
for name in [name for name in REFERENCES if name != "none"]:
    REFERENCES[f"a view of {name}"] = memoryview(REFERENCES[name])


@pytest.mark.parametrize("name", REFERENCES)
def test_references_to_objects_are_no_bytes_to_be_sent(name: str) -> None:
    given = REFERENCES[name]
    unit = WRITER.begin_unit()
    for write in (WRITER.write_binary, unit.write):
        with pytest.raises(TypeError, match="^data: expected .* without references, given"):
            write(given)
    unit.abort()
    with pytest.raises(TypeError, match="^data: expected .* without references, given"):
        memory(given)
    with pytest.raises(TypeError, match="^export: expected .* without references, given"):
        arena.array(given, "u1", 1)
    objects = [] if isinstance(given, np.ndarray) else [given]
    if memoryview(given).contiguous:
        objects.append(pickle.PickleBuffer(given))
    for obj in objects:
        with pytest.raises(TypeError, match="^obj: expected memory without references"):
            WRITER.put([obj])
    assert (WRITER.has_unit, WRITER.published) == (False, 0)


class Held:
    """A registered object, whose buffer its class attribute gives."""

    buffer: Any = None


def test_buffers_of_registered_types_are_no_references_either() -> None:
    arena.register(Held, lambda held: (None, [held.buffer]), lambda _, __: Held())
    for Held.buffer in REFERENCES.values():
        with pytest.raises(TypeError, match="^obj: expected memory without references"):
            WRITER.put(Held())


def test_a_field_may_have_any_name() -> None:
    array = np.zeros(3, [("O", "i4"), ("Other", "f8")])
    unit = WRITER.begin_unit()
    assert unit.write(memoryview(array)) == (0, array.nbytes)
    unit.abort()


def test_what_cannot_be_registered_is_named() -> None:
    register: Any = arena.register
    for arguments, text in (
        ((3, print, print), "type: expected a class, given 3 [(]int[)]"),
        ((Held, 3, print), "offload: expected a function, given 3 [(]int[)]"),
        ((Held, print, None), "restore: expected a function, given None [(]NoneType[)]"),
    ):
        with pytest.raises(TypeError, match=f"^{text}$"):
            register(*arguments)

    class Handler:
        kind = "odd"
        matches = get_buffer = print

    for handler, text in (
        (3, "handler: expected an object with a str as kind, given 3 [(]int[)]"),
        (Handler(), "handler.from_buffer: expected a function, given None [(]NoneType[)]"),
    ):
        with pytest.raises(TypeError, match=f"^{text}$"):
            arena.register_handler(handler)  # type: ignore[arg-type]


def test_attaching_leaves_the_descriptor_to_the_caller() -> None:
    pool = make_pool()
    read, write = os.pipe()
    for fd, cls, kind in (
        (pool.descriptor(), arena.SharedMemorySegmentPool, None),
        (pool.descriptor(), arena.SharedMemoryRingBuffer, arena.EndpointError),
        (read, arena.Arena, arena.EndpointError),
        (write, arena.Arena, arena.EndpointError),
    ):
        if kind is None:
            assert cls._attach(fd).id == pool.id
        else:
            with pytest.raises(kind):
                cls._attach(fd)
        # It would fail for one that was closed.
        os.close(fd)
    for fd, wrong in ((-1, ValueError), (read, OSError)):
        with pytest.raises(wrong):
            arena.Arena._attach(fd)
