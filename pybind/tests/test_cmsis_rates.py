"""CMSIS-DSP's reference patterns for decimators and interpolators.

The folder that PASSBAND_RECORDINGS names holds them in `cmsis/`.
"""

import os
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

# The least signal to error that the library's own tests of these patterns ask for.
SNR_DB = 120


def words(path: Path, dtype: str) -> Any:
    """The numbers of a pattern: hexadecimal words after a letter and a count."""
    lines = [line for line in path.read_text().split("\n") if line and not line.startswith("//")]
    codes = [int(line, 16) for line in lines[2:]]
    assert len(codes) == int(lines[1])
    return np.array(codes, np.uint32).view(dtype)


@pytest.mark.parametrize(
    ("folder", "number", "name"),
    [("decim_f32", 2, "FirDecimator"), ("interp_f32", 3, "FirInterpolator")],
)
def test_rates_are_changed_as_by_the_patterns(folder: str, number: int, name: str) -> None:
    def pattern(name: str, dtype: str = "f4") -> Any:
        (path,) = (Path(FOLDER or "") / "cmsis" / folder).glob(f"{name}{number}_*.txt")
        return words(path, dtype)

    taps, x, expected = pattern("Coefs"), pattern("Input"), pattern("Reference")
    configs = pattern("Configs", "u4").reshape(-1, 4)
    assert len(configs) >= 36
    for factor, count, inputs, outputs in configs.tolist():
        # The library takes its taps in reverse.
        own, taps = taps[:count][::-1], taps[count:]
        y = getattr(passband, name)(own, factor).execute(x[:inputs])
        wanted, expected, x = expected[:outputs], expected[outputs:], x[inputs:]
        assert y.shape == wanted.shape
        error = np.sum((y - wanted) ** 2, dtype="f8")
        assert error <= np.sum(wanted**2, dtype="f8") * 10 ** (-SNR_DB / 10)
    assert len(taps) == len(x) == len(expected) == 0
