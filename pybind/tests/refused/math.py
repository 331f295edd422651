"""What functions of samples refuse."""

from refused import Row

WRONG: list[Row] = [
    ("math.clamp([0.0], 1, -1)", ValueError, "high: expected at least low, 1.0, given -1.0"),
    ("math.clamp([0.0], NAN, 1)", ValueError, "low: expected a number, given nan"),
    ("math.clamp([0.0], 0, NAN)", ValueError, "high: expected at least low, 0.0, given nan"),
    ("math.power_to_db([1.0], NAN)", ValueError, "floor: expected a number, given nan"),
    ("math.amplitude_to_db([1.0], 'a')", TypeError, "floor: expected a real number, given 'a'"),
    ("math.scale([1.0], 1j)", TypeError, "gain: expected a real number, given 1j"),
    ("math.add([1], ['1'])", TypeError, "b: expected samples of float64, given .*'1'"),
    ("math.mul(np.int16([1]), [1])", TypeError, "a: expected dtype=float64, float32, .*int16"),
    ("math.mac([1.0], [1.0], [1j])", TypeError, "b: expected dtype=float64, .*the type of acc"),
    ("math.dot([1.0], [1, 2])", ValueError, "b: expected as many samples as a, 1, given 2"),
    ("math.unwrap([1.0], 0)", ValueError, "period: expected a finite number above 0, given 0.0"),
    ("math.unwrap([1.0], NAN)", ValueError, "period: expected a finite number above 0, given nan"),
    ("math.unwrap([1j])", TypeError, "x: expected dtype=float64, float32, given dtype=complex128"),
    ("math.sin([1j])", TypeError, "x: expected dtype=float64, float32, given dtype=complex128"),
    ("math.conj(np.float32([1]))", TypeError, "x: expected dtype=complex128, complex64, given"),
]
