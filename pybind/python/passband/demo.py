"""The main job on a recording whose truth is known: ``python -m passband.demo``.

It synthesises two FM stations, an on-off-keyed burst transmitter and noise, receives each with
:func:`passband.receive.receive`, and compares what comes out with what went in. Synthesis and
comparison are NumPy's alone, so that nothing of passband checks itself; they use no passband kernel
and the receiver uses nothing of theirs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from passband import cli, simd_level
from passband.isolate import Cost
from passband.plan import AUDIO_RATE, Level, Setup
from passband.receive import Summary, receive

if TYPE_CHECKING:
    from passband.plot import PowerTrace, Spectrogram

RATE = 2_000_000
SECONDS = 2.0
SEED = 1933
NOISE_DENSITY = 1.4e-9
"""Noise power per hertz, full scale being 1: -25.5 dBFS in the whole band."""

AUDIO_BAND = (50.0, 15_000.0)


@dataclass(frozen=True)
class Station:
    """An FM station that plays one tone: frequencies in hertz, amplitude relative to full scale."""

    name: str
    offset: float
    tone: float
    deviation: float
    amplitude: float

    @property
    def audio_name(self) -> str:
        """Name of the file of its audio."""
        return f"{self.name.replace(' ', '_')}.wav"

    @property
    def audio_snr(self) -> float:
        """SNR in dB behind an ideal demodulator and an ideal low-pass of the audio band.

        3 A^2 D^2 / (2 N0 B^3): the noise of a frequency demodulator grows with the square of the
        frequency (S. O. Rice, 1963). N0 includes the rounding of the recording to 8 bits.
        """
        rounding = 2 * (1 / 128) ** 2 / 12 / RATE
        signal = 3 * (self.amplitude * self.deviation) ** 2
        return float(10 * np.log10(signal / (2 * (NOISE_DENSITY + rounding) * AUDIO_BAND[1] ** 3)))


STATIONS = (
    Station("station A", offset=-550e3, tone=1000.0, deviation=50e3, amplitude=0.20),
    Station("station B", offset=150e3, tone=2500.0, deviation=40e3, amplitude=0.15),
)
FILES = ("demo.cu8", *(station.audio_name for station in STATIONS), "bursts.csv", "demo.png")
KEYED_OFFSET = 650e3
KEYED_AMPLITUDE = 0.25
KEYED_HALF_BIT = 250e-6
BURSTS = 12

STATION_DECIMATION = 8
KEYED_SETUP = Setup(shift=-KEYED_OFFSET, decimate=16, detect=(Level(15), Level(12)), hang=1e-3)


@dataclass(frozen=True)
class Check:
    """One line of the table: what was true, what was recovered, how far they may be apart."""

    name: str
    true: str
    recovered: str
    allowed: str
    agrees: bool


def synthesise(path: Path, *, omit: int | None = None) -> NDArray[np.float64]:
    """Write the recording (cu8) and return the true start and stop of each burst in seconds.

    ``omit`` leaves that burst out of the recording, but not out of the truth.
    """
    random = np.random.default_rng(SEED)
    count = round(RATE * SECONDS)
    time = np.arange(count) / RATE
    noise = random.standard_normal(2 * count).view(np.complex128) * np.sqrt(
        NOISE_DENSITY * RATE / 2
    )
    signal = noise
    for station in STATIONS:
        wobble = station.deviation / station.tone * np.sin(2 * np.pi * station.tone * time)
        signal += station.amplitude * np.exp(1j * (2 * np.pi * station.offset * time + wobble))
    truth = np.zeros((BURSTS, 2))
    keyed = np.zeros(count, bool)
    slots = np.linspace(0.12, SECONDS - 0.05, BURSTS + 1)
    half_bit = round(KEYED_HALF_BIT * RATE)
    for index, slot in enumerate(slots[:-1]):
        # Manchester: 0 is on then off, 1 off then on; these ends make it begin and end on
        bits = np.concatenate([[0], random.integers(0, 2, random.integers(14, 90)), [1]])
        halves = np.stack([1 - bits, bits], axis=1).ravel().astype(bool)
        key = np.repeat(halves, half_bit)
        start = round((slot + random.uniform(0, 0.08)) * RATE)
        truth[index] = start / RATE, (start + len(key)) / RATE
        if index != omit:
            keyed[start : start + len(key)] = key
    signal += KEYED_AMPLITUDE * keyed * np.exp(2j * np.pi * KEYED_OFFSET * time)
    codes = np.rint(signal.view(np.float64) * 128 + 127.5)
    np.clip(codes, 0, 255).astype(np.uint8).tofile(path)
    return truth


def measure_tone(path: Path) -> tuple[float, float]:
    """Measure the strongest tone of a WAV file: frequency in hertz, SNR in dB in the audio band."""
    import soundfile

    audio, rate = soundfile.read(path)
    audio = audio[rate // 50 : -rate // 50]
    window = np.blackman(len(audio))
    power = np.square(np.abs(np.fft.rfft((audio - audio.mean()) * window)))
    low, high = (round(edge * len(audio) / rate) for edge in AUDIO_BAND)
    peak = low + int(power[low:high].argmax())
    left, middle, right = np.log(power[peak - 1 : peak + 2])
    bin_offset = (left - right) / (2 * (left - 2 * middle + right))
    tone = power[peak - 4 : peak + 5].sum()
    noise = power[low : peak - 4].sum() + power[peak + 5 : high].sum()
    return float((peak + bin_offset) * rate / len(audio)), float(10 * np.log10(tone / noise))


def check_station(station: Station, audio: Path) -> list[Check]:
    """Compare a station's audio with its truth."""
    frequency, snr = measure_tone(audio)
    return [
        Check(
            f"{station.name}: tone",
            f"{station.tone:.2f} Hz",
            f"{frequency:.2f} Hz",
            "0.10 Hz",
            abs(frequency - station.tone) <= 0.1,
        ),
        Check(
            f"{station.name}: SNR in 15 kHz",
            f"{station.audio_snr:.1f} dB",
            f"{snr:.1f} dB",
            "1.0 dB",
            abs(snr - station.audio_snr) <= 1.0,
        ),
    ]


def check_bursts(truth: NDArray[np.float64], summary: Summary) -> list[Check]:
    """Compare the bursts with their truth: their number, then each one's start and stop."""
    found = (
        np.stack([summary.bursts["start"], summary.bursts["stop"]], axis=1) / summary.recording.rate
    )
    checks = [
        Check(
            "bursts: count",
            str(len(truth)),
            str(summary.burst_count),
            "0",
            summary.burst_count == len(truth),
        )
    ]
    for number, (start, stop) in enumerate(truth, 1):
        near = found[np.abs(found[:, 0] - start) < 0.01]
        agrees = len(near) == 1 and bool(np.abs(near[0] - (start, stop)).max() <= 100e-6)
        recovered = f"{near[0, 0]:.5f} .. {near[0, 1]:.5f} s" if len(near) else "missing"
        checks.append(
            Check(f"burst {number}", f"{start:.5f} .. {stop:.5f} s", recovered, "100 us", agrees)
        )
    return checks


def table(checks: Sequence[Check]) -> list[str]:
    """Lay the checks out in columns, in lines."""
    rows = [("", "true", "recovered", "allowed", "")]
    rows += [
        (c.name, c.true, c.recovered, c.allowed, "ok" if c.agrees else "DIFFERS") for c in checks
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([name.ljust(widths[0]), *map(str.rjust, cells, widths[1:]), verdict]).rstrip()
        for name, *cells, verdict in rows
    ]


def check_costs(costs: Sequence[Cost]) -> list[Check]:
    """Compare what the workers moved with what there is: all samples, channels and audio."""
    samples = round(RATE * SECONDS)
    station = 8 * samples // STATION_DECIMATION + 4 * round(AUDIO_RATE * SECONDS)
    true = 8 * samples + len(STATIONS) * station + 8 * samples // KEYED_SETUP.decimate
    moved = sum(cost.moved for cost in costs)
    copied = sum(cost.copied for cost in costs)
    return [
        Check("bytes moved", f"{true:,}", f"{moved:,}", "0", moved == true),
        Check("bytes copied", "0", f"{copied:,}", "0", copied == 0),
    ]


def draw_picture(path: Path, summary: Summary, spectrogram: Spectrogram, power: PowerTrace) -> None:
    """Draw the whole band with stations and bursts marked, and the power in the bursts' channel."""
    from passband.plot import BurstMarks, draw

    marks = BurstMarks(SECONDS)
    marks.add(summary.bursts["start"] / RATE, summary.bursts["stop"] / RATE)
    half = summary.plan.rate / 2
    figure = draw(
        title="Two FM stations, a burst transmitter and noise, as received by passband",
        seconds=SECONDS,
        band=(-RATE / 2, RATE / 2),
        center=None,
        spectrogram=spectrogram,
        power=power,
        marks=marks,
        thresholds=(summary.detection.on, summary.detection.off),
        marked_band=(KEYED_OFFSET - half, KEYED_OFFSET + half),
        power_label="channel power / dBFS",
    )
    for station in STATIONS:
        figure.axes[0].text(
            0.01 * SECONDS,
            station.offset + 1.6 * station.deviation,
            f"{station.name}: FM, {station.tone:g} Hz tone",
            color="white",
            fontweight="bold",
        )
    figure.savefig(path)


def run(
    out: Path, *, omit: int | None = None, isolate: bool = True
) -> tuple[list[Check], list[Cost]]:
    """Synthesise, receive, compare; leave the recording, audio, records and the picture in ``out``.

    ``omit`` leaves one burst out of the recording, so that the comparison must fail. With
    ``isolate``, workers read and tune, and what they took is given as well.
    """
    from passband.plot import PowerTrace, Spectrogram

    out.mkdir(parents=True, exist_ok=True)
    recording = out / "demo.cu8"
    truth = synthesise(recording, omit=omit)
    length = round(RATE * SECONDS)
    spectrogram = Spectrogram(length, iq=True)
    power = PowerTrace(-(-length // KEYED_SETUP.decimate))
    received = partial(receive, recording, rate=RATE, isolate=isolate)
    checks, runs = [], []
    for station in STATIONS:
        audio = out / station.audio_name
        setup = Setup(shift=-station.offset, decimate=STATION_DECIMATION)
        runs.append(received(setup, audio=audio))
        checks += check_station(station, audio)
    bursts = received(
        KEYED_SETUP, records=out / "bursts.csv", watch=lambda block: power.add(block.baseband)
    )
    runs.append(bursts)
    checks += check_bursts(truth, bursts)
    runs.append(received(Setup(), watch=lambda block: spectrogram.add(block.baseband)))
    draw_picture(out / "demo.png", bursts, spectrogram, power)
    costs = [run.cost for run in runs if run.cost]
    return checks + (check_costs(costs) if isolate else []), costs


def main(argv: Sequence[str] | None = None, *, omit: int | None = None) -> int:
    """Run the demo; returns 0 when all agrees, 1 when something differs, 2 for a bad recording."""
    parser = cli.Parser(
        prog="python -m passband.demo",
        description="Receive a recording whose truth is known, and compare; or receive FILE.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a recording to receive instead of the synthetic one",
    )
    parser.add_argument(
        "--rate", metavar="R", help="its sample rate, e.g. 250k; needed for raw formats"
    )
    parser.add_argument("--format", metavar="F", help="its format (default: its ending)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("build/demo"),
        metavar="DIR",
        help="folder for what is written",
    )
    parser.add_argument(
        "--isolate",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="read, shift, decimate and demodulate in worker processes, or all in one",
    )
    arguments = parser.parse_args(argv)
    out: Path = arguments.out
    if arguments.file:
        out.mkdir(parents=True, exist_ok=True)
        # so that no recording takes the place of what the demo itself writes
        name = out / f"{Path(arguments.file).stem}-received"
        command = ["receive", arguments.file, "--detect=20", "--hang=1ms"]
        command += [f"--plot={name}.png", f"--records={name}.csv"]
        command += [f"--rate={arguments.rate}"] if arguments.rate else []
        command += [f"--format={arguments.format}"] if arguments.format else []
        command += ["--isolate"] if arguments.isolate else []
        return cli.main(command)
    if arguments.rate or arguments.format:
        parser.error("--rate and --format are those of FILE, which is not given")
    print(
        f"{out / 'demo.cu8'}: {SECONDS:g} s at {RATE / 1e6:g} MS/s, seed {SEED}: two FM stations, "
        f"{BURSTS} keyed bursts, noise; received at SIMD level {simd_level()}"
    )
    checks, costs = run(out, omit=omit, isolate=arguments.isolate)
    print("\n".join(table(checks)))
    if costs:
        print(
            f"CPU: {sum(cost.worker_seconds for cost in costs):.2f} s in {len(costs)} workers, "
            f"{sum(cost.own_seconds for cost in costs):.2f} s in this process\n"
            "bytes moved came from the workers in shared memory; "
            "bytes copied were not read where they were written"
        )
    print("\n".join(f"wrote {out / name}" for name in FILES))
    wrong = sum(not check.agrees for check in checks)
    print(
        f"{wrong} of {len(checks)} comparisons differ"
        if wrong
        else f"all {len(checks)} comparisons agree"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
