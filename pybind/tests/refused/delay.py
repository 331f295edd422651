"""What delays refuse."""

from refused import Row

WRONG: list[Row] = [
    ("DelayLine(-1)", ValueError, "length: expected a count of at least 0, given -1"),
    ("DelayLine(2**62)", MemoryError, ""),
    *[
        (f"FractionalDelay({arguments})", ValueError, f"delay: expected .* samples, given {given}")
        for arguments, given in (
            ("0.5", "0.5"),
            ("-1", "-1.0"),
            ("NAN", "nan"),
            ("INF, max_delay=8", "inf"),
            ("8.5, max_delay=8", "8.5"),
            ("1.75, max_delay=8, order=5", "1.75"),
            ("22.5, stopband=60", "22.5"),
        )
    ],
    *[
        (
            f"FractionalDelay(2, order={order})",
            ValueError,
            f"order: expected 1, 3, 5 or 7, given {order}$",
        )
        for order in (2, 8, 2**31, 2**62)
    ],
    ("FractionalDelay(30, stopband=80)", ValueError, "stopband: expected 60, 100 or 140, given 80"),
    (
        "FractionalDelay(8, max_delay=1, order=5)",
        ValueError,
        "max_delay: expected at least min_delay, given",
    ),
    ("FractionalDelay(8, max_delay=8.0)", TypeError, "max_delay: expected an integer, given 8.0"),
    ("FractionalDelay(1e30)", MemoryError, ""),
    ("FractionalDelay('a')", TypeError, "delay: expected a real number, given 'a'"),
    ("FractionalDelay(2, dtype='int16')", TypeError, "dtype: expected one of float64, complex64"),
]
