"""The command line: what it writes, and that times and frequencies are true."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from receiving import RATE, bursts_of, noise, receive, strongest, tone, write_iq


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
    assert rate == 48_000
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
    options = ["--shift=-40k", "--decimate=2", "--demod", demod, "--audio-rate=42666.6"]
    assert receive(path, "--rate", "256k", *options, "--audio", audio) == 0
    assert (
        "audio: 42,666.6 Hz, from 128,000 Hz, stated in the file as 42,667"
        in capsys.readouterr().err
    )
    heard, rate = soundfile.read(audio)
    info = soundfile.info(audio)
    assert (info.subtype, info.channels, rate) == ("PCM_16", 1, 42667)
    assert len(heard) == math.ceil(42666.6)
    turns = 1500 / 42666.6 * np.arange(len(heard))
    expected = amplitude * np.sin(2 * np.pi * turns) + (0.5 if demod == "am" else 0)
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
        ("2M", 8, None, 48_000),
        ("2.4M", 1, None, 48_000),
        ("250k", 1, "25k", 25_000),
        ("250k", 2, "44.1k", 44_100),
        ("44100", 1, None, 48_000),
        ("2M", 7, "1M", 1_000_000),
    ],
)
def test_audio_has_any_rate_that_is_asked_for(
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
    assert soundfile.info(tmp_path / "a.wav").frames == 3 * -(-count // 3)
