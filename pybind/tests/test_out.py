"""`out=`: every row of its contract, for every class and function."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest
from surface import CASES, INTO, Case, burst, each, make_with_state, pattern, same, state

BURSTS = next(case for case in CASES if case.output == "burst")
# More than a block of those that compute in blocks, and a multiple of all factors.
N = 600


def needed(case: Case, n: int = N) -> int:
    """The length that a call allocates, records counting before they are trimmed."""
    made = case.make()
    if case.shape == "record function":
        return (n - 1) // 2
    return int(made.max_out(n)) if hasattr(made, "max_out") else len(case.call(made, case.x(n)))


def other_byte_order(case: Case, n: int) -> Any:
    return pattern(n, case.dtype().newbyteorder())


def strided(case: Case, n: int) -> Any:
    return case.out(2 * n)[::2]


def read_only(case: Case, n: int) -> Any:
    out = case.out(n)
    out.flags.writeable = False
    return out


def misaligned(case: Case, n: int) -> Any:
    size = case.dtype().itemsize
    return pattern((n + 1) * size, np.dtype("u1"))[1 : 1 + n * size].view(case.dtype())


def of_kind(kind: str) -> Callable[[Case, int], Any]:
    def make(case: Case, n: int) -> Any:
        size = case.dtype().itemsize
        return pattern(n, np.dtype(f"V{size}" if kind == "V" else f"{kind}{min(size, 8)}"))

    return make


def of_other_sign(case: Case, n: int) -> Any:
    return of_kind("i" if case.dtype().kind == "u" else "u")(case, n)


WRONG = {
    "a list": (TypeError, lambda case, n: [0] * n, "ndarray"),
    "bytes": (TypeError, lambda case, n: bytearray(n * case.dtype().itemsize), "ndarray"),
    "a number": (TypeError, lambda case, n: 1.0, "ndarray"),
    "another kind": (TypeError, of_kind("V"), "dtype="),
    "of another sign": (TypeError, of_other_sign, "dtype="),
    "another item size": (TypeError, lambda case, n: pattern(n, np.dtype("f2")), "dtype="),
    "another byte order": (TypeError, other_byte_order, "dtype="),
    "strided": (TypeError, strided, "contiguous"),
    "reversed": (TypeError, lambda case, n: case.out(n)[::-1], "contiguous"),
    "Fortran order": (
        TypeError,
        lambda case, n: pattern(2 * n, case.dtype()).reshape(n, 2).T,
        "contiguous",
    ),
    "read-only": (TypeError, read_only, "writeable"),
    "misaligned": (TypeError, misaligned, "aligned"),
    "masked": (TypeError, lambda case, n: np.ma.array(case.out(n)), "mask"),
    "too short": (ValueError, lambda case, n: case.out(n - 1), "at least"),
    "empty": (ValueError, lambda case, n: case.out(0), "at least"),
    "two dimensions": (ValueError, lambda case, n: case.out(n).reshape(1, n), "dimension"),
    "no dimensions": (ValueError, lambda case, n: case.out(1).reshape(()), "dimension"),
}


# A byte has one order, and is aligned anywhere.
OF_BYTES = {"another byte order", "misaligned"}
FAULTS = [
    (case, fault)
    for case in CASES
    for fault in WRONG
    if case.dtype().itemsize > 1 or fault not in OF_BYTES
]


@pytest.mark.parametrize(("case", "fault"), FAULTS, ids=str)
def test_a_wrong_out_is_refused_and_nothing_changes(case: Case, fault: str) -> None:
    error, build, word = WRONG[fault]
    made, reference = make_with_state(case), case.make()
    for each_of_both in (made, reference):
        # A multiple of every factor, so that as much comes of what follows.
        case.call(each_of_both, case.x(42, 2))
    out, x = build(case, needed(case)), case.x(N)
    before = state(made), bytes(memoryview(np.asarray(out))), np.copy(x)
    with pytest.raises(error, match=rf"^{case.out_name}: expected .*{word}.*, given "):
        case.call(made, x, out=out)
    after = state(made), bytes(memoryview(np.asarray(out))), np.copy(x)
    assert before[:2] == after[:2]
    same(before[2], after[2])
    same(case.call(made, case.x(N)), case.call(reference, case.x(N)))


# Any length will do.
OF_LENGTH = {"too short", "empty", "no dimensions"}


@pytest.mark.parametrize(
    ("case", "fault"),
    [(case, fault) for case, fault in FAULTS if case.shape in INTO and fault not in OF_LENGTH],
    ids=str,
)
def test_execute_into_refuses_a_wrong_out(case: Case, fault: str) -> None:
    error, build, word = WRONG[fault]
    made = make_with_state(case)
    out = build(case, N)
    before = state(made), bytes(memoryview(np.asarray(out)))
    with pytest.raises(error, match=rf"^out: expected .*{word}.*, given "):
        getattr(made, INTO[case.shape])(case.x(N), out)
    assert before == (state(made), bytes(memoryview(np.asarray(out))))


@each([case for case in CASES if not case.counts_vary])
def test_out_itself_comes_back_when_it_is_filled(case: Case) -> None:
    expected = case.call(case.make(), case.x(N))
    out = case.out(len(expected))
    assert case.call(case.make(), case.x(N), out=out) is out
    same(out, expected)


@pytest.mark.parametrize("longer", [0, 1])
def test_flush_takes_out_too(longer: int) -> None:
    bursts = passband.BurstDetector(1.0, 1.0, dtype="float32")
    bursts.detect(np.float32([0, 2]))
    before = bursts.get_state()
    for fault, (error, build, _) in WRONG.items():
        if fault not in ("too short", "empty"):
            with pytest.raises(error, match="^out: expected"):
                bursts.flush(build(BURSTS, 2))
    with pytest.raises(ValueError, match="^out: expected at least 1"):
        bursts.flush(pattern(0, burst))
    assert bursts.get_state() == before
    out = pattern(1 + longer, burst)
    result = bursts.flush(out)
    assert (result is out) == (longer == 0)
    assert result.tolist() == [(1, 2, 4.0, 4.0)]
    assert bursts.flush().shape == (0,)


def test_out_itself_comes_back_when_records_fill_their_bound() -> None:
    x = np.zeros(N, np.float32)
    x[::2] = 2
    bursts = passband.BurstDetector(1.0, 1.0, dtype="float32")
    out = pattern(bursts.max_out(N), burst)
    assert bursts.detect(x, out=out) is out
    assert out["start"].tolist() == list(range(0, N, 2))


@each(CASES)
def test_a_longer_out_gives_a_view_of_its_first_samples(case: Case) -> None:
    expected = case.call(case.make(), case.x(N))
    out = case.out(needed(case) + 5)
    result = case.call(case.make(), case.x(N), out=out)
    assert result is not out
    assert result.base is not None
    assert np.shares_memory(result, out)
    assert result.ctypes.data == out.ctypes.data
    same(result, expected)
    # A search works in all the room that it asks for.
    used = needed(case) if case.shape == "record function" else len(expected)
    assert out[used:].tobytes() == case.out(len(out) - used).tobytes()


@each(CASES)
def test_a_memmap_is_an_array(case: Case, tmp_path: Path) -> None:
    expected = case.call(case.make(), case.x(N))
    length = needed(case)
    out = np.memmap(tmp_path / "out", case.dtype(), "w+", shape=(length,))
    result = case.call(case.make(), case.x(N), out=out)
    assert (result if len(expected) == length else result.base) is out
    same(np.asarray(result), expected)


@each(CASES)
def test_a_subclass_runs_no_code(case: Case) -> None:
    class Running(np.ndarray[Any, Any]):
        armed = False

        def fail(self, *_: object) -> Any:
            if Running.armed:
                raise RuntimeError("this ran")

        __getitem__ = __array_finalize__ = __array__ = fail
        __class__ = property(fail)

    expected = case.call(case.make(), case.x(N))
    out = case.out(needed(case) + 5)
    subclass = out.view(Running)
    Running.armed = True
    result = case.call(case.make(), case.x(N), out=subclass)
    Running.armed = False
    assert type(result) is np.ndarray
    assert np.shares_memory(result, out)
    same(result, expected)
    same(out[: len(expected)], expected)


def test_an_input_that_changes_while_out_is_checked_is_refused() -> None:
    class Name(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            x.__setstate__((1, (1,), np.dtype("f4"), False, b"abcd"))
            return str.__eq__(self, other)

    names = [Name(name) for name in burst.names or ()]
    dtype = np.dtype({"names": names, "formats": ["i8", "i8", "f4", "f4"]})
    x, out = np.zeros(1 << 16, "f4"), np.zeros(1 << 16, dtype)
    bursts = passband.BurstDetector(1.0, 1.0, dtype="float32")
    before = bursts.get_state()
    with pytest.raises(ValueError, match="^x: expected an array that stays as it is"):
        bursts.detect(x, out=out)
    assert bursts.get_state() == before


@each(CASES)
def test_an_out_aligned_to_its_items_only_is_an_array(case: Case) -> None:
    expected = case.call(case.make(), case.x(N))
    length = needed(case)
    result = case.call(case.make(), case.x(N), out=case.out(length + 3)[3 : 3 + length])
    same(result, expected)


@each([case for case in CASES if not case.takes_count])
def test_out_over_the_input(case: Case) -> None:
    x = case.x(N)
    expected = case.call(case.make(), x)
    made = make_with_state(case)
    before = state(made)
    if case.runs_in_place:
        assert case.call(made, x, out=x) is x
        same(x, expected)
    elif case.dtype() == np.dtype(case.input) and len(expected) == N:
        with pytest.raises(
            ValueError, match=rf"^out: expected .*, given one that overlaps {case.argument}"
        ):
            case.call(made, x, out=x)
        same(x, case.x(N))
        assert state(made) == before
    else:
        # Types or lengths differ, so that no array can be both: the same bytes as both.
        size = max(N * np.dtype(case.input).itemsize, (needed(case)) * case.dtype().itemsize)
        memory = np.zeros(size + 64, "u1")
        memory = memory[-memory.ctypes.data % 16 :]
        memory[: x.nbytes] = x.view("u1")
        x = memory[: x.nbytes].view(case.input)
        out = memory[: needed(case) * case.dtype().itemsize].view(case.dtype())
        with pytest.raises(
            ValueError, match=rf"^out: expected .*, given one that overlaps {case.argument}"
        ):
            case.call(made, x, out=out)
        same(x, case.x(N))
        assert state(made) == before


@pytest.mark.parametrize("shift", [-1, 1])
@each([case for case in CASES if not case.takes_count])
def test_out_partly_over_the_input_is_refused(case: Case, shift: int) -> None:
    item = max(np.dtype(case.input).itemsize, case.dtype().itemsize)
    x = case.x(N)
    length = needed(case) * case.dtype().itemsize
    memory = np.zeros(x.nbytes + length + 4 * item + 64, "u1")
    memory = memory[-memory.ctypes.data % 16 :]
    start = 0 if shift > 0 else length - length % item
    end = x.nbytes - x.nbytes % item - item if shift > 0 else 2 * item - length % item
    x_bytes = memory[start : start + x.nbytes]
    x_bytes[:] = x.view("u1")
    align = np.dtype(case.dtype()).alignment if not case.gives_records else 8
    begin = (end if shift > 0 else start + end - length) // align * align
    out = memory[begin : begin + length].view(case.dtype())
    assert np.may_share_memory(x_bytes, out)
    made = make_with_state(case)
    before = state(made), memory.tobytes()
    with pytest.raises(
        ValueError, match=rf"^out: expected .*, given one that overlaps {case.argument}"
    ):
        case.call(made, x_bytes.view(case.input), out=out)
    assert before == (state(made), memory.tobytes())


@each([case for case in CASES if case.runs_in_place])
def test_in_place_takes_exactly_the_same_samples(case: Case) -> None:
    made, memory = case.make(), case.x(N + 5)
    before = state(made), memory.tobytes()
    for x, out in ((memory[:N], memory), (memory[5:], memory), (memory[1 : N + 1], memory[:N])):
        with pytest.raises(
            ValueError, match=rf"^out: expected .*, given one that overlaps {case.argument}"
        ):
            case.call(made, x, out=out)
        assert before == (state(made), memory.tobytes())


@each([case for case in CASES if not case.takes_count and not case.runs_in_place])
def test_an_input_that_was_copied_cannot_alias(case: Case) -> None:
    length = needed(case)
    x = case.x(N)
    expected = case.call(case.make(), x)
    memory = np.zeros(2 * x.nbytes + length * case.dtype().itemsize + 64, "u1")
    memory = memory[-memory.ctypes.data % 16 :]
    view = memory[: 2 * x.nbytes].view(case.input)[::2]
    view[:] = x
    out = memory[: length * case.dtype().itemsize].view(case.dtype())
    same(case.call(case.make(), view, out=out)[: len(expected)], expected)


@each([case for case in CASES if case.shape in INTO])
def test_into_takes_any_length_and_loses_nothing(case: Case) -> None:
    x = case.x(N)
    expected = case.call(case.make(), x)
    for room in (1, 2, 3, N):
        made, fed, got = case.make(), 0, []
        for _ in range(8 * N):
            out = case.out(room)
            progress = getattr(made, INTO[case.shape])(x[fed:], out)
            assert type(progress).__name__ == "Progress"
            assert progress == (progress.consumed, progress.produced)
            got.append(out[: progress.produced].copy())
            fed += progress.consumed
            if fed == N and progress.produced < room:
                break
        assert fed == N
        same(np.concatenate(got), expected)


@each([case for case in CASES if case.shape in INTO])
def test_into_without_room_takes_only_what_needs_none(case: Case) -> None:
    made = case.make()
    progress = getattr(made, INTO[case.shape])(case.x(N), case.out(0))
    assert progress.produced == 0
    left = case.call(made, case.x(N)[progress.consumed :])
    same(left, case.call(case.make(), case.x(N)))


@each(CASES)
def test_no_out_is_none(case: Case) -> None:
    same(case.call(case.make(), case.x(N), out=None), case.call(case.make(), case.x(N)))


@each(CASES)
def test_a_result_owns_exactly_its_bytes(case: Case) -> None:
    result = case.call(case.make(), case.x(N))
    assert result.base is None
    assert result.flags.owndata
    assert result.flags.c_contiguous
    assert result.flags.writeable
    assert result.flags.aligned
    assert type(result) is np.ndarray
    assert result.dtype == case.dtype()


@each(CASES)
def test_a_result_survives_the_object_and_later_calls(case: Case) -> None:
    made = case.make()
    first = case.call(made, case.x(N))
    copy = first.copy()
    case.call(made, case.x(N, 3))
    if hasattr(made, "reset"):
        made.reset()
    del made
    same(first, copy)
