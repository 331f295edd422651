"""The command line: what it writes, that times and frequencies are true, and how it refuses."""

import csv
import functools
import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from passband import cli
from passband.io import RawRecording, Samples

RATE = 256_000


def write_iq(path: Path, iq: NDArray[np.complex128]) -> Path:
    """Write complex samples as cf32."""
    iq.astype("<c8").tofile(path)
    return path


def tone(
    frequency: float, count: int = RATE // 2, amplitude: float = 0.5
) -> NDArray[np.complex128]:
    """A complex tone at RATE."""
    carrier: NDArray[np.complex128] = np.exp(2j * np.pi * frequency / RATE * np.arange(count))
    return amplitude * carrier


def noise(count: int, power_db: float = -50) -> NDArray[np.complex128]:
    """Complex noise."""
    random = np.random.default_rng(7)
    parts: NDArray[np.float64] = (
        random.standard_normal(2 * count) * 10 ** (power_db / 20) / np.sqrt(2)
    )
    return parts[::2] + 1j * parts[1::2]


def bursts_of(path: Path) -> list[dict[str, float]]:
    """Burst records, whatever the file's format."""
    if path.suffix == ".json":
        found: list[dict[str, float]] = json.loads(path.read_text())["bursts"]
        return found
    with path.open(newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def strongest(audio: NDArray[Any], rate: float) -> float:
    """Frequency of the strongest line of a signal, in hertz."""
    spectrum = np.abs(np.fft.fft(audio * np.hanning(len(audio))))
    return float(np.fft.fftfreq(len(audio), 1 / rate)[spectrum.argmax()])


@pytest.fixture
def keyed(tmp_path: Path) -> tuple[Path, list[tuple[int, int]]]:
    """A carrier at +20 kHz that is on three times, in noise; with starts and stops in samples."""
    truth = [(40_000, 48_000), (60_001, 70_017), (90_000, 91_500)]
    iq = noise(128_000)
    for start, stop in truth:
        iq[start:stop] += tone(20e3)[start:stop]
    return write_iq(tmp_path / "keyed.cf32", iq), truth


def receive(*words: str | Path) -> int:
    """Run ``passband receive``."""
    return cli.main(["receive", *map(str, words)])


@pytest.mark.parametrize("factor", [1, 2, 5, 16])
@pytest.mark.parametrize("ending", ["csv", "json"])
def test_burst_times_are_those_of_the_recording(
    keyed: tuple[Path, list[tuple[int, int]]], tmp_path: Path, factor: int, ending: str
) -> None:
    path, truth = keyed
    records = tmp_path / f"r.{ending}"
    # a low-passed edge has half its height where the keying was
    options = [
        "--shift",
        "-20k",
        "--decimate",
        str(factor),
        "--detect",
        "-12dBFS:-12dBFS",
        "--hang",
        "1ms",
    ]
    assert receive(path, "--rate", "256k", *options, "--records", records) == 0
    found = bursts_of(records)
    assert len(found) == len(truth)
    slack = 0 if factor == 1 else factor
    for burst, (start, stop) in zip(found, truth, strict=True):
        assert abs(burst["start"] - start) <= slack
        assert abs(burst["stop"] - stop) <= slack
        assert burst["start_s"] == burst["start"] / RATE
        assert burst["stop_s"] == burst["stop"] / RATE
        assert burst["peak_power"] >= burst["mean_power"] == pytest.approx(0.25, rel=0.05)
        assert burst["peak_dbfs"] == pytest.approx(10 * np.log10(burst["peak_power"]))
        assert burst["mean_dbfs"] == pytest.approx(10 * np.log10(burst["mean_power"]))


@pytest.mark.parametrize("factor", [1, 4, 7])
def test_a_burst_at_either_end_of_the_file_is_whole(tmp_path: Path, factor: int) -> None:
    iq = noise(100_003)
    iq[:2000] += 0.5
    iq[-2000:] += 0.5
    path = write_iq(tmp_path / "r.cf32", iq)
    records = tmp_path / "r.json"
    options = ["--decimate", str(factor), "--detect", "-14dBFS:-14dBFS", "--hang", "1ms"]
    assert receive(path, "--rate", "256k", *options, "--records", records) == 0
    first, last = bursts_of(records)
    assert (first["start"], last["stop"]) == (0, len(iq))
    assert abs(first["stop"] - 2000) <= factor
    assert abs(last["start"] - (len(iq) - 2000)) <= factor


def test_json_names_the_recording_and_the_thresholds(
    keyed: tuple[Path, Any], tmp_path: Path
) -> None:
    records = tmp_path / "r.json"
    assert receive(keyed[0], "--rate", "256k", "--detect", "20:-40dBFS", "--records", records) == 0
    facts = json.loads(records.read_text())
    assert facts["recording"] == "keyed.cf32"
    assert facts["rate"] == RATE
    assert facts["samples"] == 128_000
    # the median of noise power is ln 2 of its mean
    assert facts["floor_power"] == pytest.approx(np.log(2) * 1e-5, rel=0.05)
    assert facts["on_power"] == pytest.approx(100 * facts["floor_power"])
    assert facts["off_power"] == pytest.approx(1e-4)


@pytest.mark.parametrize(
    ("levels", "count"),
    [("-10dBFS", 3), ("-5dBFS", 0), ("-10dBFS:-60dBFS", 1), ("30", 3), ("50", 0)],
)
def test_levels_are_over_the_floor_or_absolute(
    keyed: tuple[Path, Any], capsys: pytest.CaptureFixture[str], levels: str, count: int
) -> None:
    assert receive(keyed[0], "--rate", "256k", "--detect", levels, "--hang", "1ms") == 0
    printed = capsys.readouterr().out
    assert f"{count} burst" in printed
    assert printed.count("\n") == 2 + (count + 1 if count else 0)


def test_a_shift_moves_the_spectrum_up(tmp_path: Path) -> None:
    path = write_iq(tmp_path / "r.cf32", tone(-30e3))
    audio = tmp_path / "r.wav"
    assert (
        receive(path, "--rate", "256k", "--shift", "35k", "--demod", "none", "--audio", audio) == 0
    )
    iq, rate = soundfile.read(audio)
    assert iq.shape[1] == 2
    assert rate == 51_200
    assert strongest(iq[:, 0] + 1j * iq[:, 1], rate) == pytest.approx(5e3, abs=2)
    assert np.abs(iq[2000:-2000, 0] + 1j * iq[2000:-2000, 1]).mean() == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize(("demod", "amplitude"), [("fm", 10e3 / 64e3), ("am", 0.2)])
def test_a_station_is_demodulated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], demod: str, amplitude: float
) -> None:
    phase = 2 * np.pi * 1500 / RATE * np.arange(RATE)
    station = (
        0.5 * np.exp(-1j * 10e3 / 1500 * np.cos(phase))
        if demod == "fm"
        else 0.5 + 0.2 * np.sin(phase)
    )
    path = write_iq(tmp_path / "r.cf32", station * tone(40e3, RATE, 1.0))
    audio = tmp_path / "r.wav"
    options = ["--shift=-40k", "--decimate", "2", "--demod", demod]
    assert receive(path, "--rate", "256k", *options, "--audio", audio) == 0
    assert (
        "42666.66667 Hz, from 128000 Hz by a factor of 3, stated in the file as 42667"
        in capsys.readouterr().err
    )
    heard, rate = soundfile.read(audio)
    info = soundfile.info(audio)
    assert (info.subtype, info.channels, rate) == ("PCM_16", 1, 42667)
    expected = amplitude * np.sin(phase[::6]) + (0.5 if demod == "am" else 0)
    assert len(heard) == len(expected)
    # a frequency demodulator is half a sample late
    assert np.abs(heard - expected)[100:-100].max() < 0.04 * amplitude


def test_fm_is_what_iq_gives_and_plain_samples_what_a_real_recording_gives(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "real.wav", 0.5 * np.sin(np.arange(48000)), 48000)
    write_iq(tmp_path / "iq.cf32", tone(8e3))
    assert receive(tmp_path / "real.wav", "--audio", tmp_path / "a.wav") == 0
    np.testing.assert_array_equal(
        soundfile.read(tmp_path / "a.wav")[0], soundfile.read(tmp_path / "real.wav")[0]
    )
    assert receive(tmp_path / "iq.cf32", "--rate", "256k", "--audio", tmp_path / "b.wav") == 0
    # a steady 8 kHz of at most 128 kHz
    assert np.median(soundfile.read(tmp_path / "b.wav")[0]) == pytest.approx(8 / 128, abs=2**-15)


def test_bursts_in_a_real_recording(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    samples = 1e-3 * random.standard_normal(96000)
    samples[50_000:60_000] += 0.5 * np.sin(2 * np.pi * 1000 / 48000 * np.arange(10_000))
    soundfile.write(tmp_path / "real.wav", samples, 48000, subtype="FLOAT")
    records = tmp_path / "r.csv"
    assert (
        receive(
            tmp_path / "real.wav",
            "--decimate",
            "4",
            "--detect=-20dBFS",
            "--hang",
            "1ms",
            "--records",
            records,
        )
        == 0
    )
    (burst,) = bursts_of(records)
    assert abs(burst["start"] - 50_000) <= 12
    assert abs(burst["stop"] - 60_000) <= 12
    assert burst["peak_power"] == pytest.approx(0.25, rel=0.2)
    assert burst["mean_power"] == pytest.approx(0.125, rel=0.05)


@pytest.mark.parametrize(
    ("rate", "factor", "asked", "written"),
    [
        ("2M", 8, None, 50_000),
        ("2.4M", 1, None, 48_000),
        ("250k", 1, "25k", 25_000),
        ("250k", 2, "125k", 125_000),
        ("44100", 1, None, 44_100),
        ("2M", 7, None, 47_619),
    ],
)
def test_audio_rates_that_integers_reach(
    tmp_path: Path, rate: str, factor: int, asked: str | None, written: int
) -> None:
    path = write_iq(tmp_path / "r.cf32", tone(1e3, 5000))
    options = ["--audio-rate", asked] if asked else []
    assert (
        receive(
            path, "--rate", rate, "--decimate", str(factor), "--audio", tmp_path / "a.wav", *options
        )
        == 0
    )
    assert soundfile.info(tmp_path / "a.wav").samplerate == written


def test_loud_audio_saturates_and_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soundfile.write(
        tmp_path / "loud.wav", np.array([0.0, 2.0, -2.0, 0.5] * 100), 48000, subtype="FLOAT"
    )
    assert receive(tmp_path / "loud.wav", "--audio", tmp_path / "a.wav") == 0
    assert "200 samples beyond full scale were clipped" in capsys.readouterr().err
    codes = soundfile.read(tmp_path / "a.wav", dtype="int16")[0]
    assert codes[:4].tolist() == [0, 32767, -32768, 16384]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_is_drawn(keyed: tuple[Path, Any], tmp_path: Path, ending: str) -> None:
    plot = tmp_path / f"p.{ending}"
    assert (
        receive(keyed[0], "--rate", "256k", "--decimate", "2", "--detect", "20", "--plot", plot)
        == 0
    )
    assert plot.read_bytes().startswith(
        {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    )


@pytest.mark.parametrize("count", [1, 2, 50, 1000])
@pytest.mark.parametrize("channels", [1, 2])
def test_a_recording_of_few_samples_is_received(tmp_path: Path, count: int, channels: int) -> None:
    soundfile.write(tmp_path / "few.wav", np.full((count, channels), 0.5), 48000, subtype="FLOAT")
    outputs = (
        "--audio",
        tmp_path / "a.wav",
        "--records",
        tmp_path / "r.csv",
        "--plot",
        tmp_path / "p.png",
    )
    assert receive(tmp_path / "few.wav", "--decimate", "3", "--detect=-10dBFS", *outputs) == 0
    assert soundfile.info(tmp_path / "a.wav").frames == -(-count // 3)


REFUSED = {
    "missing file": (["missing.cu8", "--rate", "1M"], "no such file"),
    "rate in words": (["r.cu8", "--rate", "fast"], "'fast'"),
    "rate of 0": (["r.cu8", "--rate", "0"], "impossible"),
    "no rate": (["r.cu8"], "--rate"),
    "unknown format": (["r.cu8", "--rate", "1M", "--format", "mp3"], "mp3"),
    "no such option": (["r.cu8", "--rate", "1M", "--gain", "3"], "--gain"),
    "shift beyond half the rate": (["r.cu8", "--rate", "1M", "--shift", "600k"], "500000 Hz"),
    "shift that tells of a wrong rate": (["r.cu8", "--rate", "1k", "--shift", "2k"], "--rate"),
    "line feed in a name": (["a\nb.cu8", "--rate", "1M"], "a\\nb.cu8"),
    "line feed in a word too many": (["r.cu8", "a\nb"], "a\\nb"),
    "threshold beyond float32": (
        ["loud.cf32", "--rate", "1M", "--detect", "200:100", "--records", "r.csv"],
        "threshold",
    ),
    "shift of a real recording": (["real.wav", "--shift", "1k"], "real"),
    "FM of a real recording": (["real.wav", "--demod", "fm", "--audio", "a.wav"], "real"),
    "AM of a real recording": (["real.wav", "--demod", "am", "--audio", "a.wav"], "real"),
    "decimation by 0": (["r.cu8", "--rate", "1M", "--decimate", "0"], "1 to 10000"),
    "decimation by a fraction": (["r.cu8", "--rate", "1M", "--decimate", "2.5"], "2.5"),
    "audio rate out of reach": (
        ["r.cu8", "--rate", "250k", "--audio", "a.wav", "--audio-rate", "48k"],
        "50000, 41666.66667",
    ),
    "audio rate above the rate": (
        ["r.cu8", "--rate", "250k", "--audio", "a.wav", "--audio-rate", "1M"],
        "250000, 125000",
    ),
    "audio rate without audio": (
        ["r.cu8", "--rate", "250k", "--audio-rate", "25k"],
        "without audio",
    ),
    "level in words": (["r.cu8", "--rate", "1M", "--detect", "loud"], "'loud'"),
    "three levels": (["r.cu8", "--rate", "1M", "--detect", "20:10:5"], "20:10:5"),
    "off above on": (["r.cu8", "--rate", "1M", "--detect", "20:25"], "OFF must not be above ON"),
    "off above on once measured": (
        ["r.cu8", "--rate", "1M", "--detect", "20:20dBFS", "--records", "r.csv"],
        "above",
    ),
    "absurd level": (["r.cu8", "--rate", "1M", "--detect", "1e9"], "200 dB"),
    "negative hang": (["r.cu8", "--rate", "1M", "--detect", "20", "--hang", "-1ms"], "hang"),
    "hang in words": (["r.cu8", "--rate", "1M", "--detect", "20", "--hang", "long"], "'long'"),
    "silence has no floor": (["silence.wav", "--detect", "20", "--records", "r.csv"], "dBFS"),
    "records without thresholds": (
        ["r.cu8", "--rate", "1M", "--records", "r.csv"],
        "detection thresholds",
    ),
    "records of another kind": (
        ["r.cu8", "--rate", "1M", "--detect", "20", "--records", "r.txt"],
        ".csv or .json",
    ),
    "audio of another kind": (["r.cu8", "--rate", "1M", "--audio", "a.mp3"], ".wav"),
    "picture of another kind": (["r.cu8", "--rate", "1M", "--plot", "p.gif"], ".png"),
    "folder that is not there": (["r.cu8", "--rate", "1M", "--audio", "nowhere/a.wav"], "nowhere"),
    "folder as an output": (
        ["r.cu8", "--rate", "1M", "--audio", "folder.wav"],
        "not a regular file",
    ),
    "recording as an output": (["real.wav", "--audio", "real.wav"], "recording itself"),
    "half a sample": (["half.cu8", "--rate", "1M", "--audio", "a.wav"], "middle of a sample"),
    "empty file": (["empty.cu8", "--rate", "1M", "--plot", "p.png"], "empty"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with some recordings, good and bad."""
    np.random.default_rng(0).integers(0, 256, 20_000).astype("u1").tofile(tmp_path / "r.cu8")
    (tmp_path / "half.cu8").write_bytes(bytes(7))
    (tmp_path / "empty.cu8").touch()
    (tmp_path / "folder.wav").mkdir()
    write_iq(tmp_path / "loud.cf32", np.full(1000, 1e15 + 0j))
    soundfile.write(tmp_path / "real.wav", np.full(1000, 0.1), 48000)
    soundfile.write(tmp_path / "silence.wav", np.zeros(1000), 48000)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_with_exit_status_2(
    folder: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    words, expected = REFUSED[case]
    before = contents(folder)
    try:
        status = receive(*words)
    except SystemExit as exit_:
        status = exit_.code  # type: ignore[assignment]
    printed = capsys.readouterr()
    assert status == 2
    lines = [line for line in printed.err.splitlines() if not line.startswith("passband: audio: ")]
    assert len(lines) == 1
    assert expected in lines[0]
    assert printed.out == ""
    assert contents(folder) == before


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError("disk full")])
def test_what_is_cut_short_leaves_everything_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    (folder / "r.csv").write_text("from before")
    before = contents(folder)
    blocks = RawRecording.blocks

    def failing(self: RawRecording) -> Iterator[Samples]:
        yield from blocks(self, 1000)
        assert len(contents(folder)) == len(before) + 3
        raise failure

    monkeypatch.setattr(RawRecording, "blocks", failing)
    outputs = ["--audio", "a.wav", "--records", "r.csv", "--plot", "p.png"]
    status = receive("r.cu8", "--rate", "1M", "--detect", "20", *outputs)
    assert status == (130 if isinstance(failure, KeyboardInterrupt) else 2)
    assert contents(folder) == before


def test_a_link_to_the_recording_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    (folder / "link.csv").symlink_to("r.cu8")
    assert receive("r.cu8", "--rate", "1M", "--detect", "20", "--records", "link.csv") == 2
    assert "recording itself" in capsys.readouterr().err
    (folder / "link.csv").unlink()
    assert contents(folder) == before


OUTPUTS = ("--audio", "a.wav", "--records", "r.csv", "--plot", "p.png")


@pytest.mark.parametrize("target", ["p.png", "./nothing/../p.png", "folder.wav/../p.png"])
def test_two_outputs_in_one_file_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    before = contents(folder)
    (folder / "r.csv").symlink_to(target)
    assert receive("r.cu8", "--rate", "1M", "--detect", "20", *OUTPUTS) == 2
    assert "p.png: another output is this file" in capsys.readouterr().err
    (folder / "r.csv").unlink()
    assert contents(folder) == before


def test_a_link_that_leads_to_itself_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.wav").symlink_to("a.wav")
    assert receive("r.cu8", "--rate", "1M", "--audio", "a.wav") == 2
    assert "leads to itself" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["s.sigmf-data", "s.sigmf-meta"])
def test_neither_half_of_a_sigmf_pair_is_replaced(folder: Path, named: str) -> None:
    (folder / "s.sigmf-data").write_bytes(bytes(100))
    (folder / "s.sigmf-meta").write_text(
        '{"global": {"core:datatype": "cu8", "core:sample_rate": 1000}}'
    )
    (folder / "data.wav").symlink_to("s.sigmf-data")
    (folder / "meta.wav").symlink_to("s.sigmf-meta")
    before = contents(folder)
    assert receive(named, "--audio", "data.wav") == 2
    assert receive(named, "--audio", "meta.wav") == 2
    assert contents(folder) == before


def test_outputs_appear_together_when_signals_come_between(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        moved = replace(self, target)
        signal.raise_signal(signal.SIGINT)
        return moved

    monkeypatch.setattr(Path, "replace", interrupted)
    handler = signal.getsignal(signal.SIGINT)
    assert receive("r.cu8", "--rate", "1M", "--detect", "20", *OUTPUTS) == 0
    assert {"a.wav", "r.csv", "p.png"} <= set(contents(folder))
    assert signal.getsignal(signal.SIGINT) == handler


def test_an_error_between_outputs_names_those_that_are_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.name == "r.csv":
            raise PermissionError(1, "not permitted")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    assert receive("r.cu8", "--rate", "1M", "--detect", "20", *OUTPUTS) == 2
    assert re.search(
        r"r\.csv: not permitted; already written: .*a\.wav$", capsys.readouterr().err.strip()
    )
    assert "a.wav" in contents(folder)
    assert not [name for name in contents(folder) if name.endswith(".part")]


def test_names_that_are_no_text_or_look_like_formulas(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (os.fsdecode(b"\xff"), "$_$", "\u96fb\u6ce2", "a\nb"):
        source = folder / f"{name}.cu8"
        source.write_bytes(bytes(2000))
        outputs = [f"--audio={name}.wav", f"--plot={name}.png"]
        assert receive(source, "--rate", "1M", "--detect=0dBFS", *outputs) == 0
        assert (folder / f"{name}.wav").exists()
    assert "wrote a\\nb.wav\n" in capsys.readouterr().out


def test_what_is_written_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert receive("r.cu8", "--rate", "1M", "--detect", "20", *OUTPUTS) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-3:] == ["wrote a.wav", "wrote r.csv", "wrote p.png"]


@pytest.mark.parametrize(
    ("words", "warned"),
    [
        (["r.cu8", "--detect=3.1dBFS"], True),
        (["r.cu8", "--detect=3.0dBFS"], False),
        (["r.cu8", "--detect=4dBFS", "--decimate=4"], False),
        (["loud.cf32", "--detect=40dBFS"], False),
        (["real.wav", "--detect=0.1dBFS"], True),
        (["real.wav", "--detect=0dBFS"], False),
    ],
)
def test_a_threshold_that_nothing_can_reach_is_pointed_out(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], warned: bool
) -> None:
    assert receive(*words, "--rate", "1M") == 0
    assert ("nothing can reach" in capsys.readouterr().err) == warned


def sparse(path: Path, size: int) -> Path:
    """A file of zeros that takes no room."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


def run(*words: str | Path, **options: Any) -> "subprocess.Popen[str]":
    """Start the command in a process of its own."""
    command = [sys.executable, "-m", "passband", "receive", *map(str, words)]
    return subprocess.Popen(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_leaves_nothing(tmp_path: Path, kind: signal.Signals) -> None:
    path = sparse(tmp_path / "r.cu8", 1 << 36)
    # a shell has its background jobs ignore Ctrl-C, and the tests may run in one
    heed = functools.partial(signal.signal, kind, signal.SIG_DFL)
    process = run(path, "--rate", "2M", "--audio", tmp_path / "a.wav", preexec_fn=heed)
    try:
        while (
            not (parts := [p for p in tmp_path.iterdir() if p != path]) and process.poll() is None
        ):
            time.sleep(0.01)
        assert [p.suffix for p in parts] == [".part"]
        process.send_signal(kind)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 128 + kind
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    path = sparse(tmp_path / "r.cu8", 4 << 20)
    for output in ("--audio=a.wav", "--plot=p.png"):
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4000, 4000))
        process = run(path, "--rate", "2M", output, cwd=tmp_path, preexec_fn=limit)
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 2
        # a matplotlib that builds its font cache says so, too
        assert "Traceback" not in said
        ours = [line for line in said.splitlines() if line.startswith("passband: ")]
        (line,) = [line for line in ours if not line.startswith("passband: audio: ")]
        assert output.partition("=")[2] in line
        assert ".part" not in line
    assert list(tmp_path.iterdir()) == [path]


def test_a_stdout_that_takes_nothing(tmp_path: Path) -> None:
    path = sparse(tmp_path / os.fsdecode(b"\xe9\x9b\xbb.cu8"), 2000)
    command = [sys.executable, "-m", "passband", "receive", str(path), "--rate", "2M"]
    ends, pipe = os.pipe()
    os.close(ends)
    with open("/dev/full", "w") as full, os.fdopen(pipe, "w") as broken:
        for stdout, status, said in (
            (full, 2, b"passband: standard output: No space left on device\n"),
            (broken, 0, b""),
        ):
            done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)
            assert (done.returncode, done.stderr) == (status, said)
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=ascii_only, check=True)
    assert b"\\u96fb.cu8: cu8, IQ" in done.stdout
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    assert subprocess.run(closed, capture_output=True, check=True).stderr == b""


PEAK = """
import resource, sys
from passband.cli import main
status = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
sys.exit(status)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peak = []
    for size in (8 << 20, 256 << 20):
        path = sparse(tmp_path / "r.cu8", size)
        outputs = [
            f"--audio={tmp_path}/a.wav",
            f"--records={tmp_path}/r.csv",
            f"--plot={tmp_path}/p.png",
        ]
        options = ["--rate", "2M", "--shift", "100k", "--decimate", "8", "--detect", "20"]
        command = [sys.executable, "-c", PEAK, "receive", str(path), *options, *outputs]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peak.append(int(done.stdout.splitlines()[-1]) / 1024)
    assert peak[1] < peak[0] + 16


@pytest.mark.parametrize("terminal", [True, False])
def test_a_progress_bar_is_for_terminals(tmp_path: Path, terminal: bool) -> None:
    path = sparse(tmp_path / "r.cu8", 4 << 20)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = [sys.executable, "-m", "passband", "receive", str(path), "--rate", "2M"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs if terminal else subprocess.PIPE, check=True
    )
    os.close(theirs)
    said = os.read(ours, 1 << 16).decode() if terminal else done.stderr.decode()
    os.close(ours)
    assert ("%|" in said) == terminal
    assert terminal or said == ""


@pytest.mark.parametrize("module", ["soundfile", "scipy.signal", "tqdm"])
def test_a_missing_package_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert receive("r.cu8", "--rate", "1M", "--decimate", "2", "--audio", "a.wav") == 2
    said = capsys.readouterr().err
    assert f"needs {module.partition('.')[0]}" in said
    assert "pip install 'passband[cli]'" in said
    assert not (folder / "a.wav").exists()


def test_help_explains_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        receive("--help")
    assert exit_.value.code == 0
    text = capsys.readouterr().out
    options = (
        "--rate",
        "--format",
        "--shift",
        "--decimate",
        "--demod",
        "--detect",
        "--hang",
        "--audio",
        "--audio-rate",
    )
    assert all(
        option in text
        for option in (*options, "--records", "--plot", "median", "dBFS", "passband receive ")
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2M", 2e6),
        ("150k", 150e3),
        ("433.92MHz", 433.92e6),
        ("-1.5k", -1500.0),
        ("1e3", 1e3),
        (".5G", 5e8),
    ],
)
def test_frequencies(text: str, value: float) -> None:
    assert cli.frequency(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "value"), [("1ms", 1e-3), ("20us", 20e-6), ("0.5", 0.5), ("2s", 2.0)]
)
def test_durations(text: str, value: float) -> None:
    assert cli.duration(text) == pytest.approx(value, rel=1e-15)
