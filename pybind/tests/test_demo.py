"""The demo agrees with its truth, and notices when a recording does not."""

import re
import subprocess
from pathlib import Path

import pytest
import soundfile
from passband import demo
from passband.isolate import Cost
from passband.plan import Setup
from passband.receive import receive


def test_all_is_recovered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"station A: tone +1000\.00 Hz +1000\.0\d Hz +0\.10 Hz +ok", printed)
    assert re.search(r"station B: tone +2500\.00 Hz +2500\.0\d Hz +0\.10 Hz +ok", printed)
    assert re.search(rf"bursts: count +{demo.BURSTS} +{demo.BURSTS} +0 +ok", printed)
    assert len(re.findall(r"^burst \d+ .* ok$", printed, re.MULTILINE)) == demo.BURSTS
    assert "DIFFERS" not in printed
    # all samples once, two stations and the keyed channel, and the audio of the stations
    count = round(demo.SECONDS * demo.RATE)
    moved = 8 * count + 2 * 8 * count // 8 + 8 * count // 16 + 2 * 4 * count * 3 // 125
    assert re.search(rf"^bytes moved +{moved:,} +{moved:,} +0 +ok$", printed, re.MULTILINE)
    assert re.search(r"^bytes copied +0 +0 +0 +ok$", printed, re.MULTILINE)
    assert re.search(
        r"^CPU: \d+\.\d\d s in 4 workers, \d+\.\d\d s in this process$", printed, re.MULTILINE
    )
    written = re.findall(r"^wrote (.*)$", printed, re.MULTILINE)
    assert set(map(Path, written)) == set(tmp_path.iterdir())
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")
    assert soundfile.info(tmp_path / "station_A.wav").duration == demo.SECONDS
    assert len((tmp_path / "bursts.csv").read_text().splitlines()) == demo.BURSTS + 1


def test_a_lost_burst_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--out", str(tmp_path), "--no-isolate"], omit=4) == 1
    printed = capsys.readouterr().out
    assert re.search(r"bursts: count +12 +11 +0 +DIFFERS", printed)
    assert re.search(r"burst 5 .* missing .* DIFFERS", printed)
    assert "2 of 17 comparisons differ" in printed
    assert "bytes" not in printed


def test_bytes_that_were_copied_or_lost_are_seen() -> None:
    cost = Cost(moved=7, copied=1, worker_seconds=0.0, own_seconds=0.0)
    assert [check.agrees for check in demo.check_costs([cost])] == [False, False]


def test_a_wrong_tone_and_a_poor_snr_are_seen(tmp_path: Path) -> None:
    demo.synthesise(tmp_path / "demo.cu8")
    first, second = demo.STATIONS
    audio = tmp_path / "a.wav"
    setup = Setup(shift=-first.offset, decimate=demo.STATION_DECIMATION)
    receive(tmp_path / "demo.cu8", setup, rate=demo.RATE, audio=audio)
    assert [check.agrees for check in demo.check_station(first, audio)] == [True, True]
    assert [check.agrees for check in demo.check_station(second, audio)] == [False, False]


def test_another_recording_is_received(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo.synthesise(tmp_path / "other.cu8")
    assert (
        demo.main([str(tmp_path / "other.cu8"), "--rate", "2M", "--out", str(tmp_path / "out")])
        == 0
    )
    assert f"wrote {tmp_path / 'out' / 'other-received.png'}" in capsys.readouterr().out
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"other-received.png", "other-received.csv"}
    assert (
        demo.main([str(tmp_path / "missing.cu8"), "--rate", "2M", "--out", str(tmp_path / "out")])
        == 2
    )


@pytest.mark.parametrize("name", ["demo", "bursts"])
def test_no_recording_takes_the_place_of_what_the_demo_wrote(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for file in demo.FILES:
        (out / file).write_text("from before")
    (tmp_path / f"{name}.cu8").write_bytes(bytes(2000))
    words = [str(tmp_path / f"{name}.cu8"), "--rate", "2M", "--no-isolate", "--out", str(out)]
    demo.main(words)
    assert {(out / file).read_text() for file in demo.FILES} == {"from before"}


def test_make_looks_for_the_recording_before_it_builds() -> None:
    root = Path(__file__).parents[2]
    command = ["make", "--no-print-directory", "demo", "FILE=none.cu8"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "make demo: FILE=none.cu8: no such file\n" in done.stderr


@pytest.mark.parametrize("option", ["--rate=2M", "--format=cu8"])
def test_options_of_a_recording_need_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    with pytest.raises(SystemExit) as exit_:
        demo.main([option, "--out", str(tmp_path)])
    assert exit_.value.code == 2
    assert "FILE" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_help_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        demo.main(["--help"])
    assert exit_.value.code == 0
    assert "--rate" in capsys.readouterr().out
