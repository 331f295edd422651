"""Streams: the same bits however they are cut, and what goes on with them."""

from typing import Any

import numpy as np
import passband
import pytest
from surface import OBJECTS, STATEFUL, Case, each, same

N = 300


def cuts(n: int, seed: int) -> list[int]:
    """Lengths that add up to `n`, even ones, with zeros and ones among the others."""
    rng = np.random.default_rng(seed)
    lengths: list[int] = []
    while sum(lengths) < n:
        step = int(rng.choice([0, 2, 4, 16, 62, 130]))
        lengths.append(min(step, n - sum(lengths)))
    return lengths


def pieces(case: Case, made: Any, x: Any, lengths: list[int]) -> list[Any]:
    if case.takes_count:
        return [case.call(made, length) for length in lengths]
    return [case.call(made, piece) for piece in np.split(x, np.cumsum(lengths)[:-1])]


@pytest.mark.parametrize("seed", [1, 2])
@each(OBJECTS)
def test_a_stream_may_be_cut_anywhere(case: Case, seed: int) -> None:
    x = case.x(N)
    whole = case.call(case.make(), x)
    same(np.concatenate(pieces(case, case.make(), x, cuts(N, seed))), whole)
    if not case.in_pairs:
        same(np.concatenate(pieces(case, case.make(), x, [1] * N)), whole)


BLOCKWISE = [c for c in OBJECTS if isinstance(c.make(), passband.shape.Blockwise)]


@each(BLOCKWISE)
def test_step_equals_steps_of_one(case: Case) -> None:
    x = case.x(40)
    whole = case.call(case.make(), x)
    made = case.make()
    inputs = x.reshape(-1, 2) if case.in_pairs else x
    stepped = [made.step(one) for one in inputs]
    if case.gives_pairs:
        assert all((one.dtype, one.shape) == (whole.dtype, (2,)) for one in stepped)
    else:
        assert all(type(one) is whole.dtype.type for one in stepped)
    same(np.array(stepped).reshape(-1), whole)
    again = case.make()
    same(np.array([again.step(one) for one in inputs.tolist()]).reshape(-1), whole)


@each(BLOCKWISE)
def test_step_refuses_what_is_not_one_sample(case: Case) -> None:
    made = case.make()
    before = made.get_state()
    with pytest.raises(ValueError, match=r"^x: expected . number\(s\) for one step, given"):
        made.step(case.x(4))
    for x in (None, "1", np.zeros(1, "float16")):
        with pytest.raises(TypeError, match="^x: expected"):
            made.step(x)
    if np.dtype(case.input).kind != "c":
        with pytest.raises(TypeError, match="^x: expected dtype="):
            made.step(1j)
        with pytest.raises(TypeError, match="^x: expected dtype="):
            made.step(np.complex64(1j))
    assert made.get_state() == before


@each(STATEFUL)
def test_reset_equals_a_new_object(case: Case) -> None:
    made = case.make()
    case.call(made, case.x(32, 2))
    made.reset()
    assert made.get_state() == case.make().get_state()
    same(case.call(made, case.x(N)), case.call(case.make(), case.x(N)))


def test_retuning_leaves_the_phase() -> None:
    for made, feed in (
        (passband.LocalOscillator(0.1), lambda k, n: k.steps(n)),
        (passband.Mixer(0.1), lambda k, n: k.steps(np.ones(n, np.complex64))),
        (passband.Duc(0.1, [1.0], 1), lambda k, n: k.execute(np.ones(n, np.complex64))),
        (passband.Ddc(0.1, [1.0], 1), lambda k, n: k.execute(np.ones(n, np.complex64)).conj()),
    ):
        feed(made, 7)
        made.freq = -0.3
        phase = 0.7 - 0.3 * np.arange(5)
        np.testing.assert_allclose(feed(made, 5), np.exp(2j * np.pi * phase), atol=1e-6)
        assert made.freq == pytest.approx(-0.3)
        for freq in (np.nan, np.inf, -np.inf):
            with pytest.raises(ValueError, match="^freq: expected a finite number, given"):
                made.freq = freq
        with pytest.raises(TypeError, match="^freq: expected a real number, given 'a'"):
            made.freq = "a"
        assert made.freq == pytest.approx(-0.3)


def test_frequencies_are_in_the_unit_of_fs() -> None:
    slow, fast = passband.LocalOscillator(0.05), passband.LocalOscillator(100e3, fs=2e6)
    same(slow.steps(100), fast.steps(100))
    assert fast.freq == pytest.approx(100e3)


@each([case for case in OBJECTS if hasattr(case.cls, "clip_count")])
def test_clips_are_counted_until_reset(case: Case) -> None:
    codes = case.make()
    scale = codes.steps(np.full(4, 1e9, case.input)).real.max() if case.name == "Adc" else 1.0
    codes.reset()
    # Far enough from the ends for dither, which is at most a code.
    x = np.array([0, 0.9, -0.9, 2, np.nan, np.inf], np.float64) * scale
    state = codes.get_state()
    codes.steps(x.astype(case.input))
    assert codes.clip_count == 3
    codes.steps(x.astype(case.input))
    assert codes.clip_count == 6
    codes.set_state(state)
    assert codes.clip_count == 0
    codes.steps(x.astype(case.input))
    codes.reset()
    assert codes.clip_count == 0


def test_taps_are_a_fresh_copy() -> None:
    given = np.float32([1, 2, 3])
    for made in (passband.Fir(given), passband.FirDecimator(given, 2), passband.FftFir(given)):
        given[0] = 7
        assert made.taps.tolist() == [1, 2, 3]
        made.taps[0] = 9
        assert made.taps.tolist() == [1, 2, 3]
        assert made.taps is not made.taps
        assert made.taps.flags.owndata
        given[0] = 1


def test_a_chain_of_the_most_stages_stops_only_when_it_has_to() -> None:
    stages = [passband.Fir([1.0]) for _ in range(64)]
    chain = passband.Chain(stages)
    x = np.arange(10 * 4096.0)
    same(chain.execute(x), x)
    same(chain.execute(x[:4096]), x[:4096])
    out = np.empty(100)
    assert chain.execute_into(x, out) == (100, 100)
    assert chain.execute_into(x[100:], out) == (100, 100)
    same(out, x[100:200])
