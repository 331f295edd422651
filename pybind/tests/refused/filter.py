"""What filters refuse."""

from refused import Row

WRONG: list[Row] = [
    ("Fir([])", ValueError, "taps: expected at least one tap, given 0"),
    ("Fir([[1.0]])", ValueError, "taps: expected 1 dimension, given 2"),
    ("Fir(1.0)", ValueError, "taps: expected 1 dimension, given 0"),
    ("Fir(None)", TypeError, "taps: expected samples of .*, given None"),
    ("Fir('text')", TypeError, "taps: expected samples of .*, given 'text'"),
    ("Fir([object()])", TypeError, "taps: expected samples of .*"),
    ("Fir(np.float16([1]))", TypeError, "taps: expected float32, .*, given float16"),
    ("Fir(np.longdouble([1]))", TypeError, "taps: expected float32, .*"),
    ("Fir(np.ma.array([1.0]))", TypeError, "taps: expected an array without a mask"),
    ("Fir(np.int16([1]))", TypeError, "taps: expected floating-point .*passband.to_q15"),
    ("Fir(np.arange(3), dtype='float32')", TypeError, "taps: .*passband.to_q15"),
    ("Fir([0.5], dtype='q15')", TypeError, "taps: expected integer codes .*passband.to_q15"),
    ("Fir(np.float32([1]), dtype='q15')", TypeError, "taps: .*given float32; passband.to_q15"),
    ("Fir([1j], dtype='q15')", TypeError, "taps: expected integer codes"),
    ("Fir([32768], dtype='q15')", ValueError, "taps: expected codes from -32768 to 32767"),
    ("Fir([128], dtype='q7')", ValueError, "taps: expected codes from -128 to 127"),
    ("Fir([0.5], dtype='q31')", TypeError, "taps: expected integer codes .*passband.to_q31"),
    ("Fir([1], dtype='int32')", TypeError, "dtype: expected one of .*, given 'int32'.*'q31'"),
    ("Fir([1.0], dtype='int16')", TypeError, "dtype: expected one of .*, given 'int16'.*'q15'"),
    ("Fir([1.0], dtype='half')", TypeError, "dtype: expected one of .*, given 'half'"),
    ("Fir([1.0], dtype=3)", TypeError, "dtype: expected one of .*, given 3"),
    ("Fir([1.0], dtype='>f4')", TypeError, "dtype: expected one of .*, given '>f4'"),
    ("FftFir([])", ValueError, "taps: expected 1 to 2.22 taps, given 0"),
    ("FftFir([1], dtype='q15')", TypeError, "dtype: expected one of .*, given 'q15'"),
    (
        "FftFir(np.ones(2**22 + 1, 'f4'))",
        ValueError,
        "taps: expected 1 to 2.22 taps, given 4194305",
    ),
    ("Sos([])", ValueError, "sos: expected 2 dimensions, given 1"),
    ("Sos([1, 0, 0, 1, 0, 0])", ValueError, "sos: expected 2 dimensions, given 1"),
    ("Sos(np.zeros((0, 6)))", ValueError, "sos: expected at least one section, given array"),
    ("Sos(np.zeros((2, 5)))", ValueError, r"sos: expected shape \(n, 6\), given \(2, 5\)"),
    ("Sos([[1, 0, 0, 2, 0, 0]])", ValueError, "sos: expected sections with an a0 of 1, given"),
    ("Sos([[1, 0, 0, 1, NAN, 0]])", ValueError, "sos: expected finite coefficients, .* given"),
    ("Sos([[1j, 0, 0, 1, 0, 0]])", TypeError, "sos: expected real coefficients, given complex128"),
    ("Sos(np.ones((1, 6), int))", TypeError, r"sos: .*given int64; sos.astype\(float\) makes"),
    ("Sos([[1, 0, 0, 1, 0, 0]], dtype='q7')", TypeError, "dtype: expected one of .*given 'q7'"),
    ("Sos([[1, 0, 0, 1, 0, 0]], dtype='q15')", ValueError, "sos: expected .* power of two"),
    ("Sos([[1, 0, 0, 32767, 0, 0]], dtype='q31')", ValueError, "sos: expected .* power of two"),
    ("Sos([[0.5, 0, 0, 0.5, 0, 0]], dtype='q31')", TypeError, "sos: expected integer.*to_q31"),
    ("MovingAverage(0)", ValueError, "length: expected at least 1 sample, given 0"),
    ("MovingAverage(2**62)", MemoryError, ""),
    ("MovingAverage(1.5)", TypeError, "length: expected an integer, given 1.5"),
    ("MovingAverage(3, dtype='int16')", TypeError, "dtype: expected one of float64, .*, given"),
    *[
        (f"DcBlocker({pole})", ValueError, "pole: expected a number above 0 and below 1, given")
        for pole in (0, 1, -0.5, "NAN", "INF")
    ],
    ("MovingMedian(0)", ValueError, "length: expected 1 to 2.31 - 1 samples, given 0"),
    ("MovingMedian(2**31)", ValueError, "length: expected 1 to 2.31 - 1 samples, given 2147483648"),
    ("MovingMedian(2**62)", ValueError, "length: expected 1 to 2.31 - 1 samples, given"),
    ("MovingMedian(3, dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    *[
        (f"OnePole({alpha})", ValueError, "alpha: expected a weight from 2.-32 to 1, given")
        for alpha in (0, 1.5, -0.5, "NAN", "INF")
    ],
    *[
        (f"Deemphasis({time})", ValueError, "time_constant: expected a time above 0 .*, given")
        for time in (0, -1, 2e6, "NAN", "INF")
    ],
    (
        "Deemphasis(75e-6, fs=1e12)",
        ValueError,
        "time_constant: expected .*, given 7.5e-5 at fs=1000000000000.0",
    ),
    ("Deemphasis(75e-6, fs=0)", ValueError, "fs: expected a finite number above 0, given 0.0"),
    *[
        (f"Allpass({a1})", ValueError, "a1: expected a number above -1 and below 1, given")
        for a1 in (1, -1, "NAN", "INF")
    ],
    ("Allpass(0, 1)", ValueError, "a2: expected a number above -1 and below 1, given 1.0"),
    ("Allpass(1.5, 0.5)", ValueError, r"a1: expected a magnitude below 1 \+ a2, given 1.5"),
    ("Allpass(0, 'a')", TypeError, "a2: expected a real number, given 'a'"),
    *[
        (f"Hilbert({length})", ValueError, f"length: expected 3, 7, 11, .. taps, given {length}")
        for length in (0, 1, 5, 64, 2**62)
    ],
    ("Hilbert(2**62 - 1)", MemoryError, ""),
    ("Hilbert(2**62 - 1, beta=NAN)", ValueError, "beta: expected a finite number"),
    ("Hilbert(7, beta=-1)", ValueError, "beta: expected a finite number, at least 0, given -1.0"),
    ("Hilbert(7, dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    ("Lms(0, 0.5)", ValueError, "length: expected at least one tap, given 0"),
    ("Lms(2**62, 0.5)", MemoryError, ""),
    ("Lms(2**62, NAN)", ValueError, "step_size: expected above 0 and finite .*, given nan"),
    *[
        (f"Lms(4, {step})", ValueError, "step_size: expected above 0 and finite .*, given")
        for step in (0, -1, 1e-60, 1e60, "NAN", "INF")
    ],
    *[
        (
            f"{name}(4, {step}, dtype='q15')",
            ValueError,
            "step_size: expected above 0, below 2 .*, given",
        )
        for name in ("Lms", "Nlms")
        for step in (1e-5, 2.0)
    ],
    *[
        (f"Pid({values})", ValueError, f"{name}: expected a finite number, given")
        for name, values in (("kp", "NAN"), ("ki", "1, INF"), ("kd", "1, 0, -INF"))
    ],
    (
        "Pid(1, derivative_time=-1)",
        ValueError,
        "derivative_time: expected a finite time, at least 0, given -1.0",
    ),
    ("Pid(1, low=NAN)", ValueError, "low: expected a number, given nan"),
    ("Pid(1, low=1, high=0.5)", ValueError, "high: expected at least low, given 0.5"),
    ("Pid(1, high='a')", TypeError, "high: expected a real number, given 'a'"),
    *[
        (
            f"Pid({values})",
            ValueError,
            rf"{name}: expected a finite number, given {given} at fs={fs}",
        )
        for values, name, given, fs in (
            ("1, 1, 1, fs=1e-320", "ki / fs", "1.0", "1e-320"),
            ("1, 0, 1e300, fs=1e10", r"kd \* fs", "1e300", "10000000000.0"),
            (
                "1, derivative_time=1e300, fs=1e10",
                r"derivative_time \* fs",
                "1e300",
                "10000000000.0",
            ),
        )
    ],
    ("Pid(1, fs=0)", ValueError, "fs: expected a finite number above 0, given 0.0"),
    ("Pid(1, dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    ("Nlms(0, 0.5)", ValueError, "length: expected at least one tap, given 0"),
    ("Nlms(2**62, 0.5)", MemoryError, ""),
    ("Nlms(2**62, 2)", ValueError, "step_size: expected .*, given 2.0"),
    *[
        (f"Nlms(4, {step})", ValueError, "step_size: expected .*, given")
        for step in (0, 2, -1, "NAN", "INF")
    ],
    ("Nlms(4, 0.5, regularization=-1)", ValueError, "regularization: expected .*, given -1.0"),
    ("Nlms(4, 0.5, dtype='q31')", TypeError, "dtype: expected one of .*, given 'q31'"),
    (
        "Sos([[1, 0, 0, 1, 0, 0]], channels=0)",
        ValueError,
        "channels: expected at least one, given 0",
    ),
    ("Sos([[1, 0, 0, 1, 0, 0]], channels=2**62)", MemoryError, ""),
    ("Sos([[1, 0, 0, 2, 0, 0]], channels=2**62)", ValueError, "sos: expected .* a0 of 1, given"),
    ("Sos([[1, 0, 0, 1, 0, 0]], channels=1.0)", TypeError, "channels: expected an integer, given"),
    *[
        (f"Nlms(2, {step})", ValueError, f"step_size: expected above 0, below 2 .*, given {step}")
        for step in ("1.9999999999999", "1e-60")
    ],
    (
        "Nlms(2, 1, regularization=1e300)",
        ValueError,
        "regularization: expected a number that is finite .*, given 1e300",
    ),
]
