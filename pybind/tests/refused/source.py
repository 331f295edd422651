"""What sources refuse."""

from refused import Row

WRONG: list[Row] = [
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
        "freq / fs: expected a finite number, given 1e308 at fs=1e-300",
    ),
    (
        "LocalOscillator(0.1, fs=1e-320)",
        ValueError,
        "freq / fs: expected a finite number, given 0.1 at fs=1e-320",
    ),
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
    ("Gold(10, 1.0)", TypeError, "shift: expected an integer, given 1.0"),
    ("Pn(10).advance(-1)", ValueError, r"count: expected an integer from 0 to 2\^64 - 1, given -1"),
    ("Gold(10, 5).advance(2**64)", ValueError, r"count: expected an integer from 0 to 2\^64 - 1"),
    ("Nco(fs=0)", ValueError, "fs: expected a finite number above 0, given 0"),
    ("Nco(fs=5e-324)", ValueError, "fs: expected a number whose reciprocal is finite, given 5"),
    *[
        (f"{call}={value})", ValueError, f"{argument}: expected a finite number, given")
        for call, argument in [
            ("LocalOscillator(freq", "freq"),
            ("LocalOscillator(0.1, phase", "phase"),
            ("Mixer(freq", "freq"),
            ("Mixer(0.1, phase", "phase"),
            ("Nco(phase", "phase"),
            ("Chirp(rate=0.0, freq", "freq"),
            ("Chirp(0.1, rate", "rate"),
            ("Chirp(0.1, 0.0, phase", "phase"),
        ]
        for value in ("NAN", "INF", "-INF")
    ],
    *[
        (f"Gold(10, {shift})", ValueError, rf"shift: expected .* 2\^.* - ., given {shift}")
        for shift in (-1, 1023, 2**64)
    ],
]
