"""`find_peaks` beside SciPy's; pulses and bursts by their definitions."""

import warnings
from typing import Any

import numpy as np
import passband
import pytest
from scipy import signal
from surface import CASES, Case, each


def signals() -> list[Any]:
    """Noise, noise of few values (plateaus), ramps, and arrays too short for a peak."""
    rng = np.random.default_rng(7)
    found: list[Any] = [rng.standard_normal(n) for n in (0, 1, 2, 3, 4, 50, 257)]
    found += [rng.integers(0, 4, n).astype(float) for n in (5, 60, 301)]
    found += [
        np.arange(20.0),
        np.arange(20.0)[::-1],
        np.zeros(20),
        np.repeat([0, 1, 0, 2, 1], 7) * 1.0,
    ]
    return [*found, np.cumsum(rng.standard_normal(400)), np.sin(np.arange(300) / 5)]


CONDITIONS: list[dict[str, Any]] = [
    {},
    {"height": 0.5},
    {"height": (None, 1.0)},
    {"height": (-0.5, 1.5)},
    {"threshold": 0.25},
    {"threshold": (0.1, 1.0)},
    {"threshold": (None, 0.5)},
    {"distance": 1},
    {"distance": 2.5},
    {"distance": 10},
    {"distance": 1000},
    {"prominence": 1.0},
    {"prominence": (0.2, 2.0)},
    {"prominence": (None, 1.0), "wlen": 7},
    {"prominence": 0, "wlen": 2},
    {"prominence": 0.5, "wlen": 10.5},
    {"width": 1.5},
    {"width": (1, 3), "rel_height": 0.25},
    {"width": (None, 4), "rel_height": 1.0},
    {"width": 0, "wlen": 5, "rel_height": 0.0},
    {
        "height": 0,
        "threshold": 0.05,
        "distance": 3,
        "prominence": 0.2,
        "width": (0.5, 8),
        "wlen": 31,
    },
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("conditions", CONDITIONS, ids=str)
def test_peaks_are_those_of_scipy(conditions: dict[str, Any], dtype: str) -> None:
    # SciPy measures only what a condition asks for, so all is asked for, by conditions that pass.
    every = {"height": (None, None), "prominence": (None, None), "width": (None, None)}
    for x in signals():
        x = x.astype(dtype)
        if "distance" in conditions and len(np.unique(x)) < len(x):
            # Which of equal peaks goes first depends on how NumPy sorts.
            continue
        with warnings.catch_warnings():
            # SciPy warns of prominences of 0, as there are in a short `wlen`.
            warnings.simplefilter("ignore")
            at, properties = signal.find_peaks(x.astype("f8"), **{**every, **conditions})
        found = passband.find_peaks(x, **conditions)
        assert found["index"].tolist() == at.tolist()
        for ours, theirs in (
            ("height", "peak_heights"),
            ("prominence", "prominences"),
            ("width", "widths"),
        ):
            np.testing.assert_array_equal(found[ours], properties[theirs])


@pytest.mark.parametrize("distance", [1, 2, 2.5, 10, 1000])
def test_of_equal_peaks_too_close_the_later_one_stays(distance: float) -> None:
    for x in signals():
        left = signal.find_peaks(x)[0].tolist()
        kept = []
        for at in sorted(left, key=lambda n: (x[n], n), reverse=True):
            if all(abs(at - other) >= distance for other in kept):
                kept.append(at)
        assert passband.find_peaks(x, distance=distance)["index"].tolist() == sorted(kept)


@pytest.mark.parametrize("distance", [0.5, np.nextafter(1.0, 0.0), 0, -1, np.nan])
def test_a_distance_below_one_is_refused(distance: float) -> None:
    with pytest.raises(ValueError, match="^distance: expected at least 1 sample, given "):
        passband.find_peaks([0.0, 1.0, 0.0], distance=distance)


def test_a_sample_beside_nan_is_no_peak() -> None:
    x = np.array([0, 2, 0, 3, np.nan, 5, 0, 4, 0])
    assert passband.find_peaks(x)["index"].tolist() == [1, 7]


def pulses_of(x: Any, on: float, off: float, min_length: int) -> list[tuple[int, int, int]]:
    """Pulses by their definition, one sample after the other."""
    found, start, end = [], None, 0
    for n, value in enumerate([*x, -np.inf]):
        if start is None and value >= on:
            start = n
        elif start is not None and value < off:
            if n - start >= min_length:
                found.append((start, n - start, start - end))
                end = n
            start = None
    return found


@each([case for case in CASES if case.output == "pulse"])
def test_pulses_are_those_of_the_definition(case: Case) -> None:
    made, x = case.make(), case.x(3000)
    on, off = (float(word) for word in case.arguments.split(", ")[:2])
    expected = pulses_of(x, on, off, 2 if "min_length=2" in case.arguments else 1)
    result = np.concatenate([made.detect(x), made.flush()])
    assert len(expected) > 100
    assert result.tolist() == expected
    assert made.get_state() == case.make().get_state()


def bursts_of(
    x: Any, on: float, off: float, hang: int, min_length: int
) -> list[tuple[int, int, Any, Any]]:
    """Bursts by their definition, one sample after the other."""
    power = (x.real**2 + x.imag**2).astype("f4") if x.dtype.kind == "c" else x * x
    found, start, stop = [], None, 0
    for n, p in enumerate(power):
        if start is None and p >= on:
            start = n
        if start is not None and p >= off:
            stop = n + 1
        if start is not None and n + 1 - stop > hang:
            found.append((start, stop))
            start = None
    if start is not None:
        found.append((start, stop))
    spans = [(a, b) for a, b in found if b - a >= min_length]
    return [(a, b, power[a:b].max(), power[a:b].astype("f8").mean()) for a, b in spans]


@each([case for case in CASES if case.output == "burst"])
def test_bursts_are_those_of_the_definition(case: Case) -> None:
    made, x = case.make(), case.x(3000)
    expected = bursts_of(x, 0.5, 0.25, *((2, 2) if "hang" in case.arguments else (0, 1)))
    result = np.concatenate([made.detect(x), made.flush()])
    assert len(expected) > 20
    assert result["start"].tolist() == [row[0] for row in expected]
    assert result["stop"].tolist() == [row[1] for row in expected]
    np.testing.assert_allclose(result["peak"], [row[2] for row in expected], rtol=2e-7)
    np.testing.assert_allclose(result["mean_power"], [row[3] for row in expected], rtol=2e-7)
    assert made.get_state() == case.make().get_state()
