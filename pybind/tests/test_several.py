"""Several inputs and two outputs: what there is to say about all at once."""

from typing import Any

import numpy as np
import pytest
from surface import EVERY, Case, each, pattern, same, state

N = 60
SEVERAL = [case for case in EVERY if case.takes_several and case.part == 0]
MAPS = [case for case in SEVERAL if not case.shape.startswith("value")]
FILTERS = [case for case in SEVERAL if not case.is_function]
BOTH = [case for case in EVERY if case.shape == "TwoOutput" and case.part == 0]


def pair(case: Case, n: int = N) -> tuple[Any, Any]:
    return case.x(n), case.x(n, 2)


def of_all(case: Case, made: Any) -> Any:
    """What takes the inputs: a method, or the function itself."""
    return made if case.is_function else made.steps


def but_one(case: Case, x: Any, part: int, one: Any) -> list[Any]:
    """Inputs `x`, the one at `part` being `one`."""
    return [one if i == part else x for i in range(len(case.names))]


@each(SEVERAL)
def test_inputs_of_unequal_lengths_are_refused(case: Case) -> None:
    made = case.make()
    before = state(made)
    first, *others = case.names
    for part, name in enumerate(others, 1):
        for n, m in ((N, N - 1), (1, N), (0, 1), (N, 0)):
            text = f"^{name}: expected as many samples as {first}, {n}, given {m}$"
            with pytest.raises(ValueError, match=text):
                of_all(case, made)(*but_one(case, case.x(n), part, case.x(m)))
    assert state(made) == before


@each([case for case in SEVERAL if case.is_function])
def test_other_arrays_have_the_type_of_the_first(case: Case) -> None:
    x, (first, *others) = case.x(N), case.names
    for part, name in enumerate(others, 1):
        for one in case.types - {case.input}:
            with pytest.raises(TypeError, match=f"^{name}: expected dtype=.*, the type of {first}"):
                case.make()(*but_one(case, x, part, np.zeros(N, one)))
        numbers = but_one(case, x, part, x.tolist())
        assert np.array_equal(case.make()(*numbers), case.make()(*[x for _ in case.names]))


@each(FILTERS)
def test_a_stream_of_pairs_may_be_cut_anywhere(case: Case) -> None:
    x, d = pair(case)
    whole, made = case.make().steps(x, d), case.make()
    pieces = [made.steps(x[a:b], d[a:b]) for a, b in ((0, 0), (0, 1), (1, 8), (8, 8), (8, N))]
    same(np.concatenate(pieces), whole)
    again = case.make()
    same(np.array([again.step(*both) for both in zip(x, d, strict=True)]), whole)
    again.reset()
    stepped = [again.step(*both) for both in zip(x.tolist(), d.tolist(), strict=True)]
    same(np.array(stepped), whole)
    assert all(type(one) is whole.dtype.type for one in stepped)


@each(FILTERS)
def test_a_step_names_the_input_that_it_refuses(case: Case) -> None:
    made = case.make()
    for name, arguments in (("x", ([1, 2], 1)), ("d", (1, [1, 2]))):
        with pytest.raises(ValueError, match=rf"^{name}: expected 1 number\(s\) for one step"):
            made.step(*arguments)
    for name, wrong in (("x", (None, 1)), ("d", (1, None))):
        with pytest.raises(TypeError, match=f"^{name}: expected samples of"):
            made.step(*wrong)


@each(MAPS)
def test_all_inputs_may_be_the_same_array(case: Case) -> None:
    x = case.x(N)
    alike, copies = [x for _ in case.names], [x.copy() for _ in case.names]
    same(of_all(case, case.make())(*alike), of_all(case, case.make())(*copies))
    for out in (x, x[::-1][::-1]):
        with pytest.raises(ValueError, match=f"^out: expected .*one that overlaps {case.names[0]}"):
            of_all(case, case.make())(*alike, out=out)


@each(SEVERAL)
def test_an_input_that_changes_while_another_is_converted_is_refused(case: Case) -> None:
    class Changing:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            x.resize(1 << 20, refcheck=False)
            return case.x(N)

    x, made = case.x(N), case.make()
    before = state(made)
    first, *others = case.names
    with pytest.raises(ValueError, match=f"^{first}: expected an array that stays as it is"):
        of_all(case, made)(x, *[Changing() for _ in others])
    assert state(made) == before


@each(BOTH)
def test_the_result_is_a_tuple_of_two_arrays(case: Case) -> None:
    x = case.x(N)
    result = case.make().steps(x)
    assert type(result) is tuple
    one, other = result
    assert (one.dtype, other.dtype) == (case.dtype(0), case.dtype(1))
    assert all(array.base is None and array.flags.owndata for array in result)
    stepped = [case.make().step(x[0])]
    assert [type(value) for value in stepped[0]] == [one.dtype.type, other.dtype.type]
    outs = pattern(N, case.dtype(0)), pattern(N + 3, case.dtype(1))
    placed = case.make().steps(x, out=outs)
    assert placed[0] is outs[0]
    assert np.shares_memory(placed[1], outs[1])
    same(placed[0], one)
    same(placed[1], other)


@each(BOTH)
def test_steps_are_the_outputs_of_a_block(case: Case) -> None:
    x = case.x(N)
    one, other = case.make().steps(x)
    made = case.make()
    stepped = [made.step(sample) for sample in x]
    same(np.array([pair[0] for pair in stepped]), one)
    same(np.array([pair[1] for pair in stepped]), other)


@each(BOTH)
def test_out_is_a_tuple_of_two(case: Case) -> None:
    made = case.make()
    before = made.get_state()
    one, other = pattern(N, case.dtype(0)), pattern(N, case.dtype(1))
    for out in (one, [one, other], (one,), (one, other, one), (), "ab", 1):
        with pytest.raises(TypeError, match="^out: expected a tuple of 2 arrays, given "):
            made.steps(case.x(N), out=out)
    for out in ((one, None), (None, other), (one, one), (other, other)):
        with pytest.raises(TypeError, match=r"^out\[[01]\]: expected .*, given "):
            made.steps(case.x(N), out=out)
    assert made.get_state() == before


@each(BOTH)
def test_outs_that_overlap_are_refused_and_nothing_changes(case: Case) -> None:
    made = case.make()
    before = made.get_state()
    sizes = [N * case.dtype(part).itemsize for part in (0, 1)]
    memory = np.zeros(sum(sizes) + 64, "u1")
    x = memory[: N * np.dtype(case.input).itemsize].view(case.input)
    x[:] = case.x(N)
    kept = memory.copy()

    def at(part: int, start: int) -> Any:
        return memory[start : start + sizes[part]].view(case.dtype(part))

    with pytest.raises(ValueError, match="^out: expected arrays apart from each other, given two"):
        made.steps(case.x(N), out=(at(0, 0), at(1, sizes[0] - 16)))
    with pytest.raises(ValueError, match="^out: expected .*one that overlaps x"):
        made.steps(x, out=(at(0, 16), pattern(N, case.dtype(1))))
    with pytest.raises(ValueError, match="^out: expected .*one that overlaps x"):
        made.steps(x, out=(pattern(N, case.dtype(0)), at(1, 16)))
    assert made.get_state() == before
    assert (memory == kept).all()
    apart = at(0, 0), at(1, sizes[0])
    expected = case.make().steps(case.x(N))
    same(made.steps(case.x(N), out=apart)[1], expected[1])
