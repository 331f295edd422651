"""Types: the stubs are those of the module, and programs over them check."""

import inspect
import subprocess
import sys
from pathlib import Path

import passband
import pytest
from surface import EXAMPLES, METHODS, Case, each, once

pytestmark = once

SAMPLE = """
from typing import Any, assert_type

import numpy as np
import passband
from numpy.typing import NDArray
from passband.filter import Fir
from passband.math import magnitude

fir = Fir([0.5, 0.5], dtype="complex64")
taps: NDArray[Any] = fir.taps
x = np.ones(8, np.complex64)
mixed = passband.Mixer(0.1, fs=2.0).steps(x, out=x)
assert_type(mixed, NDArray[np.complex64])
assert_type(passband.FmDemod(gain=2).steps(fir.steps(mixed)), NDArray[np.float32])
assert_type(passband.F32ToI16().clip_count, int)
tone = passband.LocalOscillator(0.1)
tone.freq = 0.2
assert_type(tone.steps(4), NDArray[np.complex64])
bursts = passband.BurstDetector(1.0, 0.5, hang=3)
found = bursts.detect(x)
starts: NDArray[np.int64] = found["start"]
progress = passband.FirDecimator([1.0], 2).execute_into([1.0, 2.0], np.empty(1))
assert_type(progress, passband.Progress)
assert_type(progress.consumed, int)
assert_type(fir.get_state(), bytes)
kernel: passband.shape.Blockwise[np.float32] = passband.FmDemod()
chain = passband.Chain([kernel, passband.Fir([1.0], dtype="float32")])
power: NDArray[Any] = magnitude(chain.execute(x))
window: NDArray[Any] = passband.hann(8, sym=False, dtype="float32")
codes = passband.to_q15([0.5])
signal, error = passband.Pll(0.01, fs=1e6).steps(x)
assert_type(signal, NDArray[np.complex64])
assert_type(error, NDArray[np.float32])
left: NDArray[Any] = passband.Nlms(4, 0.5, dtype="complex64").steps(x, d=x)
stereo = passband.Sos([[1.0, 0, 0, 1, 0, 0]], channels=2).steps(np.ones((8, 2)), axis=0)
spectrum: NDArray[Any] = passband.Fft(8).batch(x.reshape(1, 8))
level_of = passband.LevelMeter(dtype="complex64").measure(x)
assert_type(level_of, passband.Level)
assert_type(level_of.clip_count, int)
averager: passband.shape.Sink[np.float64] = passband.PowerAverager()
assert_type(averager.push(x), None)
window_of: NDArray[Any] = passband.DelayLine(3).window_view()
peaks = passband.find_peaks([0.0, 1.0, 0.0], height=(None, 2.0), distance=2)
where: NDArray[np.int64] = peaks["index"]
level: str = passband.simd_level()
"""

WRONG = """
import passband

passband.Fir([1.0], level="scalar")
passband.FmDemod(1.0)
passband.Mixer("fast")
passband.Chain([passband.LocalOscillator(0.1)])
passband.F32ToI16().clip_count = 3
passband.Pll(0.01).freq = 0.1
passband.Nlms(4, 0.5).steps([1.0])
passband.Chain([passband.Fft(8)])
passband.LevelMeter().measure([1.0]).rms = 2.0
passband.PowerAverager().push([1.0], out=None)
class Mine(passband.Fir): ...
"""


def mypy(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs `mypy --strict` on a program."""
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache")]
    return subprocess.run(
        [*command, str(path)], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_program_checks(tmp_path: Path) -> None:
    result = mypy(SAMPLE, tmp_path)
    assert result.returncode == 0, result.stdout
    exec(SAMPLE, {})


def test_a_wrong_program_does_not(tmp_path: Path) -> None:
    result = mypy(WRONG, tmp_path)
    lines = WRONG.splitlines()
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("import"):
            assert f"program.py:{number}: error" in result.stdout, line


def test_the_package_is_typed() -> None:
    assert (Path(str(passband.__file__)).parent / "py.typed").exists()


def test_stubs_are_those_of_the_module(tmp_path: Path) -> None:
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nignore_missing_imports = true\n", encoding="utf-8")
    unseen = Path(__file__).resolve().parents[2] / ".ci/stubtest.txt"
    options = ["--mypy-config-file", config, "--allowlist", unseen, "--ignore-unused-allowlist"]
    command = [sys.executable, "-m", "mypy.stubtest", *map(str, options), "passband"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@each(EXAMPLES)
def test_signatures_are_complete(case: Case) -> None:
    methods = vars(case.cls).items() if inspect.isclass(case.cls) else ()
    for name, member in [("", case.cls), *methods]:
        if callable(member) and not name.startswith("_"):
            for parameter in inspect.signature(member).parameters.values():
                assert parameter.kind is not parameter.VAR_POSITIONAL
                assert parameter.kind is not parameter.VAR_KEYWORD


@pytest.mark.parametrize("shape", [shape for shape in METHODS if shape != "Chain"])
def test_shapes_take_a_type_argument(shape: str) -> None:
    assert getattr(passband.shape, shape)[int] is not None
