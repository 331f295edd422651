"""Functions of samples where IEEE 754 has something special to say: the answers are NumPy's."""

from typing import Any

import numpy as np
import passband
import pytest

SPECIAL = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan]
TYPES = ("float32", "float64", "complex64", "complex128")


def every(dtype: str, arrays: int) -> Any:
    """Arrays that together hold every combination of special numbers, or many of complex ones."""
    if dtype.startswith("float"):
        return [x.ravel() for x in np.array(np.meshgrid(*[SPECIAL] * arrays), dtype)]
    rng = np.random.default_rng(1)
    return rng.choice(SPECIAL, (arrays, 5000, 2)).view("c16")[..., 0].astype(dtype)


def identical(result: Any, expected: Any) -> None:
    """Asserts the same numbers with the same signs, also of zeros; a NaN is a NaN."""
    assert result.dtype == expected.dtype
    for one, other in ((result.real, expected.real), (result.imag, expected.imag)):
        np.testing.assert_array_equal(one, other)
        number = ~np.isnan(other)
        np.testing.assert_array_equal(np.signbit(one[number]), np.signbit(other[number]))


@pytest.mark.parametrize("dtype", TYPES)
def test_special_numbers_are_combined_as_numpy_does_it(dtype: str) -> None:
    with np.errstate(invalid="ignore"):
        acc, a, b = every(dtype, 3)
        identical(passband.math.add(a, b), a + b)
        identical(passband.math.sub(a, b), a - b)
        identical(passband.math.mul(a, b), a * b)
        identical(passband.math.mac(acc, a, b), acc + a * b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_leaves_no_phase_behind_it(dtype: str, bad: float) -> None:
    x = (np.arange(200) * 2.5 % 6 - 3).astype(dtype)
    for at in (0, 1, 63, 64, 65, 199):
        y = x.copy()
        y[at] = bad
        with np.errstate(invalid="ignore"):
            missing = np.isnan(np.unwrap(y))
        missing[at] = True
        np.testing.assert_array_equal(np.isnan(passband.math.unwrap(y)), missing)
        np.testing.assert_array_equal(np.isnan(passband.Unwrap(dtype=dtype).steps(y)), missing)
