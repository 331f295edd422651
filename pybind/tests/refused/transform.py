"""What transforms refuse."""

from refused import Row

WRONG: list[Row] = [
    *[
        (f"Fft({n})", ValueError, f"n: expected a power of two, from 1 to 2.24, given {n}")
        for n in (0, 3, 12, 2**25, 2**62)
    ],
    ("Fft(8.0)", TypeError, "n: expected an integer, given 8.0"),
    ("Fft(8, inverse=1)", TypeError, "inverse: expected True or False, given 1"),
    ("Fft(8, dtype='float32')", TypeError, "dtype: expected one of complex128, complex64, given"),
]
