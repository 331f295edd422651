"""What loops refuse."""

from refused import Row

WRONG: list[Row] = [
    *[
        (f"{call.format(value)}", ValueError, "loop_bandwidth: expected .*, given")
        for call in ("Pll({})", "SymbolSync(4, {})")
        for value in (0, 0.6, -0.1, "NAN", "INF")
    ],
    ("Pll(600.0, fs=1000.0)", ValueError, "loop_bandwidth: expected .*, given 600.0"),
    ("Pll(0.1, damping=0)", ValueError, "damping: expected a finite number above 0, given 0.0"),
    ("Pll(0.1, freq=NAN)", ValueError, "freq: expected a finite number, given nan"),
    ("Pll(0.1, fs=0)", ValueError, "fs: expected a finite number above 0, given 0"),
    ("Pll('a')", TypeError, "loop_bandwidth: expected a real number, given 'a'"),
    *[
        (
            f"SymbolSync({rate}, 0.01)",
            ValueError,
            "samples_per_symbol: expected from 2 to 2.32, given",
        )
        for rate in (1.9, -4, "NAN", "INF", "2.0**33")
    ],
    ("SymbolSync(4, 0.01, damping=INF)", ValueError, "damping: expected .*, given inf"),
    (
        "SymbolSync(4, 0.01, dtype='float64')",
        TypeError,
        "dtype: expected one of complex64, float32",
    ),
]
