"""The picture of a run: a spectrogram with the bursts marked, and power over time.

Both panels average into a fixed number of columns while the samples go by. The transform is
NumPy's: it draws, the signal path does not pass through it.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import EngFormatter
from numpy.typing import NDArray

from passband import hann
from passband.io import Recording, Samples, digits, printable
from passband.math import magnitude_squared
from passband.outputs import Sink
from passband.plan import Plan
from passband.receiver import Block, Detection

COLUMNS = 1200
_STEP = 1 << 16
_FLOOR_DBFS = -160.0
_MARK = "#00e5ff"


class Spectrogram:
    """Power spectra of Hann-windowed frames with half overlap, averaged into ``COLUMNS`` or fewer.

    ``length`` is the number of samples to come. A full-scale tone shows 0 dBFS.
    """

    def __init__(self, length: int, *, iq: bool) -> None:
        self._size = 1 << min(max(math.ceil(math.log2(math.sqrt(max(length, 1)))), 6), 10)
        self._hop = self._size // 2
        self._iq = iq
        self._frames = max(1, (length - self._size) // self._hop + 1)
        self._window = hann(self._size, sym=False)
        self._columns = min(COLUMNS, self._frames)
        bins = self._size if iq else self._size // 2 + 1
        self._power = np.zeros((self._columns, bins))
        self._counts = np.zeros(self._columns)
        self._rest: Samples = np.zeros(0, np.complex64 if iq else np.float32)
        self._frame = 0

    def add(self, samples: Samples) -> None:
        """Take the next samples."""
        for at in range(0, len(samples), _STEP):
            self._add(np.concatenate([self._rest, samples[at : at + _STEP]]))

    @np.errstate(over="ignore", invalid="ignore")
    def _add(self, x: Samples) -> None:
        count = min(max(0, (len(x) - self._size) // self._hop + 1), self._frames - self._frame)
        self._rest = x[count * self._hop :]
        if not count:
            return
        frames = (
            np.lib.stride_tricks.sliding_window_view(x, self._size)[:: self._hop][:count]
            * self._window
        )
        spectra = np.fft.fft(frames) if self._iq else np.fft.rfft(frames) * math.sqrt(2)
        power = np.square(spectra.real) + np.square(spectra.imag)
        column = np.arange(self._frame, self._frame + count) * self._columns // self._frames
        first = np.flatnonzero(np.diff(column, prepend=-1))
        self._power[column[first]] += np.add.reduceat(power, first)
        self._counts += np.bincount(column, minlength=self._columns)
        self._frame += count

    def decibels(self) -> NDArray[np.float64]:
        """Give the image in dBFS: frequency up, from the lowest, and time to the right."""
        if not self._frame:  # shorter than one frame: let zeros fill it
            self._add(
                np.concatenate(
                    [self._rest, np.zeros(self._size - len(self._rest), self._rest.dtype)]
                )
            )
        scale = np.maximum(self._counts, 1)[:, None] * self._window.sum() ** 2
        image = _dbfs(self._power / scale).T
        return np.fft.fftshift(image, axes=0) if self._iq else image


class PowerTrace:
    """Mean and peak of |x|^2 in at most ``COLUMNS`` equal stretches of ``length`` samples."""

    def __init__(self, length: int) -> None:
        columns = min(COLUMNS, max(length, 1))
        self._edges = -(-np.arange(columns + 1) * length // columns)
        self._sum = np.zeros(columns)
        self._peak = np.zeros(columns)
        self._at = 0

    def add(self, samples: Samples) -> None:
        """Take the next samples."""
        power = magnitude_squared(samples)[: self._edges[-1] - self._at]
        if not len(power):
            return
        stop = self._at + len(power)
        first = int(np.searchsorted(self._edges, self._at, side="right")) - 1
        last = int(np.searchsorted(self._edges, stop, side="left"))
        starts = np.maximum(self._edges[first:last], self._at) - self._at
        self._sum[first:last] += np.add.reduceat(power, starts, dtype=np.float64)
        self._peak[first:last] = np.maximum(
            self._peak[first:last], np.maximum.reduceat(power, starts)
        )
        self._at = stop

    def decibels(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give mean and peak in dBFS."""
        return _dbfs(self._sum / np.maximum(np.diff(self._edges), 1)), _dbfs(self._peak)


class BurstMarks:
    """Where bursts were, on a grid fine enough for a picture, so that any number of them fits."""

    def __init__(self, seconds: float) -> None:
        self._step = seconds / (4 * COLUMNS)
        self._on = np.zeros(4 * COLUMNS, bool)
        self.count = 0

    def add(self, start: NDArray[np.float64], stop: NDArray[np.float64]) -> None:
        """Mark bursts by their start and stop in seconds."""
        self.count += len(start)
        for a, b in zip(start // self._step, np.ceil(stop / self._step), strict=True):
            self._on[int(a) : max(int(b), int(a) + 1)] = True

    def spans(self) -> list[tuple[float, float]]:
        """Give start and width in seconds of each stretch that is marked."""
        edges = np.flatnonzero(np.diff(self._on, prepend=False, append=False)) * self._step
        return [(float(a), float(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


class Picture(Sink):
    """Collects the decimated samples and the bursts of a run and draws them when it is over."""

    def __init__(self, path: Path, ending: str, recording: Recording, plan: Plan) -> None:
        length = math.ceil(recording.length / plan.front.factor)
        self._path, self._format = path, ending.removeprefix(".")
        self._recording, self._plan = recording, plan
        self.spectrogram = Spectrogram(length, iq=recording.iq)
        self.power = PowerTrace(length)
        self.marks = BurstMarks(recording.seconds)

    def take(self, block: Block) -> None:
        """Take the samples and bursts of a block."""
        rate = self._recording.rate
        self.spectrogram.add(block.baseband)
        self.power.add(block.baseband)
        self.marks.add(block.bursts["start"] / rate, block.bursts["stop"] / rate)

    def finish(self, detection: Detection) -> None:
        """Draw and write the picture."""
        recording = self._recording
        shift, half = self._plan.setup.shift, self._plan.rate / 2
        band = (-half - shift, half - shift) if recording.iq else (0.0, half)
        figure = draw(
            title=self._title(band),
            seconds=recording.seconds,
            band=band,
            center=recording.center,
            spectrogram=self.spectrogram,
            power=self.power,
            marks=self.marks,
            thresholds=(detection.on, detection.off),
        )
        with warnings.catch_warnings():
            # a file name in a script that the font lacks is drawn as boxes
            warnings.filterwarnings("ignore", message="Glyph")
            figure.savefig(self._path, format=self._format)

    def close(self) -> None:
        """Nothing is open between takes."""

    def _title(self, band: tuple[float, float]) -> str:
        """Name the recording, and the part of its band that is shown where that is not all."""
        recording, setup = self._recording, self._plan.setup
        whole = (
            f"{printable(recording.path.name)}: {digits(recording.rate)} S/s, "
            f"{recording.seconds:.4g} s"
        )
        if not setup.shift and setup.decimate == 1:
            return whole
        low, high, shift = map(EngFormatter(unit="Hz"), (*band, setup.shift))
        return f"{whole}; {low} to {high} (shift {shift}, decimation {setup.decimate:,})"


def draw(
    *,
    title: str,
    seconds: float,
    band: tuple[float, float],
    center: float | None,
    spectrogram: Spectrogram,
    power: PowerTrace,
    marks: BurstMarks,
    thresholds: tuple[float, float],
    marked_band: tuple[float, float] | None = None,
    power_label: str = "power / dBFS",
) -> Figure:
    """Draw the picture: spectrogram above, power below, over one time axis.

    ``band`` is the range of the spectrogram in hertz, ``marked_band`` the part of it that bursts
    are marked in, ``thresholds`` are linear powers, NaN where there are none.
    """
    figure = Figure(figsize=(12, 7.2), dpi=120, layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(60, 1), height_ratios=(3, 1.35))
    upper = figure.add_subplot(grid[0, 0])
    lower = figure.add_subplot(grid[1, 0], sharex=upper)
    _draw_spectrogram(
        figure, upper, figure.add_subplot(grid[0, 1]), spectrogram.decibels(), seconds, band
    )
    spans = marks.spans()
    low, high = marked_band or band
    upper.broken_barh(
        spans, (low, high - low), facecolor=to_rgba(_MARK, 0.06), edgecolor=_MARK, linewidth=0.9
    )
    upper.set_title(title, loc="left", fontweight="bold", parse_math=False)
    upper.set_ylabel("frequency" if center is None else f"offset from {center / 1e6:.10g} MHz")
    upper.yaxis.set_major_formatter(EngFormatter(unit="Hz"))
    upper.tick_params(labelbottom=False)
    _draw_power(lower, power, seconds, spans, thresholds, power_label)
    if marks.count:
        label = f"{marks.count:,} burst{'s' if marks.count > 1 else ''} detected"
        upper.legend(
            handles=[Patch(facecolor=to_rgba(_MARK, 0.25), edgecolor=_MARK, label=label)],
            loc="upper right",
            framealpha=0.85,
        )
    return figure


def _draw_spectrogram(
    figure: Figure,
    axes: Axes,
    bar: Axes,
    image: NDArray[np.float64],
    seconds: float,
    band: tuple[float, float],
) -> None:
    # from just under the noise to the strongest line: the noise stays dark and signals stand out
    low, high = np.percentile(image, (20, 99.98))
    shown = axes.imshow(
        image,
        origin="lower",
        aspect="auto",
        extent=(0, seconds, *band),
        cmap="inferno",
        vmin=low,
        vmax=max(high, low + 20),
        interpolation="antialiased",
    )
    figure.colorbar(shown, cax=bar, label="power in a bin / dBFS")


def _draw_power(
    axes: Axes,
    power: PowerTrace,
    seconds: float,
    spans: list[tuple[float, float]],
    thresholds: tuple[float, float],
    label: str,
) -> None:
    mean, peak = power.decibels()
    edges = np.linspace(0, seconds, len(mean) + 1)
    axes.stairs(peak, edges, baseline=None, color="#9db4c8", linewidth=0.8, label="peak")
    axes.stairs(mean, edges, baseline=None, color="#1f4e79", linewidth=1.2, label="mean")
    for name, threshold, style in (("on", thresholds[0], "--"), ("off", thresholds[1], ":")):
        if threshold > 0:
            axes.axhline(
                10 * math.log10(threshold),
                color="#c0392b",
                linestyle=style,
                linewidth=1,
                label=f"{name} threshold",
            )
    if spans:
        axes.broken_barh(
            spans,
            (0, 1),
            transform=axes.get_xaxis_transform(),
            facecolor=to_rgba(_MARK, 0.25),
            label="burst",
            zorder=0,
        )
    axes.set_xlim(0, seconds)
    axes.set_ylabel(label)
    axes.set_xlabel("time")
    axes.xaxis.set_major_formatter(EngFormatter(unit="s"))
    axes.grid(alpha=0.3)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 0.98), ncols=5, fontsize="small", frameon=False
    )


def _dbfs(power: NDArray[np.float64]) -> NDArray[np.float64]:
    floor = 10 ** (_FLOOR_DBFS / 10)
    finite = np.nan_to_num(power, posinf=0.0)
    decibels: NDArray[np.float64] = 10 * np.log10(np.maximum(finite, floor))
    return decibels
