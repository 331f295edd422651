"""What changes of rate refuse."""

from refused import Row

WRONG: list[Row] = [
    ("FirDecimator([], 2)", ValueError, "taps: expected at least one tap, given 0"),
    ("FirDecimator([1.0], 0)", ValueError, "factor: expected 1 to 16777216, given 0"),
    ("FirDecimator([1.0], -2)", ValueError, "factor: expected at least 1, given -2"),
    ("FirDecimator([1.0], 2.0)", TypeError, "factor: expected an integer, given 2.0"),
    ("FirDecimator([1.0], 2**70)", OverflowError, "factor: expected at most"),
    ("FirDecimator([1.0], 2, phase=2)", ValueError, "phase: expected 0 to factor - 1, given 2"),
    ("FirDecimator([1.0], 2, phase=-1)", ValueError, "phase: expected .*, given -1"),
    ("FirDecimator([1.0], 2, phase=None)", TypeError, "phase: expected an integer, given None"),
    ("FirInterpolator([], 2)", ValueError, "taps: expected at least one tap, given 0"),
    ("FirInterpolator([1.0], 0)", ValueError, "factor: expected 1 to 16777216, given 0"),
    ("FirInterpolator([1.0], 2**25)", ValueError, "factor: expected .*, given 33554432"),
    ("RationalResampler([], 2, 3)", ValueError, "taps: expected at least one tap, given 0"),
    ("RationalResampler([1.0], 0, 3)", ValueError, "up: expected 1 to 16777216, given 0"),
    ("RationalResampler([1.0], 2, 0)", ValueError, "down: expected 1 to 16777216, given 0"),
    ("RationalResampler([1.0], 2, 2.5)", TypeError, "down: expected an integer, given 2.5"),
    ("RationalResampler([1.0], 2, 3, phase=3)", ValueError, "phase: expected 0 to down - 1, given"),
    *[
        (f"{name}({factor}, {order}, delay={delay})", ValueError, f"{wrong}: expected .*, given")
        for name in ("CicDecimator", "CicInterpolator")
        for factor, order, delay, wrong in (
            (0, 1, 1, "factor"),
            (2, 0, 1, "order"),
            (2, 9, 1, "order"),
            (2, 1, 0, "delay"),
            (2, 1, 3, "delay"),
            (128, 8, 1, "factor"),
        )
    ],
    ("CicDecimator(4, 1, phase=4)", ValueError, "phase: expected 0 to factor - 1, given 4"),
    ("CicDecimator(4, 1.0)", TypeError, "order: expected an integer, given 1.0"),
    ("CicDecimator(4, 1, dtype='float32')", TypeError, "dtype: expected one of q15, q31, given"),
    *[
        (f"{name}({taps})", ValueError, "taps: expected 3, 7, 11, .. of them, zero at odd places")
        for name in ("HalfbandDecimator", "HalfbandInterpolator")
        for taps in ("[]", "[1.0]", "np.ones(5)", "np.ones(7)", "np.ones(2)")
    ],
    ("HalfbandDecimator([0.5, 1, 0.5], dtype='q15')", TypeError, "taps: expected integer codes"),
    *[
        (f"ArbitraryResampler({ratio})", ValueError, "ratio: expected from 1/1024 to 65536, given")
        for ratio in (0, -1, 0.0009, 65537, "NAN", "INF")
    ],
    ("Ddc(0.1, [1.0], 2, dtype='float64')", TypeError, "dtype: expected one of float32, complex64"),
    ("Duc(0.1, [1.0], 2, real_part=1)", TypeError, "real_part: expected True or False, given 1"),
    *[
        (f"Farrow({ratio})", ValueError, "ratio: expected from 1/1024 to 65536, given")
        for ratio in (0, -1, 0.0009, 65537, "NAN", "INF")
    ],
    *[
        (f"Farrow(1, order={order})", ValueError, f"order: expected 1, 3, 5 or 7, given {order}")
        for order in (0, 2, 9)
    ],
    ("Farrow(1, order=3.0)", TypeError, "order: expected an integer, given 3.0"),
    ("Farrow(1, phase=-1)", ValueError, "phase: expected a time from 0 to .*, given -1"),
    ("Farrow(1, dtype='int16')", TypeError, "dtype: expected one of float32, float64"),
    ("ArbitraryResampler('a')", TypeError, "ratio: expected a real number, given 'a'"),
    ("ArbitraryResampler(1, stopband=80)", ValueError, "stopband: expected 60, 100 or 140, given"),
    ("ArbitraryResampler(1, stopband=60.0)", TypeError, "stopband: expected an integer, given 60"),
    (
        "ArbitraryResampler(1, phase=-1)",
        ValueError,
        "phase: expected a time from 0 to .*, given -1",
    ),
    ("ArbitraryResampler(1, phase=NAN)", ValueError, "phase: expected a time from 0 to .*, given"),
    ("ArbitraryResampler(1, dtype='int16')", TypeError, "dtype: expected one of float32, float64"),
    ("FirDecimator([0.5], 2, dtype='q7')", TypeError, "taps: expected integer codes .*to_q7"),
    ("FirInterpolator([1], 2, dtype='q15')", TypeError, "dtype: expected one of .*, given 'q15'"),
    *[
        (f"{name}({arguments})", error, text)
        for name in ("Ddc", "Duc")
        for arguments, error, text in (
            ("NAN, [1.0], 2", ValueError, "freq: expected a finite number, given nan"),
            ("0.1, [1.0], 2, phase=INF", ValueError, "phase: expected a finite number, given inf"),
            ("0.1, [1.0], 2, fs=0", ValueError, "fs: expected a finite number above 0, given 0.0"),
            ("'a', [1.0], 2", TypeError, "freq: expected a real number, given 'a'"),
            ("0.1, [], 2", ValueError, "taps: expected at least one tap, given 0"),
            ("0.1, [1j], 2", TypeError, "taps: expected real numbers, given complex ones"),
            ("0.1, np.ones(3, int), 2", TypeError, "taps: expected floating-point numbers"),
            ("0.1, [[1.0]], 2", ValueError, "taps: expected 1 dimension"),
            ("0.1, [1.0], 0", ValueError, "factor: expected 1 to 16777216, given 0"),
            ("0.1, [1.0], 2.0", TypeError, "factor: expected an integer, given 2.0"),
        )
    ],
]
