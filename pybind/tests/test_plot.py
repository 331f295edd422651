"""The accumulators behind the picture: calibrated, bounded, and blind to block lengths."""

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from passband.plot import COLUMNS, BurstMarks, PowerTrace, Spectrogram


def samples(count: int, *, iq: bool) -> NDArray[Any]:
    """A full-scale line at a quarter of the rate."""
    turns = np.arange(count) / 4
    return (
        np.exp(2j * np.pi * turns).astype(np.complex64)
        if iq
        else np.cos(2 * np.pi * turns).astype(np.float32)
    )


@pytest.mark.parametrize(("iq", "expected"), [(True, 0.0), (False, 10 * np.log10(0.5))])
def test_a_full_scale_line_shows_its_power_at_its_frequency(iq: bool, expected: float) -> None:
    spectrogram = Spectrogram(100_000, iq=iq)
    spectrogram.add(samples(100_000, iq=iq))
    image = spectrogram.decibels()
    row = image.shape[0] * 3 // 4 if iq else image.shape[0] // 2
    np.testing.assert_allclose(image[row], expected, atol=0.01)
    assert image.mean(axis=1).argmax() == row
    assert image[: row - 3].max() < -80


@pytest.mark.parametrize("iq", [True, False])
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 1000, 300_000])
def test_blocks_do_not_show(iq: bool, count: int) -> None:
    x = samples(count, iq=iq) * np.float32(0.5)
    images, traces = [], []
    for size in (max(count, 1), 77):
        spectrogram, power = Spectrogram(count, iq=iq), PowerTrace(count)
        for at in range(0, count, size):
            spectrogram.add(x[at : at + size])
            power.add(x[at : at + size])
        images.append(spectrogram.decibels())
        traces.append(power.decibels())
    np.testing.assert_allclose(images[0], images[1], atol=1e-6)
    np.testing.assert_allclose(traces[0], traces[1], atol=1e-6)
    assert images[0].shape[1] <= COLUMNS
    assert len(traces[0][0]) <= COLUMNS


def test_power_is_averaged_and_its_peak_kept() -> None:
    x = np.zeros(COLUMNS * 10, np.complex64)
    x[25] = 1
    power = PowerTrace(len(x))
    power.add(x)
    mean, peak = power.decibels()
    assert (mean[2], peak[2]) == pytest.approx((-10, 0))
    assert mean[3] == peak[3] == -160


@pytest.mark.parametrize("value", [np.inf, np.nan, 3e38])
def test_what_is_not_finite_draws_as_nothing(value: float) -> None:
    x = samples(10_000, iq=True)
    x[5000] = value
    spectrogram, power = Spectrogram(len(x), iq=True), PowerTrace(len(x))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spectrogram.add(x)
        power.add(x)
        assert spectrogram.decibels()[:, 0].max() == pytest.approx(0, abs=0.01)
        mean, peak = power.decibels()
    assert mean[0] == pytest.approx(0, abs=0.01)
    assert peak.max() < 1


def test_marks_cover_their_bursts_however_many_there_are() -> None:
    marks = BurstMarks(10.0)
    marks.add(np.array([1.0, 5.0]), np.array([2.0, 5.000001]))
    (first, second) = marks.spans()
    assert first == pytest.approx((1.0, 1.0), abs=0.01)
    assert second == pytest.approx((5.0, 10 / (4 * COLUMNS)), abs=0.01)
    marks.add(np.linspace(0, 9.99, 100_000), np.linspace(0, 9.99, 100_000) + 1e-6)
    assert marks.count == 100_002
    assert len(marks.spans()) <= 2 * COLUMNS
