"""Ends of streams: what is held back comes with `flush`, under the rules of every call."""

from typing import Any

import numpy as np
import passband
import pytest
from surface import FLUSHED, OBJECTS, Case, each, pattern, same
from test_out import WRONG

HOLDING = [case for case in OBJECTS if case.shape in FLUSHED]


def fed(case: Case) -> Any:
    """An object that holds something back."""
    made = case.make()
    for seed in range(1, 200):
        case.call(made, case.x(7, seed))
        if made.max_flush() > 0:
            return made
    return pytest.fail("it never holds anything back")


@each(HOLDING)
def test_flush_ends_the_stream(case: Case) -> None:
    made = fed(case)
    held = made.max_flush()
    result = made.flush()
    assert result.shape == (held,)
    assert result.dtype == case.dtype()
    assert result.base is None
    assert result.flags.owndata
    assert made.get_state() == case.make().get_state()
    assert made.max_flush() == 0
    assert made.flush().shape == (0,)
    same(case.call(made, case.x(300)), case.call(case.make(), case.x(300)))


@each(HOLDING)
def test_what_comes_in_all_does_not_depend_on_the_cuts(case: Case) -> None:
    x, one, other = case.x(500), case.make(), case.make()
    whole = np.concatenate([case.call(one, x), one.flush()])
    pieces = [case.call(other, piece) for piece in np.split(x, [0, 1, 64, 65, 65, 300])]
    same(np.concatenate([*pieces, other.flush()]), whole)


@pytest.mark.parametrize("fault", [fault for fault in WRONG if fault != "no dimensions"])
@each(HOLDING)
def test_a_wrong_out_is_refused_and_nothing_changes(case: Case, fault: str) -> None:
    error, build, word = WRONG[fault]
    made = fed(case)
    before, held = made.get_state(), made.max_flush()
    # Two elements at least, since one is always in order.
    out = build(case, held if fault in ("too short", "empty") else max(held, 2))
    with pytest.raises(error, match=f"^out: expected .*{word}.*, given "):
        made.flush(out)
    assert made.get_state() == before
    assert made.max_flush() == held


@each(HOLDING)
def test_flush_into_an_array_of_the_callers(case: Case) -> None:
    expected = fed(case).flush()
    out = case.out(len(expected))
    assert fed(case).flush(out) is out
    same(out, expected)
    longer = pattern(len(expected) + 3, case.dtype())
    result = fed(case).flush(out=longer)
    assert np.shares_memory(result, longer)
    same(result, expected)
    assert longer[len(expected) :].tobytes() == case.out(3).tobytes()


@each([case for case in HOLDING if case.name == "FftFir"])
def test_fast_convolution_is_that_of_the_direct_form(case: Case) -> None:
    taps = np.array(case.make().taps)
    rng = np.random.default_rng(2)
    for k in (1, 2, 16, 17, 200):
        long = (rng.standard_normal(k) * (taps.flat[-1] if taps.dtype.kind == "c" else 1)) + taps[
            0
        ] * 0
        fast = passband.FftFir(long.astype(taps.dtype), dtype=case.input)
        direct = passband.Fir(long.astype(taps.dtype), dtype=case.input)
        for n in (0, 1, 50, 3000):
            x = case.x(n)
            result = np.concatenate([fast.execute(x), fast.flush()])
            expected = direct.steps(x)
            direct.reset()
            assert result.dtype == expected.dtype
            double = np.dtype(case.input).itemsize == (16 if x.dtype.kind == "c" else 8)
            scale = np.sqrt(k) * np.abs(long).max()
            np.testing.assert_allclose(result, expected, 0, scale * (1e-14 if double else 4e-6))
