"""Constructors: what makes no sense is refused, by name."""

import inspect
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import passband
import pytest
from surface import OBJECTS, Case, each

NAN, INF = float("nan"), float("inf")

WRONG = [
    # Taps.
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
    ("Chain([FftFir([1.0])])", TypeError, r"stages: .*FftFir.* stage 0, which holds .* flush\(\)"),
    # Decimators.
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
    # Rates, frequencies and thresholds.
    *[
        (f"{call}={value})", ValueError, f"{argument}: expected a finite number, given")
        for call, argument in [
            ("LocalOscillator(freq", "freq"),
            ("LocalOscillator(0.1, phase", "phase"),
            ("Mixer(freq", "freq"),
            ("Mixer(0.1, phase", "phase"),
            ("Nco(phase", "phase"),
            ("FmDemod(gain", "gain"),
            ("Chirp(rate=0.0, freq", "freq"),
            ("Chirp(0.1, rate", "rate"),
            ("Chirp(0.1, 0.0, phase", "phase"),
        ]
        for value in ("NAN", "INF", "-INF")
    ],
    *[
        (f"{name}(0.1, fs={value})", ValueError, "fs: expected a finite number above 0, given")
        for name in ("LocalOscillator", "Mixer")
        for value in (0, -1, -0.0, "NAN", "INF", "-INF")
    ],
    ("LocalOscillator('a')", TypeError, "freq: expected a real number, given 'a'"),
    ("LocalOscillator(1j)", TypeError, "freq: expected a real number, given 1j"),
    ("Mixer(0.1, fs=None)", TypeError, "fs: expected a real number, given None"),
    (
        "LocalOscillator(1e308, fs=1e-300)",
        ValueError,
        "freq / fs: expected a finite number, given 1e308 / 1e-300",
    ),
    (
        "LocalOscillator(0.1, fs=1e-320)",
        ValueError,
        "freq / fs: expected a finite number, given 0.1 / 1e-320",
    ),
    ("FmDemod(gain=1e39)", ValueError, "gain: expected a finite number, given 1e39"),
    ("FmDemod(gain='1')", TypeError, "gain: expected a real number, given '1'"),
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
    # Converters and windows.
    ("U8ToF32(iq=1)", TypeError, "iq: expected True or False, given 1"),
    ("I16ToF32(iq=None)", TypeError, "iq: expected True or False, given None"),
    ("F32ToU8(iq=1)", TypeError, "iq: expected True or False, given 1"),
    ("F32ToI16(dither=0.5)", TypeError, "dither: expected an integer, given 0.5"),
    ("F32ToI16(dither=-1)", ValueError, "dither: expected a seed from 0 to 2.64 - 1, given -1"),
    ("F32ToI16(dither=2**64)", ValueError, "dither: expected a seed from 0 to 2.64 - 1, given 184"),
    ("Adc(0)", ValueError, "bits: expected 1 to 32, given 0"),
    ("Adc(33)", ValueError, "bits: expected 1 to 32, given 33"),
    ("Adc(2**40)", ValueError, "bits: expected 1 to 32, given 1099511627776"),
    ("Adc(8.0)", TypeError, "bits: expected an integer, given 8.0"),
    ("Adc(8, full_scale=0)", ValueError, "full_scale: expected a finite number, .*, given 0.0"),
    ("Adc(8, full_scale=INF)", ValueError, "full_scale: expected a finite number, .*, given inf"),
    ("Adc(8, full_scale=NAN)", ValueError, "full_scale: expected a finite number, .*, given nan"),
    ("Adc(8, dtype='int16')", TypeError, "dtype: expected one of float64, complex64, complex128"),
    ("from_q7(np.int16([1]))", TypeError, "x: expected dtype=q7 .int8 codes., given dtype=int16"),
    ("from_q15([0.5])", TypeError, "x: expected dtype=q15 .int16 codes., given dtype=float64"),
    ("from_q31([1], dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    ("hann(3, sym=2)", TypeError, "sym: expected True or False, given 2"),
    ("kaiser(3)", TypeError, "kaiser.. missing 1 required positional argument: 'beta'"),
    ("kaiser(3, -1)", ValueError, "beta: expected a finite number, at least 0, given -1.0"),
    ("kaiser(3, NAN)", ValueError, "beta: expected a finite number, at least 0, given nan"),
    ("kaiser(3, '5')", TypeError, "beta: expected a real number, given '5'"),
    ("hann(3, dtype='complex64')", TypeError, "dtype: expected one of float32, float64, given"),
    ("fixed.shift([1], 0.5)", TypeError, r"bits: expected an integer, given 0\.5 \(float\)"),
    ("fixed.add(np.uint8([1]), [1])", TypeError, "a: expected dtype=q15 .int16 codes., q7 .*uint8"),
    ("fixed.add([0.5], [0.5])", TypeError, "a: expected dtype=q15 .int16 codes., q7 .*float64"),
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
    ("Unwrap(period=-1)", ValueError, "period: expected a finite number above 0, given -1.0"),
    ("Unwrap(period=INF)", ValueError, "period: expected a finite number above 0, given inf"),
    ("Unwrap(dtype='complex64')", TypeError, "dtype: expected one of float64, float32, given"),
    ("math.sin([1j])", TypeError, "x: expected dtype=float64, float32, given dtype=complex128"),
    ("math.conj(np.float32([1]))", TypeError, "x: expected dtype=complex128, complex64, given"),
    ("to_q15([1j])", TypeError, "x: expected dtype=float64, float32, given dtype=complex128"),
    ("to_q15(np.int16([1]))", TypeError, "x: expected dtype=float64, float32, given dtype=int16"),
    # Sections.
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
    # Averages.
    ("MovingAverage(0)", ValueError, "length: expected at least 1 sample, given 0"),
    ("MovingAverage(2**62)", MemoryError, ""),
    ("MovingAverage(1.5)", TypeError, "length: expected an integer, given 1.5"),
    ("MovingAverage(3, dtype='int16')", TypeError, "dtype: expected one of float64, .*, given"),
    *[
        (f"DcBlocker({pole})", ValueError, "pole: expected a number above 0 and below 1, given")
        for pole in (0, 1, -0.5, "NAN", "INF")
    ],
    ("MovingMedian(0)", ValueError, "length: expected 1 to 2.31 - 1 samples, given 0"),
    ("MovingMedian(2**62)", MemoryError, ""),
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
        for length in (0, 1, 5, 64)
    ],
    ("Hilbert(2**62 - 1)", MemoryError, ""),
    ("Hilbert(7, beta=-1)", ValueError, "beta: expected a finite number, at least 0, given -1.0"),
    ("Hilbert(7, dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    # Adaptive filters and loops.
    ("Lms(0, 0.5)", ValueError, "length: expected at least one tap, given 0"),
    ("Lms(2**62, 0.5)", MemoryError, ""),
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
    ("Pid(1, fs=0)", ValueError, "fs: expected a finite number above 0, given 0.0"),
    ("Pid(1, dtype='complex64')", TypeError, "dtype: expected one of float64, float32"),
    ("Nlms(0, 0.5)", ValueError, "length: expected at least one tap, given 0"),
    ("Nlms(2**62, 0.5)", MemoryError, ""),
    *[
        (f"Nlms(4, {step})", ValueError, "step_size: expected .*, given")
        for step in (0, 2, -1, "NAN", "INF")
    ],
    ("Nlms(4, 0.5, regularization=-1)", ValueError, "regularization: expected .*, given -1.0"),
    ("Nlms(4, 0.5, dtype='q31')", TypeError, "dtype: expected one of .*, given 'q31'"),
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
    # Delays, levels, pulses and peaks.
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
    ("FractionalDelay(2, order=2)", ValueError, "order: expected 1, 3, 5 or 7, given 2"),
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
    ("LevelMeter(full_scale=0)", ValueError, "full_scale: expected a finite number above 0, given"),
    ("LevelMeter(full_scale=NAN)", ValueError, "full_scale: expected .*, given nan"),
    ("LevelMeter(full_scale=1e39)", ValueError, "full_scale: expected .*, given 1e39"),
    ("LevelMeter(full_scale=2, dtype='q15')", ValueError, "full_scale: expected at most 1.0"),
    ("LevelMeter(dtype='int16')", TypeError, "dtype: expected one of .*, given 'int16'.*'q15'"),
    ("PowerAverager(dtype='q15')", TypeError, "dtype: expected one of .*, given 'q15'"),
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
    # Transforms.
    *[
        (f"Fft({n})", ValueError, f"n: expected a power of two, from 1 to 2.24, given {n}")
        for n in (0, 3, 12, 2**25, 2**62)
    ],
    ("Fft(8.0)", TypeError, "n: expected an integer, given 8.0"),
    ("Fft(8, inverse=1)", TypeError, "inverse: expected True or False, given 1"),
    ("Fft(8, dtype='float32')", TypeError, "dtype: expected one of complex128, complex64, given"),
    (
        "Sos([[1, 0, 0, 1, 0, 0]], channels=0)",
        ValueError,
        "channels: expected at least one, given 0",
    ),
    ("Sos([[1, 0, 0, 1, 0, 0]], channels=2**62)", MemoryError, ""),
    ("Sos([[1, 0, 0, 1, 0, 0]], channels=1.0)", TypeError, "channels: expected an integer, given"),
    ("Chain([Fft(8)])", TypeError, "stages: .*, given .*Fft.* as stage 0"),
    ("Chain([Nlms(1, 1)])", TypeError, "stages: .*, given .*Nlms.* as stage 0"),
    ("Chain([Pll(0.1)])", TypeError, "stages: .*, given .*Pll.* as stage 0"),
    ("Chain([PowerAverager()])", TypeError, "stages: .*, given .*PowerAverager.* as stage 0"),
    ("Chain([LevelMeter()])", TypeError, "stages: .*, given .*LevelMeter.* as stage 0"),
    ("Chirp(0.1, 0.0, fs=0)", ValueError, "fs: expected a finite number above 0, given 0"),
    ("Chirp(0.1, 1.0, fs=1e-200)", ValueError, "rate / fs / fs: expected a finite number"),
    ("Chirp(0.1, 'fast')", TypeError, "rate: expected a real number, given 'fast'"),
    *[
        (f"Impulse({arguments}={value})", ValueError, f"{name}: expected .*, given {value}")
        for arguments, name, values in (
            ("delay", "delay", (-1, 2**64)),
            ("0, period", "period", (-1, 0, 2**64)),
        )
        for value in values
    ],
    *[
        (f"Noise({seed})", ValueError, r"seed: expected an integer from 0 to 2\^64 - 1, given")
        for seed in (-1, 2**64)
    ],
    ("Noise(0.5)", TypeError, "seed: expected an integer, given 0.5"),
    ("Noise(None)", TypeError, "seed: expected an integer, given None"),
    (
        "Noise(1, distribution='normal')",
        ValueError,
        "distribution: expected 'gaussian' or 'uniform'",
    ),
    ("Noise(1, distribution=1)", TypeError, "distribution: expected 'gaussian' or 'uniform'"),
    ("Noise(1, dtype='int16')", TypeError, "dtype: expected one of .*, given 'int16'"),
    ("Impulse(1.5)", TypeError, "delay: expected an integer, given 1.5"),
    ("Step(-1)", ValueError, r"delay: expected an integer from 0 to 2\^64 - 1, given -1"),
    ("Step(0, dtype='int16')", TypeError, "dtype: expected one of .*, given 'int16'"),
    *[
        (f"Pn({length})", ValueError, f"length: expected 2 to 64, given {length}")
        for length in (0, 1, 65, 2**40)
    ],
    ("Pn(10.0)", TypeError, "length: expected an integer, given 10.0"),
    *[
        (
            f"Pn(10, polynomial={bits})",
            ValueError,
            "polynomial: expected degree 10, with the term 1",
        )
        for bits in (0, 1, 0b11, 0b10000001000, 0b100000000001, 2**100)
    ],
    ("Pn(10, polynomial=-1)", ValueError, "polynomial: expected coefficients up to degree 64"),
    ("Pn(10, polynomial=[10, 3])", TypeError, "polynomial: expected an integer, given"),
    *[
        (
            f"Pn(10, state={state})",
            ValueError,
            rf"state: expected 1 to 2\^length - 1, given {state}",
        )
        for state in (0, 1024, -1, 2**64)
    ],
    ("Pn(10, dtype='int16')", TypeError, "dtype: expected one of .*, given 'int16'"),
    *[
        (f"Gold({length}, 0)", ValueError, f"length: expected 5, 6, .* or 18, given {length}")
        for length in (0, 4, 8, 12, 16, 19, 2**40)
    ],
    *[
        (f"Gold(10, {shift})", ValueError, rf"shift: expected .* 2\^.* - ., given {shift}")
        for shift in (-1, 1023, 2**64)
    ],
    ("Gold(10, 1.0)", TypeError, "shift: expected an integer, given 1.0"),
    ("Pn(10).advance(-1)", ValueError, r"count: expected an integer from 0 to 2\^64 - 1, given -1"),
    ("Gold(10, 5).advance(2**64)", ValueError, r"count: expected an integer from 0 to 2\^64 - 1"),
    ("Nco(fs=0)", ValueError, "fs: expected a finite number above 0, given 0"),
    ("Nco(fs=5e-324)", ValueError, "fs: expected a number whose reciprocal is finite, given 5"),
    # What is out of range in the precision of the samples.
    *[
        (f"Nlms(2, {step})", ValueError, f"step_size: expected above 0, below 2 .*, given {step}")
        for step in ("1.9999999999999", "1e-60")
    ],
    (
        "Nlms(2, 1, regularization=1e300)",
        ValueError,
        "regularization: expected a number that is finite .*, given 1e300",
    ),
    # Chains.
    ("Chain([])", ValueError, "stages: expected at least one kernel, given 0"),
    ("Chain(1)", TypeError, "stages: expected a sequence of kernels, given 1"),
    (
        "Chain([1])",
        TypeError,
        "stages: expected .*Blockwise or VariableLength, .*, given 1 .*stage 0",
    ),
    (
        "Chain([LocalOscillator(0.1)])",
        TypeError,
        "stages: .*, given .*LocalOscillator.* as stage 0",
    ),
    ("Chain([BurstDetector(1, 1)])", TypeError, "stages: .*, given .*BurstDetector.* as stage 0"),
    ("Chain([Mixer(0.1), Fir([1.0])])", TypeError, "stages: expected float64 .*, given complex64"),
    ("Chain([F32ToI16(), I16ToF32(iq=True)])", TypeError, "stages: expected pairs of int16"),
    (
        "Chain([F32ToI16(iq=True), I16ToF32()])",
        TypeError,
        "stages: expected int16 .*pairs of int16",
    ),
    (
        "Chain([Fir([1.0]) for _ in range(65)])",
        ValueError,
        "stages: expected at most 64 kernels, given 65",
    ),
    ("Chain([Fir([1.0])] * 2)", ValueError, "stages: expected each object once, given Fir twice"),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG, ids=[row[0] for row in WRONG])
def test_arguments_that_make_no_sense_are_refused(
    call: str, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=f"^{text}"):
        eval(call, {"np": np, "NAN": NAN, "INF": INF, **vars(passband)})


@each(OBJECTS)
def test_arguments_beyond_the_signature_are_refused(case: Case) -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        case.cls(level="scalar")


@each(OBJECTS)
def test_shown_defaults_are_the_real_ones(case: Case) -> None:
    bind = inspect.signature(case.cls).bind
    bound = eval(f"bind({case.arguments})", {"bind": bind, "passband": passband})
    bound.apply_defaults()
    explicit = case.cls(*bound.args, **bound.kwargs)
    x = case.x(40)
    a, b = case.call(explicit, x), case.call(case.make(), x)
    assert a.dtype == b.dtype
    assert a.tobytes() == b.tobytes()


def test_dtype_may_be_anything_that_names_a_type() -> None:
    for dtype in ("complex64", "c8", np.complex64, np.dtype("complex64"), "F"):
        fir = passband.Fir([1.0, 0.5], dtype=dtype)
        assert fir.steps(np.zeros(1, np.complex64)).dtype == np.complex64
        assert fir.taps.dtype == np.float32


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", ">f8", ">c8"])
def test_the_type_is_that_of_the_taps(dtype: str) -> None:
    native = np.dtype(dtype).newbyteorder("=")
    fir = passband.Fir(np.ones(2, dtype))
    assert fir.taps.dtype == native
    assert fir.steps(np.zeros(1, native)).dtype == native


def test_lists_are_double_precision() -> None:
    assert passband.Fir([1, 2]).taps.dtype == np.float64
    assert passband.Fir((1.5, 2)).taps.dtype == np.float64
    assert passband.Fir([1j]).taps.dtype == np.complex128
    assert passband.Fir([np.float32(1)], dtype="float32").taps.dtype == np.float32


def test_taps_are_rounded_once_to_the_precision_of_the_samples() -> None:
    taps = np.array([0.1, 1 / 3])
    for dtype, expected in (
        ("float32", np.float32),
        ("complex64", np.float32),
        ("complex128", np.float64),
    ):
        same = passband.Fir(taps, dtype=dtype).taps
        assert same.dtype == expected
        assert (same == taps.astype(expected)).all()


def test_taps_may_lie_in_any_way() -> None:
    taps = np.arange(1.0, 9.0)
    read_only = taps.copy()
    read_only.flags.writeable = False
    for view in (taps[::2], taps[::-1], taps.astype(">f8"), read_only, np.asfortranarray(taps)):
        assert passband.Fir(view).taps.tolist() == view.tolist()


def test_codes_are_taps_of_fixed_point() -> None:
    codes = passband.to_q15([0.5, 0.25])
    for taps in (codes, codes.tolist(), codes.astype("int64"), codes.astype(">i2")):
        fir = passband.Fir(taps, dtype="q15")
        assert fir.taps.dtype == np.int16
        assert fir.taps.tolist() == [16384, 8192]
        assert fir.steps(np.int16([32767, 0])).tolist() == [16384, 8192]
        assert type(fir.step(1)) is np.int16


class Number:
    """Something that raises, or gives `answer`, when it is asked for a number or an array."""

    def __init__(self, answer: object) -> None:
        self.answer, self.asked = answer, 0

    def give(self, *_: object, **__: object) -> Any:
        """Does what every question leads to."""
        self.asked += 1
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    __index__ = __float__ = __array__ = give


ASKING: list[tuple[str, Callable[[Any], object]]] = [
    ("count", passband.LocalOscillator(0.1).steps),
    ("n", passband.hann),
    ("factor", lambda number: passband.FirDecimator([1.0], number)),
    ("freq", passband.Mixer),
    ("taps", passband.Fir),
    ("x", passband.Fir([1.0]).steps),
    ("x", passband.to_q15),
]


@pytest.mark.parametrize(("name", "call"), ASKING)
def test_what_the_callers_code_raises_is_kept(name: str, call: Callable[[Any], object]) -> None:
    for error in (KeyboardInterrupt(), MemoryError(), ZeroDivisionError()):
        with pytest.raises(type(error)) as raised:
            call(Number(error))
        assert raised.value is error
    for refusal in (TypeError("no"), ValueError("no"), OverflowError("no")):
        with pytest.raises(TypeError, match=f"^{name}: expected") as raised_instead:
            call(Number(refusal))
        assert raised_instead.value.__cause__ is refusal
    with pytest.raises(TypeError, match=f"^{name}: expected"):
        call(Number("a text"))


def test_integers_are_asked_for_once() -> None:
    for answer, error in ((3, None), (-1, ValueError), (2**70, OverflowError)):
        number = Number(answer)
        with pytest.raises(error, match="^n: expected") if error else nullcontext():
            assert len(passband.hann(number)) == 3
        assert number.asked == 1


def test_taps_round_without_errors_of_floating_point() -> None:
    with np.errstate(all="raise"):
        assert passband.Fir([1e-300, 1e300], dtype="float32").taps.tolist() == [0, INF]
