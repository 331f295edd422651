"""Inputs: read in place, copied once, converted, or refused."""

from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest
from surface import CASES, VALUES, Case, each, make_with_state, pattern, same, state

TAKING = [case for case in CASES if not case.takes_count] + VALUES
COUNTING = [case for case in CASES if case.takes_count]
N = 60


def misaligned(x: Any) -> Any:
    memory = pattern(x.nbytes + 1, np.dtype("u1"))
    view = memory[1:].view(x.dtype)
    view[:] = x
    return view


def strided(x: Any) -> Any:
    memory = np.zeros(3 * len(x), x.dtype)
    memory[::3] = x
    return memory[::3]


def read_only(x: Any) -> Any:
    x.flags.writeable = False
    return x


SAME = {
    "strided": strided,
    "reversed": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "repeated": lambda x: np.broadcast_to(x[:1], (N,)),
    "misaligned": misaligned,
    "another byte order": lambda x: x.astype(x.dtype.newbyteorder()),
    "read-only": read_only,
    "offset by one": lambda x: np.concatenate([x[:1], x])[1:],
    "a column": lambda x: np.stack([x, x], axis=1)[:, 0],
}


@pytest.mark.parametrize("way", SAME)
@each(TAKING)
def test_an_array_is_what_it_says_however_it_lies(case: Case, way: str) -> None:
    x = SAME[way](case.x(N))
    plain = np.ascontiguousarray(x).astype(case.input)
    before = plain.copy()
    same(case.call(case.make(), x), case.call(case.make(), plain))
    same(np.ascontiguousarray(x).astype(case.input), before)


@each(TAKING)
def test_a_memmap_and_other_subclasses_are_arrays(case: Case, tmp_path: Path) -> None:
    class Sub(np.ndarray[Any, Any]):
        pass

    x = case.x(N)
    mapped = np.memmap(tmp_path / "x", x.dtype, "w+", shape=x.shape)
    mapped[:] = x
    expected = case.call(case.make(), x)
    same(case.call(case.make(), mapped), expected)
    same(case.call(case.make(), x.view(Sub)), expected)
    assert type(case.call(case.make(), x.view(Sub))) is np.ndarray


@each(TAKING)
def test_lists_and_tuples_are_converted(case: Case) -> None:
    x = case.x(N).astype(case.of_list)
    expected = case.call(case.make(), x)
    same(case.call(case.make(), x.tolist()), expected)
    same(case.call(case.make(), tuple(x.tolist())), expected)
    same(case.call(case.make(), list(x)), expected)


@each([case for case in TAKING if not case.in_pairs])
def test_numbers_are_converted(case: Case) -> None:
    number = 1 if np.dtype(case.input).kind in "iu" else 0.5
    expected = case.call(case.make(), [number])
    same(case.call(case.make(), number), expected)
    scalar = np.dtype(case.of_list).type(number)
    same(case.call(case.make(), scalar), case.call(case.make(), [scalar]))


@each(CASES)
def test_nothing_gives_nothing(case: Case) -> None:
    made = make_with_state(case)
    case.call(made, case.x(8, 2))
    before = state(made)
    result = case.call(made, case.x(0))
    assert result.shape == (0,)
    assert result.dtype == case.dtype()
    assert state(made) == before
    if not case.takes_count:
        same(case.call(made, []), result if not case.is_function else case.call(made, []))
        assert state(made) == before


@each(CASES)
def test_nothing_into_nothing(case: Case) -> None:
    out = case.out(0)
    assert case.call(case.make(), case.x(0), out=out) is out


def test_dtype_hints_name_the_argument() -> None:
    with pytest.raises(TypeError, match="dtype=float64, given dtype=float32.*dtype="):
        passband.Fir([1.0]).steps(np.float32([1]))


OTHER_TYPES = ["float16", "float32", "float64", "complex64", "complex128", "int8", "uint8"]
OTHER_TYPES += ["int16", "int64", "bool", "longdouble", "datetime64[s]", "S4", "U4", "O"]


@pytest.mark.parametrize("dtype", OTHER_TYPES)
@each(TAKING)
def test_another_type_is_refused_and_never_cast(case: Case, dtype: str) -> None:
    if np.dtype(dtype) in {np.dtype(name) for name in case.types}:
        case.call(case.make(), np.zeros(2, dtype))
        return
    made = make_with_state(case)
    before = state(made)
    x = np.zeros(N, dtype)
    word = "samples of|" if np.dtype(dtype).kind in "MSUO" else ""
    with pytest.raises(TypeError, match=f"^{case.argument}: expected ({word}dtype=).*, given "):
        case.call(made, x)
    assert state(made) == before


@pytest.mark.parametrize(
    "x",
    [None, "text", b"bytes", {}, set(), object(), [None], ["a"], [1, None], [[1, 2], [3]], ...],
    ids=repr,
)
@each(TAKING)
def test_what_is_no_samples_is_refused(case: Case, x: object) -> None:
    made = make_with_state(case)
    before = state(made)
    with pytest.raises(TypeError, match=f"^{case.argument}: expected samples of .*, given "):
        case.call(made, x)
    assert state(made) == before


@each(TAKING)
def test_two_dimensions_are_refused(case: Case) -> None:
    made = make_with_state(case)
    before = state(made)
    two = np.zeros((4, 4), case.input)
    for x in (two, two.T, two[:, :1], two[:0], two.tolist()):
        with pytest.raises(ValueError, match=f"^{case.argument}: expected 1 dimension, given 2"):
            case.call(made, x)
    assert state(made) == before


@each(TAKING)
def test_a_masked_array_is_refused(case: Case) -> None:
    made = make_with_state(case)
    before = state(made)
    with pytest.raises(TypeError, match=f"^{case.argument}: expected an array without a mask"):
        case.call(made, np.ma.array(case.x(N), mask=True))
    assert state(made) == before


@each(TAKING)
def test_an_object_that_gives_a_masked_array_is_refused(case: Case) -> None:
    class Giving:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.ma.array(case.x(N), mask=True)

    with pytest.raises(TypeError, match=f"^{case.argument}: expected an array without a mask"):
        case.call(case.make(), Giving())


@each([case for case in TAKING if np.dtype(case.input).kind != "c" and not case.is_function])
def test_complex_numbers_are_not_real(case: Case) -> None:
    for x in ([1j] * 4, (1 + 0j, 1), np.zeros(4, "complex64")):
        with pytest.raises(
            TypeError, match=rf"^{case.argument}: expected dtype=.*, given dtype=complex"
        ):
            case.call(case.make(), x)


@each([case for case in TAKING if np.dtype(case.input).kind in "iu"])
def test_codes_are_whole_numbers_in_range(case: Case) -> None:
    limits = np.iinfo(case.of_list)
    with pytest.raises(
        TypeError, match=rf"^{case.argument}: expected dtype=.*, given dtype=float64"
    ):
        case.call(case.make(), [0.5, 0.5])
    for code in (limits.min - 1, limits.max + 1):
        text = f"^{case.argument}: expected codes from {limits.min} to {limits.max}, given"
        with pytest.raises(ValueError, match=text):
            case.call(case.make(), [code, code])


@each([case for case in TAKING if case.in_pairs])
def test_codes_of_i_and_q_come_in_pairs(case: Case) -> None:
    made = make_with_state(case)
    before = state(made)
    with pytest.raises(ValueError, match="^x: expected an even number of codes.*given 3"):
        case.call(made, case.x(3))
    assert state(made) == before


@each([case for case in TAKING if not case.takes_several])
def test_an_object_that_gives_an_array_is_asked_once(case: Case) -> None:
    class Giving:
        asked = 0

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            self.asked += 1
            return case.x(N)

    x = Giving()
    same(case.call(case.make(), x), case.call(case.make(), case.x(N)))
    assert x.asked == 1


def test_an_object_that_calls_back_finds_the_kernel_free() -> None:
    fir = passband.Fir([1.0, 1.0])

    class Calling:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            fir.steps([1.0])
            return np.array([1.0])

    assert fir.steps(Calling()).tolist() == [2.0]


@each(COUNTING)
def test_counts_are_whole_numbers_of_any_kind(case: Case) -> None:
    same(case.call(case.make(), np.int64(5)), case.call(case.make(), 5))
    same(case.call(case.make(), np.uint8(5)), case.call(case.make(), 5))
    for count in (5.0, "5", None, [5], np.float64(5)):
        with pytest.raises(TypeError, match="^(count|n): expected an integer, given"):
            case.call(case.make(), count)


@each(COUNTING)
def test_impossible_counts_are_refused(case: Case) -> None:
    made = make_with_state(case)
    before = state(made)
    for count in (-1, -(2**62), -(2**100)):
        with pytest.raises(ValueError, match="^(count|n): expected a count of at least 0, given -"):
            case.call(made, count)
    for count in (2**62, 2**63 - 1):
        # Bytes would fit the address space, if not the machine.
        fits = count * np.dtype(case.output).itemsize < 2**63
        text = None if fits else f"^(count|n): expected at most .*, given {count}"
        with pytest.raises(MemoryError if fits else OverflowError, match=text):
            case.call(made, count)
    for count in (2**63, 2**64, 2**100):
        with pytest.raises(OverflowError, match=f"^(count|n): expected at most .*, given {count}"):
            case.call(made, count)
    with pytest.raises(MemoryError):
        case.call(made, 2**55)
    assert state(made) == before


@each([case for case in CASES if hasattr(case.cls, "max_out")])
def test_max_out_is_the_length_and_refuses_impossible_counts(case: Case) -> None:
    made = case.make()
    for n in (0, 2, 10, 0, 24):
        expected = made.max_out(n)
        got = len(case.call(made, case.x(n)))
        assert got == expected or (got < expected and case.counts_vary)
    with pytest.raises(ValueError, match="^n: expected a count of at least 0, given -1"):
        made.max_out(-1)
    with pytest.raises(OverflowError, match="^n: expected at most"):
        made.max_out(2**63)
    with pytest.raises(TypeError, match="^n: expected an integer"):
        made.max_out(1.5)
    try:
        assert 0 <= made.max_out(2**63 - 1) < 2**63
    except OverflowError as error:
        assert str(error) == f"n: expected inputs of at most {2**63 - 1} outputs, given {2**63 - 1}"
