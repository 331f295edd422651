"""The wheel: built, installed and run where the source is not."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
from surface import once

PYBIND = Path(__file__).resolve().parent.parent

PROGRAM = """
import passband, sys
assert passband.__file__.startswith(sys.prefix), passband.__file__
y = passband.Chain([passband.Mixer(0.25), passband.FmDemod()]).execute([1, 1, 1])
assert y.dtype == "float32" and len(y) == 3
print(passband.Fir.steps.__doc__.splitlines()[0])
"""


@once
def test_the_wheel_runs_outside_of_the_tree(tmp_path: Path) -> None:
    def run(*command: object) -> str:
        words = [str(word) for word in command]
        result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    maturin = Path(sys.executable).with_name("maturin")
    manifest = ("--manifest-path", PYBIND / "Cargo.toml")
    build = (maturin, "build", "--profile=wheel", "--interpreter", sys.executable)
    run(*build, *manifest, "--out", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    assert "-cp311-abi3-" in wheel.name
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("py.typed", "__init__.pyi", "filter.pyi", "shape.pyi", "_native.abi3.so"):
        assert f"passband/{name}" in names
    assert "passband_command/__init__.py" in names
    for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert any(name.endswith(f".dist-info/licenses/{licence}") for name in names)
    (path,) = [name for name in names if name.endswith("/METADATA")]
    metadata = zipfile.ZipFile(wheel).read(path).decode()
    assert "\nLicense-Expression: MIT OR Apache-2.0\n" in metadata
    assert "\nRequires-Dist: numpy>=1.24\n" in metadata

    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    # NumPy is that of this interpreter: what is new is the wheel.
    site = next((environment / "lib").glob("python*/site-packages"))
    (site / "numpy.pth").write_text(str(Path(np.__file__).parents[1]), encoding="utf-8")
    python = environment / "bin/python"
    run(
        sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel
    )
    assert run(environment / "bin/passband", "--version").startswith("passband ")
    output = run(python, "-I", "-c", PROGRAM)
    assert output.startswith("Gives the outputs of a block of samples")
