"""What demodulators refuse."""

from refused import Row

WRONG: list[Row] = [
    ("FmDemod(gain=1e39)", ValueError, "gain: expected a finite number, given 1e39"),
    ("FmDemod(gain='1')", TypeError, "gain: expected a real number, given '1'"),
    ("Unwrap(period=-1)", ValueError, "period: expected a finite number above 0, given -1.0"),
    ("Unwrap(period=INF)", ValueError, "period: expected a finite number above 0, given inf"),
    ("Unwrap(dtype='complex64')", TypeError, "dtype: expected one of float64, float32, given"),
    *[
        (f"FmDemod(gain={value})", ValueError, "gain: expected a finite number, given")
        for value in ("NAN", "INF", "-INF")
    ],
]
