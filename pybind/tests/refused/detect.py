"""What detectors refuse."""

from refused import Row

WRONG: list[Row] = [
    ("BurstDetector(1.0, 2.0)", ValueError, "off: expected .* at most `on`, given 2.0"),
    ("BurstDetector(0.0, 0.0)", ValueError, "on: expected a finite power above 0, given 0.0"),
    ("BurstDetector(NAN, 1.0)", ValueError, "on: expected a finite power above 0, given nan"),
    ("BurstDetector(INF, 1.0)", ValueError, "on: expected a finite power above 0, given inf"),
    ("BurstDetector(1.0, NAN)", ValueError, "off: expected a power above 0, .*, given nan"),
    ("BurstDetector(1.0, -1.0)", ValueError, "off: expected a power above 0, .*, given -1.0"),
    ("BurstDetector(1.0, 1.0, hang=-1)", ValueError, "hang: expected a count .*, given -1"),
    ("BurstDetector(1.0, 1.0, hang=0.5)", TypeError, "hang: expected an integer, given 0.5"),
    ("BurstDetector(1.0, 1.0, min_length=0)", ValueError, "min_length: expected at least 1"),
    ("BurstDetector(1.0, 1.0, dtype='float64')", TypeError, "dtype: expected one of float32, comp"),
    ("PulseSlicer(1, 2)", ValueError, "off: expected a finite number, at most `on`, given 2.0"),
    ("PulseSlicer(NAN, 0)", ValueError, "on: expected a finite number, given nan"),
    ("PulseSlicer(1, 0, min_length=0)", ValueError, "min_length: expected at least 1"),
    ("PulseSlicer(1, 0, dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    *[
        (f"find_peaks([1.0], {name}={value})", TypeError, f"{name}: expected a number or a pair")
        for name in ("height", "threshold", "prominence", "width")
        for value in ("'a'", "(1,)", "(1, 2, 3)", "['a', None]", "np.zeros(3)", "{}")
    ],
    ("find_peaks([1.0], height=NAN)", ValueError, "height: expected numbers, given nan"),
    ("find_peaks([1.0], width=(None, NAN))", ValueError, "width: expected numbers, given nan"),
    ("find_peaks([1.0], distance=0.5)", ValueError, "distance: expected at least 1 .*, given 0.5"),
    ("find_peaks([1.0], distance=NAN)", ValueError, "distance: expected at least 1 .*, given nan"),
    ("find_peaks([1.0], wlen=1)", ValueError, "wlen: expected .*, given 1"),
    ("find_peaks([1.0], rel_height=-1)", ValueError, "rel_height: expected .*, given -1"),
    ("find_peaks([1j])", TypeError, "x: expected dtype=float64, float32, given dtype=complex128"),
]
