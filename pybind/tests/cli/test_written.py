"""The command line: outputs appear together, and it says what it wrote."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest
from passband import cli
from receiving import OUTPUTS, contents, receive
from surface import once

pytestmark = once


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


def test_numbers_are_in_thousands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert receive("r.cu8", "--rate", "131.072G", "--decimate", "5", "--plot", "p.png") == 0
    said = capsys.readouterr().out.splitlines()[0]
    assert said.startswith("r.cu8: cu8, IQ, 10,000 samples at 131,072,000,000 Hz, ")


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        ("2M", "passband: rate: 2,000,000 Hz (--rate), in place of the file's 48,000 Hz\n"),
        ("48k", ""),
    ],
)
def test_a_rate_in_place_of_the_file_s_own_is_pointed_out(
    folder: Path, capsys: pytest.CaptureFixture[str], rate: str, said: str
) -> None:
    assert receive("real.wav", "--rate", rate) == 0
    assert capsys.readouterr().err == said
    (folder / "s.sigmf-data").write_bytes(bytes(100))
    meta = '{"global": {"core:datatype": "cu8", "core:sample_rate": 48000}}'
    (folder / "s.sigmf-meta").write_text(meta)
    assert receive("s.sigmf-meta", "--rate", rate) == 0
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ([], "r.cu8: 1,000,000 S/s, 0.01 s"),
        (
            ["--shift", "-250k", "--decimate", "4"],
            "r.cu8: 1,000,000 S/s, 0.01 s; 125 kHz to 375 kHz (shift -250 kHz, decimation 4)",
        ),
    ],
)
def test_a_picture_names_what_it_shows(folder: Path, words: list[str], title: str) -> None:
    # in its XML, text that is drawn as outlines is a comment
    assert receive("r.cu8", "--rate", "1M", "--detect", "9", *words, "--plot", "p.svg") == 0
    drawn = (folder / "p.svg").read_text().replace("\N{MINUS SIGN}", "-")
    for text in (title, "on threshold", "off threshold"):
        assert f"<!-- {text} -->" in drawn


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
        for option in (
            *options,
            "--isolate",
            "--records",
            "--plot",
            "median",
            "dBFS",
            "passband receive ",
        )
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
