"""The command line as a process: signals, full disks, memory, terminals."""

import contextlib
import functools
import os
import pty
import resource
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from surface import once

pytestmark = once


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


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, of = stat.read_text().rpartition(")")[2].split()[:3]
            if int(of) == group and state != "Z":
                found.append(int(stat.parent.name))
    return found


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("isolate", "size"), [("--no-isolate", 0), ("--isolate", 0), ("--isolate", 1000)]
)
def test_a_run_that_is_stopped_leaves_nothing(
    tmp_path: Path, kind: signal.Signals, isolate: str, size: int
) -> None:
    path = sparse(tmp_path / "r.cu8", 1 << 36)
    # a shell has its background jobs ignore Ctrl-C, and the tests may run in one
    heed = functools.partial(signal.signal, kind, signal.SIG_DFL)
    words = ["--rate", "2M", "--audio", str(tmp_path / "a.wav"), isolate]
    process = run(path, *words, preexec_fn=heed, start_new_session=True)
    try:
        # an audio file of some size has samples: the worker has begun
        part = tmp_path / f".a.wav.{process.pid}.part"
        while not (part.exists() and part.stat().st_size >= size) and process.poll() is None:
            time.sleep(0.01)
        # to all processes, as a terminal does it
        os.killpg(process.pid, kind)
        said = process.communicate(timeout=60)[1]
        deadline = time.monotonic() + 60
        while members(process.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert members(process.pid) == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 128 + kind
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == [path]


MET = """
import os
class Meets:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), %d)
class Met:
    here = Meets()
"""


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_that_meets_an_import_is_a_stop(tmp_path: Path, kind: signal.Signals) -> None:
    # Python 3.11 raises RuntimeError for whatever is raised while a class is made.
    (tmp_path / "soundfile.py").write_text(MET % kind)
    path = sparse(tmp_path / "r.cu8", 1 << 20)
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    process = run(path, "--rate", "2M", "--audio", str(tmp_path / "a.wav"), env=env)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 128 + kind
    assert "Traceback" not in said
    assert not list(tmp_path.glob("*a.wav*"))


def test_a_stop_that_meets_the_imports_of_the_command_is_a_stop(tmp_path: Path) -> None:
    (tmp_path / "argparse.py").write_text(MET.split("class")[0] + "os.kill(os.getpid(), 2)\n")
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    process = run(tmp_path / "r.cu8", env=env)
    said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (130, "passband: interrupted; nothing was written\n")


def test_a_simd_level_that_is_none_is_an_error_of_one_line() -> None:
    command = [sys.executable, "-c", "import passband_command as c; raise SystemExit(c.main())"]
    env = {**os.environ, "PASSBAND_SIMD": "avx3"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("passband: PASSBAND_SIMD: expected one of scalar, ")
    assert line.endswith("given avx3")


@pytest.mark.parametrize(
    ("module", "words"), [("passband.arena", ["sweeep"]), ("passband.demo", ["--rate", "2M"])]
)
def test_the_other_commands_refuse_in_one_line_as_well(module: str, words: list[str]) -> None:
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"python -m {module}: ")
    assert words[0] in line


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
import sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from passband.cli import main
status = main(sys.argv[1:])
print(*(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN)))
sys.exit(status)
"""


@pytest.mark.parametrize("isolate", ["--no-isolate", "--isolate"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, isolate: str) -> None:
    peak = []
    for size in (8 << 20, 256 << 20):
        path = sparse(tmp_path / "r.cu8", size)
        outputs = [
            f"--audio={tmp_path}/a.wav",
            f"--records={tmp_path}/r.csv",
            f"--plot={tmp_path}/p.png",
        ]
        options = ["--rate", "2M", "--shift", "100k", "--decimate", "8", "--detect", "20", isolate]
        command = [sys.executable, "-c", PEAK, "receive", str(path), *options, *outputs]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peak.append([int(kib) / 1024 for kib in done.stdout.splitlines()[-1].split()])
    for small, large in zip(*peak, strict=True):
        assert large < small + 16


@pytest.mark.parametrize("isolate", ["--no-isolate", "--isolate"])
@pytest.mark.parametrize("terminal", [True, False])
def test_a_progress_bar_is_for_terminals(tmp_path: Path, terminal: bool, isolate: str) -> None:
    path = sparse(tmp_path / "r.cu8", 4 << 20)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = [sys.executable, "-m", "passband", "receive", str(path), "--rate", "2M", isolate]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs if terminal else subprocess.PIPE, check=True
    )
    os.close(theirs)
    said = os.read(ours, 1 << 16).decode() if terminal else done.stderr.decode()
    os.close(ours)
    assert ("%|" in said) == terminal
    assert terminal or said == ""
