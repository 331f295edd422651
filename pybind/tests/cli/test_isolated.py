"""The command line with a worker process: the same results, from memory that nobody copied."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest
import soundfile
from passband import arena, cli
from passband.io import BLOCK, Recording, open_recording
from passband.isolate import isolated
from passband.plan import Plan, Setup
from passband.receive import receive as receive_file
from passband.receiver import Block, Tuned, Tuner
from receiving import OUTPUTS, contents, noise, receive, tone, write_iq

LENGTH = 2 * BLOCK + 12_345


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with recordings of three blocks each: a carrier with a burst, and noise."""
    monkeypatch.chdir(tmp_path)
    iq = noise(LENGTH) + 0.01 * tone(20e3, LENGTH)
    iq[300_000:310_000] *= 40
    write_iq(tmp_path / "r.cf32", iq)
    (iq * 100 + 127.5 + 127.5j).view(float).round().astype("u1").tofile(tmp_path / "r.cu8")
    soundfile.write(tmp_path / "real.wav", iq.real, 256_000, subtype="PCM_16")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "r.cu8 --rate 256k --shift -20k --decimate 2 --detect 15 --audio a.wav --records r.csv "
        "--plot p.png",
        "r.cf32 --rate 256k --demod am --audio a.wav --audio-rate 256k",
        "r.cf32 --rate 256k --demod none --detect 15 --audio a.wav --audio-rate 256k "
        "--records r.json",
        "r.cf32 --rate 20M --decimate 10000 --detect -100dBFS --audio a.wav --records r.json",
        "real.wav --decimate 5 --detect 15 --audio a.wav --records r.csv",
    ],
)
def test_a_worker_changes_no_bit_and_copies_none(
    long: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert receive(*words.split()) == 0
    alone, said = contents(long), capsys.readouterr().out
    assert receive(*words.split(), "--isolate") == 0
    assert contents(long) == alone
    lines = capsys.readouterr().out.splitlines()
    (cost,) = [line for line in lines if line.startswith("worker: ")]
    assert [line for line in lines if line != cost] == said.splitlines()
    number = r"([\d,]+)"
    seconds = r"CPU (\d+\.\d\d) s in it, (\d+\.\d\d) s in this process"
    found = re.fullmatch(
        rf"worker: {number} bytes moved through shared memory, {number} copied; {seconds}", cost
    )
    assert found
    assert int(found[1].replace(",", "")) > 0
    assert found[2] == "0"
    assert float(found[3]) > 0


def test_the_samples_are_those_that_the_kernels_wrote(long: Path) -> None:
    bases = []

    def watch(block: Block) -> None:
        bases.extend(type(part.base) for part in block[:2] if len(part))

    setup = Setup(shift=-20e3, decimate=2)
    summary = receive_file("r.cu8", setup, rate=256e3, audio="a.wav", watch=watch, isolate=True)
    # three blocks and the end of samples and audio
    assert bases == [arena.Export] * 8
    assert summary.cost
    baseband = -(-LENGTH // 2)
    audio = -(-baseband * 3 // 8)
    assert summary.cost.moved == 8 * baseband + 4 * audio
    assert summary.cost.copied == 0


def unplaced(plan: Plan, recording: Recording) -> Iterator[Tuned]:
    """Tunes without having its input made where it is to lie."""
    return Tuner(plan).run(recording.blocks())


def test_what_is_not_placed_is_counted_as_copied(long: Path) -> None:
    recording = open_recording("r.cu8", rate=256e3)
    plan = Plan.of(Setup(), recording.rate)
    with isolated(partial(unplaced, plan, recording), plan.nbytes(BLOCK)) as parts:
        moved = sum(part.baseband.nbytes for part in parts)
    assert parts.cost.moved == parts.cost.copied == moved == 8 * LENGTH


@pytest.mark.parametrize("isolate", [False, True])
def test_a_recording_that_changes_is_an_error_of_one_line(
    long: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    isolate: bool,
) -> None:
    @contextmanager
    def cut(recording: Recording) -> Iterator[Callable[[int], object]]:
        os.truncate(recording.path, 1_000_000)
        yield lambda _: None

    before = contents(long)
    monkeypatch.setattr(cli, "progress_bar", cut)
    words = ["r.cu8", "--rate", "256k", "--detect", "15", *OUTPUTS]
    assert receive(*words, "--isolate" if isolate else "--no-isolate") == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == (
        f"passband: r.cu8: changed while it was read: {LENGTH - BLOCK:,} samples are missing "
        "at its end"
    )
    assert set(contents(long)) == set(before)


def test_a_worker_that_is_killed_is_an_error_of_one_line(
    long: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def kill(recording: Recording) -> Iterator[Callable[[int], object]]:
        def advance(_: int) -> None:
            for worker in active_children():
                worker.kill()

        yield advance

    with (long / "r.cu8").open("ab") as file:
        file.truncate(1 << 30)
    before = os.listdir(long)
    monkeypatch.setattr(cli, "progress_bar", kill)
    assert receive("r.cu8", "--rate", "256k", "--audio", "a.wav", "--isolate") == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(r"passband: the worker, process \d+, was killed by signal 9 \(\w+\)", error)
    assert os.listdir(long) == before
