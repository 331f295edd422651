"""What converters refuse."""

from refused import Row

WRONG: list[Row] = [
    *[
        (f"{name}(iq={value})", TypeError, f"iq: expected True or False, given {value}")
        for code in ("U8", "I8", "I16", "I32")
        for name in (f"{code}ToF32", f"F32To{code}")
        for value in (1, None)
    ],
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
    ("to_q15([1j])", TypeError, "x: expected dtype=float64, float32, given dtype=complex128"),
    ("to_q15(np.int16([1]))", TypeError, "x: expected dtype=float64, float32, given dtype=int16"),
]
