"""Two-dimensional arrays: frames and channels, under the rules of every other call."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest
from surface import GRIDS, Case, each, pattern, same

N = 60


def call(case: Case, x: Any, out: Any = None) -> Any:
    """The result of a new object."""
    return case.call(case.make(), x, out=out)


def along(case: Case, x: Any, part: slice) -> Any:
    """A part of an array along the axis of time, or of its frames."""
    return x[:, part] if case.axis else x[part]


def expected_row(case: Case, n: int) -> str:
    """What errors say that the other axis has to have."""
    if case.shape == "Batch":
        return f"frames: expected frames of {n} samples"
    return f"x: expected {n} channels along axis {0 if case.axis else 1}"


@each(GRIDS)
def test_the_result_has_the_layout_of_the_input(case: Case) -> None:
    for n in (N, 1, 0):
        result = call(case, case.x(n))
        assert result.shape == case.shaped(n)
        assert result.dtype == case.dtype()
        assert type(result) is np.ndarray
        assert result.base is None
        assert result.flags.owndata
        assert result.flags.c_contiguous
        assert result.flags.writeable


@each([case for case in GRIDS if case.shape == "MultiChannel"])
def test_a_channel_is_an_object_of_its_own(case: Case) -> None:
    x, made = case.x(N), case.make()
    result = np.concatenate(
        [case.call(made, along(case, x, part)) for part in (slice(0, 7), slice(7, 7), slice(7, N))],
        axis=case.axis,
    )
    alone = case.arguments.replace(f", channels={case.row}", "")
    for channel in range(case.row):
        one = eval(f"cls({alone})", {"cls": case.cls})
        pick = (lambda a, c=channel: a[c]) if case.axis else (lambda a, c=channel: a[:, c])
        same(pick(result), one.steps(np.ascontiguousarray(pick(x))))


@each([case for case in GRIDS if case.shape == "MultiChannel"])
def test_both_layouts_are_the_same_and_may_change_in_a_stream(case: Case) -> None:
    x, made, other = case.x(N), case.make(), case.make()
    planar = x if case.axis else np.ascontiguousarray(x.T)
    whole = other.steps(planar)
    first = made.steps(planar[:, :7])
    second = made.steps(np.ascontiguousarray(planar[:, 7:].T), axis=0)
    same(np.concatenate([first, second.T], axis=1), whole)
    assert made.get_state() == other.get_state()
    again = case.make()
    same(again.steps(planar, axis=1), whole)
    same(case.make().steps(np.ascontiguousarray(planar.T), axis=-2), whole.T)


@each([case for case in GRIDS if case.shape == "MultiChannel"])
def test_other_axes_and_steps_of_channels_are_refused(case: Case) -> None:
    made = case.make()
    for axis in (2, -3, 2**70):
        with pytest.raises(ValueError, match=f"^axis: expected -2 to 1.*, given {axis}"):
            made.steps(case.x(N), axis=axis)
    for axis in (0.0, None, "0"):
        with pytest.raises(TypeError, match="^axis: expected an integer, given"):
            made.steps(case.x(N), axis=axis)
    with pytest.raises(ValueError, match=f"^step: expected .*, given channels={case.row}"):
        made.step(1.0)
    state = made.get_state()
    base = passband.shape.Blockwise
    for method, x in ((base.steps, case.x(N)[0]), (base.step, case.x(1).flat[0])):
        name = method.__name__
        with pytest.raises(ValueError, match=f"^{name}: expected .*, given channels={case.row}"):
            method(made, x)
    assert made.get_state() == state
    with pytest.raises(TypeError, match="^stages: expected .*which takes channels"):
        passband.Chain([made])


@each([case for case in GRIDS if case.shape == "Batch"])
def test_each_frame_is_transformed_by_itself(case: Case) -> None:
    frames = case.x(N)
    whole, made = call(case, frames), case.make()
    same(np.concatenate([made.batch(frames[i : i + 1]) for i in range(N)]), whole)
    assert made.get_state() == case.make().get_state()


WAYS: dict[str, Callable[[Any], Any]] = {
    "Fortran order": np.asfortranarray,
    "reversed": lambda x: np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
    "every second": lambda x: np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2],
    "byte swapped": lambda x: x.astype(x.dtype.newbyteorder()),
    "read only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
    "misaligned": lambda x: np.frombuffer(b"0" + x.tobytes(), x.dtype, offset=1).reshape(x.shape),
    "repeated": lambda x: np.broadcast_to(x[:1, :1], x.shape),
    "a list": lambda x: x.tolist(),
    "rows in a tuple": tuple,
    "a subclass": lambda x: x.view(type("Sub", (np.ndarray,), {})),
}


@pytest.mark.parametrize("way", WAYS)
@each(GRIDS)
def test_an_array_is_what_it_says_however_it_lies(case: Case, way: str) -> None:
    x = WAYS[way](case.x(N))
    plain = np.array(x, case.input, order="C")
    same(call(case, x), call(case, plain))
    same(np.array(x, case.input, order="C"), plain)


@each(GRIDS)
def test_what_is_no_grid_is_refused(case: Case) -> None:
    made, x = case.make(), case.x(N)
    before = made.get_state()
    # No codes: of another type before they are of another shape.
    floats = [] if x.dtype.kind == "i" else [[], 1.0]
    for wrong in (x[0], x[None], x.ravel(), x[0, 0], x.ravel().tolist(), *floats):
        given = np.ndim(wrong)
        name = case.argument
        with pytest.raises(ValueError, match=f"^{name}: expected 2 dimensions, given {given}"):
            case.call(made, wrong)
    longer = np.concatenate([x, x], axis=0 if case.axis else 1)
    shorter = x[:-1] if case.axis else x[:, :-1]
    for wrong, n in ((longer, 2 * case.row), (shorter, case.row - 1)):
        with pytest.raises(ValueError, match=f"^{expected_row(case, case.row)}, given {n}$"):
            case.call(made, wrong)
    with pytest.raises(TypeError, match=f"^{case.argument}: expected dtype=.*given dtype=float16"):
        case.call(made, x.real.astype("f2"))
    with pytest.raises(TypeError, match=f"^{case.argument}: expected an array without a mask"):
        case.call(made, np.ma.array(x))
    for wrong in (None, "text", [[None]], {}):
        with pytest.raises(TypeError, match=f"^{case.argument}: expected samples of"):
            case.call(made, wrong)
    assert made.get_state() == before


def read_only(case: Case) -> Any:
    out = case.out(N)
    out.flags.writeable = False
    return out


WRONG: dict[str, tuple[type[Exception], Callable[[Case], Any], str]] = {
    "a list": (TypeError, lambda case: case.out(N).tolist(), "a numpy.ndarray"),
    "another type": (
        TypeError,
        lambda case: pattern(case.shaped(N), np.dtype("i8")),
        "an array with dtype=",
    ),
    "byte swapped": (
        TypeError,
        lambda case: pattern(case.shaped(N), case.dtype().newbyteorder()),
        "an array with dtype=",
    ),
    "Fortran order": (TypeError, lambda case: np.asfortranarray(case.out(N)), "a C-contiguous"),
    "strided": (TypeError, lambda case: np.repeat(case.out(N), 2, axis=1)[:, ::2], "a C-cont"),
    "read-only": (TypeError, read_only, "a writeable array"),
    "misaligned": (
        TypeError,
        lambda case: (
            pattern(case.out(N).nbytes + 1, np.dtype("u1"))[1:]
            .view(case.dtype())
            .reshape(case.shaped(N))
        ),
        "an array aligned to",
    ),
    "masked": (TypeError, lambda case: np.ma.array(case.out(N)), "an array without a mask"),
    "too short": (ValueError, lambda case: case.out(N - 1), "shape .*at least"),
    "empty": (ValueError, lambda case: case.out(0), "shape .*at least"),
    "another row": (
        ValueError,
        lambda case: np.concatenate([case.out(N)] * 2, axis=0 if case.axis else 1),
        "shape .*at least",
    ),
    "transposed": (ValueError, lambda case: np.ascontiguousarray(case.out(N).T), "shape"),
    "one dimension": (ValueError, lambda case: case.out(N).ravel(), "2 dimensions"),
    "three dimensions": (ValueError, lambda case: case.out(N)[None], "2 dimensions"),
}


# One row or column is in both orders.
FAULTS = [(c, f) for c in GRIDS for f in WRONG if (f, c.row) != ("Fortran order", 1)]


@pytest.mark.parametrize(("case", "fault"), FAULTS, ids=str)
def test_a_wrong_out_is_refused_and_nothing_changes(case: Case, fault: str) -> None:
    error, build, text = WRONG[fault]
    made, x, out = case.make(), case.x(N), build(case)
    before = made.get_state(), np.asarray(out).tobytes()
    with pytest.raises(error, match=f"^out: expected {text}.*, given "):
        case.call(made, x, out=out)
    assert before == (made.get_state(), np.asarray(out).tobytes())
    same(case.call(made, x), call(case, x))


@each(GRIDS)
def test_out_itself_or_a_view_of_its_start_comes_back(case: Case, tmp_path: Path) -> None:
    x = case.x(N)
    expected = call(case, x)
    out = case.out(N)
    assert call(case, x, out) is out
    same(out, expected)
    mapped = np.memmap(tmp_path / "out", case.dtype(), "w+", shape=case.shaped(N))
    assert call(case, x, mapped) is mapped
    longer = case.out(N + 5)
    result = call(case, x, longer)
    assert type(result) is np.ndarray
    assert np.shares_memory(result, longer)
    assert not result.flags.owndata
    same(result, expected)
    same(along(case, longer, slice(0, N)), expected)
    rest = along(case, longer, slice(N, None))
    assert rest.tobytes() == along(case, case.out(N + 5), slice(N, None)).tobytes()


@each(GRIDS)
def test_out_over_the_input_is_refused(case: Case) -> None:
    made = case.make()
    before = made.get_state()
    size = case.x(N).nbytes
    memory = np.zeros(2 * max(size, case.out(N).nbytes), "u1")
    x = memory[:size].view(case.input).reshape(case.shaped(N))
    x[:] = case.x(N)
    for start in (0, case.row * 16, size - 16):
        out = memory[start : start + case.out(N).nbytes].view(case.dtype()).reshape(case.shaped(N))
        with pytest.raises(ValueError, match=f"^out: expected .*one that overlaps {case.argument}"):
            case.call(made, x, out=out)
        same(x, case.x(N))
    assert made.get_state() == before
    apart = memory[size : size + case.out(N).nbytes].view(case.dtype()).reshape(case.shaped(N))
    same(case.call(made, x, out=apart), call(case, case.x(N)))
    # What was copied first cannot overlap.
    expected = call(case, np.ascontiguousarray(case.x(N)[::-1, ::-1]))
    if case.dtype() == x.dtype:
        same(call(case, x[::-1, ::-1], out=x), expected)
