"""Sinks, measurements and views of state: what has no `out`."""

import gc
import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import passband
import pytest
from surface import EVERY, VALUES, Case, each, same

N = 300
SINKS = [case for case in VALUES if case.shape == "Sink"]
METERS = [case for case in VALUES if case.shape == "Measure"]
SHOWN = [case for case in EVERY if case.shape == "Windowed"]


def parts(x: Any) -> list[Any]:
    return list(np.split(x, [0, 1, 4, 4, 90]))


@each(SINKS)
def test_a_sink_does_not_care_how_its_input_is_cut(case: Case) -> None:
    whole, pieces = case.make(), case.make()
    x = case.x(N)
    assert whole.push(x) is None
    for piece in parts(x):
        pieces.push(piece)
    assert type(whole.value()) is np.dtype(case.output).type
    assert pieces.value().tobytes() == whole.value().tobytes()
    assert pieces.get_state() == whole.get_state()


@each(SINKS)
def test_a_value_changes_nothing(case: Case) -> None:
    made = case.make()
    made.push(case.x(N))
    before = made.get_state()
    assert made.value() == made.value()
    assert made.get_state() == before
    made.push(case.x(0))
    assert made.get_state() == before


def value(case: Case, x: Any) -> Any:
    """What a sink has of `x`, in double precision."""
    if case.name == "PowerAverager":
        return np.mean(np.abs(x.astype("c16")) ** 2)
    return pytest.fail(f"no reference for {case.name}: `value` in test_values.py lacks it")


@each(SINKS)
def test_values_are_those_of_numpy(case: Case) -> None:
    made, x = case.make(), case.x(N)
    made.push(x)
    np.testing.assert_allclose(made.value(), value(case, x), rtol=1e-14)


@each([case for case in SINKS if case.name == "PowerAverager"])
def test_no_samples_have_no_power(case: Case) -> None:
    made = case.make()
    assert made.value() == 0
    made.push(case.x(N))
    made.reset()
    assert made.value() == 0
    made.push([1, np.nan])
    assert np.isnan(made.value())


@each(METERS)
def test_levels_are_those_of_numpy(case: Case) -> None:
    made = case.make()
    full = eval(f"dict({case.arguments})").get("full_scale", 1.0)
    limit = 32767 if case.input == "int16" else full
    for x in (case.x(N), case.x(1), case.x(0)):
        level = made.measure(x)
        assert type(level) is passband.Level
        assert level == (level.rms, level.peak, level.crest, level.clip_count)
        assert [type(value) for value in level] == [float, float, float, int]
        wide = x.astype("c16")
        rms = np.sqrt(np.mean(np.abs(wide) ** 2)) if len(x) else 0.0
        peak = np.abs(wide).max(initial=0)
        clipped = (np.abs(wide.real) >= limit) | (np.abs(wide.imag) >= limit)
        expected = rms, peak, peak / rms if rms else 0, clipped.sum()
        np.testing.assert_allclose(level, expected, rtol=1e-14)


@each(METERS)
def test_no_block_depends_on_another(case: Case) -> None:
    made = case.make()
    first = made.measure(case.x(N))
    made.measure(case.x(N, 2))
    assert made.measure(case.x(N)) == first
    assert np.ptp(made.measure(case.x(0))) == 0


@each([case for case in VALUES if case.module == "passband.fixed"])
def test_dot_products_are_exact(case: Case) -> None:
    bits = {"int8": 14, "int16": 30, "int32": 48}[case.input]
    low = np.iinfo(case.input).min
    ends = np.full(N, low, case.input)
    for x in (case.x(N), case.x(1), case.x(0), ends):
        one, other = (Fraction(1, -low) * part.astype(object) for part in case.inputs(x))
        exact = sum(math.floor(y * 2**bits + Fraction(1, 2)) for y in one * other)
        result = case.make()(*case.inputs(x))
        assert type(result) is int
        assert result == exact
    assert case.make()(ends, ends) == N << bits


DOTS = [case for case in VALUES if case.module == "passband.math" and case.takes_several]


def fractions(x: Any) -> Any:
    """Numbers that are multiplied and added without rounding."""
    return np.array([Fraction(number) for number in x.tolist()], object)


@each(DOTS)
def test_dot_products_are_those_of_fractions(case: Case) -> None:
    for n in (0, 1, 7, 8, 9, 15, 16, 17, N, 5000):
        a, b = case.inputs(case.x(n))
        result = case.make()(a, b)
        assert type(result) is np.dtype(case.output).type
        left = np.conj(a) if case.name == "vdot" else a
        (r, i), (s, j) = (map(fractions, (x.real, x.imag)) for x in (left, b))
        real, imag = r @ s - i @ j, r @ j + i @ s
        sizes = 1e-14 * float(np.abs(a.astype("c16")) @ np.abs(b.astype("c16")))
        rounding = float(np.finfo(case.input).eps) / 2
        for part, exact in ((result.real, real), (result.imag, imag)):
            assert abs(Fraction(float(part)) - exact) <= rounding * abs(exact) + sizes


@each(DOTS)
def test_dot_products_are_those_of_numpy(case: Case) -> None:
    a, b = case.inputs(case.x(N))
    expected = getattr(np, case.name)(a, b)
    np.testing.assert_allclose(case.make()(a, b), expected, rtol=1e-5)


@each(DOTS)
def test_dot_products_of_what_is_no_number_are_those_of_the_formula(case: Case) -> None:
    a, b = case.inputs(case.x(N))
    for bad in (np.nan, np.inf, -np.inf):
        a[7] = bad
        with np.errstate(invalid="ignore"):
            expected = np.sum((np.conj(a) if case.name == "vdot" else a) * b)
        result = case.make()(a, b)
        np.testing.assert_allclose([result.real, result.imag], [expected.real, expected.imag])


NUMBERS = [case for case in VALUES if case.module == "passband.math" and not case.takes_several]


@each(NUMBERS)
def test_numbers_of_all_samples_are_those_of_numpy(case: Case) -> None:
    words = eval(f"dict({case.arguments})")
    named = {
        "variance": np.var,
        "std_dev": np.std,
        "rms": lambda x: np.sqrt(np.mean(np.abs(x) ** 2)),
    }
    of = named.get(case.name) or getattr(np, case.name)
    for n in (1, 2, 15, 16, 17, N, 5000):
        x = case.x(n)
        with np.errstate(invalid="ignore", divide="ignore"):
            if n == 1 and words:
                assert np.isnan(case.make()(x))
                continue
            expected = of(x.astype("c16" if x.dtype.kind == "c" else "f8"), **words)
        result = case.make()(x)
        assert type(result) is (int if case.output == "int64" else np.dtype(case.output).type)
        rounding = 0 if case.needs_samples else float(np.finfo(x.dtype).eps)
        np.testing.assert_allclose(result, expected, rounding, rounding)


@each([case for case in NUMBERS if case.name in ("mean", "variance", "std_dev", "rms")])
def test_no_samples_have_no_average(case: Case) -> None:
    assert np.isnan(case.make()(case.x(0)))


@each([case for case in NUMBERS if case.needs_samples])
def test_extremes_of_nothing_are_refused_and_nan_is_the_first(case: Case) -> None:
    with pytest.raises(ValueError, match="^x: expected at least one sample, given 0$"):
        case.make()(case.x(0))
    x = case.x(N)
    x[[200, 250]] = np.nan
    result = case.make()(x)
    assert result == 200 if case.output == "int64" else np.isnan(result)


def test_an_offset_costs_a_variance_no_digits() -> None:
    x = np.tile(np.float32([10000, 10001, 10002, 10003]), 64)
    math = passband.math
    assert (math.variance(x), math.variance(x, 1)) == (1.25, np.float32(1.254901961))
    assert math.std_dev(x) == np.float32(1.118033989)
    assert math.std_dev(x, ddof=1) == np.float32(1.120224067)
    with pytest.raises(ValueError, match="^ddof: expected a count of at least 0, given -1"):
        math.variance(x, -1)


@each(SHOWN)
def test_a_window_shows_the_last_samples(case: Case) -> None:
    made = case.make()
    window = made.window_view()
    assert type(window) is np.ndarray
    assert window.base is made
    assert not window.flags.writeable
    assert not window.flags.owndata
    assert window.flags.aligned
    assert window.dtype == case.dtype()
    address = window.ctypes.data
    given = np.zeros(len(window), window.dtype)
    for n in (1, 0, 7, 300, 2):
        given = np.concatenate([given, case.x(n)])
        made.steps(case.x(n))
        same(window, given[len(given) - len(window) :])
        assert made.window_view().ctypes.data == window.ctypes.data == address
    state = made.get_state()
    shown = window.copy()
    made.reset()
    assert not window.any()
    made.set_state(state)
    same(window, shown)


@each(SHOWN)
def test_a_window_cannot_be_written(case: Case) -> None:
    window = case.make().window_view()
    with pytest.raises(ValueError, match="read-only"):
        window[:] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        window.flags.writeable = True
    with pytest.raises(TypeError, match="^out: expected a writeable array, given a read-only one"):
        case.make().steps(case.x(0), out=window)


@each(SHOWN)
def test_a_window_keeps_its_object(case: Case) -> None:
    made = case.make()
    made.steps(case.x(N))
    window = made.window_view()
    shown = window.copy()
    view = window[::-1]
    del made, window
    gc.collect()
    # Others may take the memory, if it was given back.
    others = [case.make() for _ in range(100)]
    same(view[::-1], shown)
    assert len(others) == 100


@each(SHOWN)
def test_a_window_refers_to_its_object_once(case: Case) -> None:
    made = case.make()
    before = sys.getrefcount(made)
    window = made.window_view()
    assert sys.getrefcount(made) == before + 1
    del window
    assert sys.getrefcount(made) == before


@each(SHOWN)
def test_an_object_may_be_given_its_own_window(case: Case) -> None:
    made, other = case.make(), case.make()
    for each_of_both in (made, other):
        each_of_both.steps(case.x(N))
    window = made.window_view()
    copy = window.copy()
    same(made.steps(window), other.steps(copy))
    same(window, other.window_view())
    same(
        made.steps(window[: len(window) // 2]),
        other.steps(other.window_view()[: len(copy) // 2].copy()),
    )
    chain, reference = passband.Chain([made]), passband.Chain([other])
    same(chain.execute(window), reference.execute(other.window_view().copy()))


def test_a_value_that_nobody_asked_for_is_no_output() -> None:
    with pytest.raises(TypeError, match="out|keyword"):
        passband.PowerAverager().push([1.0], out=np.empty(1))  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="out|keyword"):
        passband.LevelMeter().measure([1.0], out=np.empty(1))  # type: ignore[call-arg]


def test_reports_of_naive_sums_are_no_more() -> None:
    # A mean of squares in single precision loses what is small beside the mean.
    x = np.tile(np.float32([10000, 10001, 10002, 10003]), 64)
    power, level = passband.PowerAverager(dtype="float32"), passband.LevelMeter().measure(x)
    power.push(x)
    exact = np.mean(x.astype("f8") ** 2)
    mean = np.mean(x.astype("f8"))
    assert power.value() - mean**2 == pytest.approx(1.25, abs=1e-6)
    assert level.rms**2 == pytest.approx(exact, rel=1e-15)
    # Squares of small codes are lost in a fixed-point product.
    assert passband.LevelMeter(dtype="q15").measure(np.full(4, 20, np.int16)).rms == 20
    codes = passband.LevelMeter(dtype="complex64").measure([256 + 256j])
    assert codes.peak == pytest.approx(362.0387, abs=1e-4)
