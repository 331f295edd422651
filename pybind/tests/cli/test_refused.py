"""The command line: what it refuses leaves everything as it was, and says why in one line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from passband.io import Empty, RawRecording, Samples
from receiving import OUTPUTS, contents, receive
from surface import once

pytestmark = once

REFUSED = {
    "missing file": (["missing.cu8", "--rate", "1M"], "no such file"),
    "rate in words": (["r.cu8", "--rate", "fast"], "'fast'"),
    "rate of 0": (["r.cu8", "--rate", "0"], "impossible"),
    "no rate": (["r.cu8"], "--rate"),
    "unknown format": (["r.cu8", "--rate", "1M", "--format", "mp3"], "mp3"),
    "no such option": (["r.cu8", "--rate", "1M", "--gain", "3"], "--gain"),
    "shift beyond half the rate": (["r.cu8", "--rate", "1M", "--shift", "600k"], "500,000 Hz"),
    "shift in millions": (
        ["r.cu8", "--rate", "1M", "--shift", "-2M"],
        "a shift of -2,000,000 Hz (--shift)",
    ),
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
    "decimation by 0": (["r.cu8", "--rate", "1M", "--decimate", "0"], "1 to 10,000"),
    "decimation by a fraction": (
        ["r.cu8", "--rate", "1M", "--decimate", "2.5"],
        "'2.5': expected a whole number from 1 to 10,000",
    ),
    "audio rate out of reach": (
        ["r.cu8", "--rate", "250M", "--audio", "a.wav"],
        "244,140.625 Hz to 16,384,000,000,000 Hz",
    ),
    "audio rate that a WAV file cannot state": (
        ["r.cu8", "--rate", "250k", "--audio", "a.wav", "--audio-rate", "3G"],
        "1 Hz to 2 GHz",
    ),
    "audio rate without audio": (
        ["r.cu8", "--rate", "250k", "--audio-rate", "25k"],
        "(--audio-rate) is of no use without audio (--audio)",
    ),
    "demodulator without audio": (
        ["r.cu8", "--rate", "250k", "--demod", "am", "--plot", "p.png"],
        "(--demod) is of no use without audio (--audio)",
    ),
    "hang without detection": (
        ["r.cu8", "--rate", "250k", "--hang", "1ms", "--audio", "a.wav"],
        "(--hang) is of no use without detection (--detect)",
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
        "(--records) need detection (--detect)",
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

    def failing(self: RawRecording, *, empty: Empty) -> Iterator[Samples]:
        yield from blocks(self, 1000, empty=empty)
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
