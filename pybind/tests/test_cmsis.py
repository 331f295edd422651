"""CMSIS-DSP's reference patterns for filters and changes of rate.

The folder that PASSBAND_RECORDINGS names holds them in `cmsis/`. References are exact outputs,
rounded. Each test asks for no less than the library's own does: a signal to error, and an error of
the worst sample. Where that library cuts off, passband rounds, which is nearer to the references.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest

FOLDER = os.environ.get("PASSBAND_RECORDINGS")

if not FOLDER and os.environ.get("PASSBAND_REQUIRE_RECORDINGS") != "1":
    pytest.skip(
        "SKIPPED THE PATTERNS: PASSBAND_RECORDINGS names no folder", allow_module_level=True
    )

# What taps and samples are as arrays, and the argument that says so.
TYPES = {"f32": "float32", "q15": "int16", "q31": "int32"}


def pattern(folder: str, name: str, dtype: str) -> Any:
    """The numbers of a file: hexadecimal words after the letter of their size and their count."""
    (path,) = (Path(FOLDER or "") / "cmsis" / folder).glob(f"{name}_*.txt")
    lines = [line for line in path.read_text().split("\n") if line and not line.startswith("//")]
    codes = [int(line, 16) for line in lines[2:]]
    assert len(codes) == int(lines[1])
    return np.array(codes, {"W": np.uint32, "H": np.uint16}[lines[0]]).view(dtype)


def agrees(y: Any, expected: Any, snr_db: float, worst: float) -> None:
    """Compares outputs with a reference; the worst error is in codes, of floats relative."""
    assert (y.dtype, y.shape) == (expected.dtype, expected.shape)
    y, expected = y.astype("f8"), expected.astype("f8")
    error = np.abs(y - expected)
    assert np.sum(error**2) <= np.sum(expected**2) * 10 ** (-snr_db / 10)
    assert (error <= (worst if worst >= 1 else worst * np.abs(expected))).all()


def kind(folder: str) -> tuple[str, str]:
    """The type of the arrays and `dtype=` of a pattern."""
    name = folder.split("_")[1]
    return TYPES[name], "float32" if name == "f32" else name


@pytest.mark.parametrize(
    ("folder", "snr_db", "worst"),
    [("fir_f32", 120, 3e-5), ("fir_q15", 59, 2), ("fir_q31", 100, 2)],
)
def test_fir(folder: str, snr_db: float, worst: float) -> None:
    array, dtype = kind(folder)
    taps, x = pattern(folder, "FirCoefs1", array), pattern(folder, "FirInput1", array)
    outputs: list[Any] = []
    for half, count in pattern(folder, "FirConfigs1", "i2").reshape(-1, 2).tolist():
        # The library takes its taps in reverse.
        fir, taps = passband.Fir(taps[:count][::-1], dtype=dtype), taps[count:]
        outputs += [fir.steps(x[:half]), fir.steps(x[half : 2 * half])]
    assert len(taps) == 0
    agrees(np.concatenate(outputs), pattern(folder, "FirRefs1", array), snr_db, worst)


@pytest.mark.parametrize(
    ("folder", "snr_db", "worst"),
    [("biquad_f32", 94, 2e-4), ("biquad_q15", 30, 500), ("biquad_q31", 115, 1000)],
)
def test_biquads(folder: str, snr_db: float, worst: float) -> None:
    array, dtype = kind(folder)
    # The library takes -a1 and -a2, in Q15 a zero after b0, and of codes a quarter.
    rows = pattern(folder, "BiquadCoefs1", array).reshape(3, -1)
    b, a = rows[:, [0, -4, -3]], -rows[:, -2:]
    one = 1 if dtype == "float32" else 1 << 8 * rows.itemsize - 3
    sos = passband.Sos(np.hstack([b, np.full((3, 1), one, array), a]), dtype=dtype)
    first, second = np.split(pattern(folder, "BiquadInput1", array), 2)
    y = np.concatenate([sos.steps(first), sos.steps(second)])
    agrees(y, pattern(folder, "BiquadOutput1", array), snr_db, worst)


def changes(name: str, folder: str, number: int) -> Iterator[tuple[Any, Any]]:
    """Outputs of a class for each config of a pattern, and their references."""
    array, dtype = kind(folder)
    taps, x, expected = (
        pattern(folder, f"{part}{number}", array) for part in ("Coefs", "Input", "Reference")
    )
    configs = pattern(folder, f"Configs{number}", "u4").reshape(-1, 4)
    assert len(configs) >= 36
    for factor, count, inputs, outputs in configs.tolist():
        own, taps = taps[:count][::-1], taps[count:]
        yield (
            getattr(passband, name)(own, factor, dtype=dtype).execute(x[:inputs]),
            expected[:outputs],
        )
        expected, x = expected[outputs:], x[inputs:]
    assert len(taps) == len(x) == len(expected) == 0


@pytest.mark.parametrize(
    ("folder", "snr_db", "worst"), [("decim_q15", 70, 5), ("decim_q31", 100, 2)]
)
def test_decimators_of_codes(folder: str, snr_db: float, worst: float) -> None:
    y, expected = zip(*changes("FirDecimator", folder, 2), strict=True)
    agrees(np.concatenate(y), np.concatenate(expected), snr_db, worst)


@pytest.mark.parametrize(
    ("folder", "number", "name"),
    [("decim_f32", 2, "FirDecimator"), ("interp_f32", 3, "FirInterpolator")],
)
def test_rates_are_changed_as_by_the_patterns(folder: str, number: int, name: str) -> None:
    for y, expected in changes(name, folder, number):
        agrees(y, expected, 120, np.inf)


def test_convolution() -> None:
    a, b = (pattern("conv_f32_13x11", f"Inputs{name}1", "f4") for name in "AB")
    padded = np.concatenate([a[:13], np.zeros(10, np.float32)])
    y = passband.Fir(b[:11]).steps(padded)
    agrees(y, pattern("conv_f32_13x11", "Reference80", "f4"), 120, 1e-5)
