"""What windows refuse."""

from refused import Row

WRONG: list[Row] = [
    ("hann(3, sym=2)", TypeError, "sym: expected True or False, given 2"),
    ("kaiser(3)", TypeError, "kaiser.. missing 1 required positional argument: 'beta'"),
    ("kaiser(3, -1)", ValueError, "beta: expected a finite number, at least 0, given -1.0"),
    ("kaiser(3, NAN)", ValueError, "beta: expected a finite number, at least 0, given nan"),
    ("kaiser(3, '5')", TypeError, "beta: expected a real number, given '5'"),
    ("hann(3, dtype='complex64')", TypeError, "dtype: expected one of float32, float64, given"),
]
