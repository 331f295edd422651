"""Oscillators, sequences, noise."""

from typing import Any

import numpy as np
from scipy import signal
from surface import Case

from references import arguments


def tone(freq: float, phase: float, n: int) -> Any:
    """Turns at a constant rate."""
    return np.exp(2j * np.pi * (freq * np.arange(n) + phase))


def local_oscillator(case: Case, made: Any, n: Any) -> Any:
    """A tone."""
    given = arguments(case)
    return tone(given.freq / given.fs, given.phase, n)


def mixer(case: Case, made: Any, x: Any) -> Any:
    """The samples times a tone."""
    return x * local_oscillator(case, made, len(x))


def nco(case: Case, made: Any, x: Any) -> Any:
    """Turns at the rates that samples give."""
    given = arguments(case)
    turns = given.phase + np.concatenate([[0], np.cumsum(x / given.fs)[:-1]])
    return np.exp(2j * np.pi * turns)


def chirp(case: Case, made: Any, n: Any) -> Any:
    """A sweep by SciPy, whose phases are in degrees."""
    given = arguments(case)
    sweep = [np.arange(n) / given.fs, given.freq, 1, given.freq + given.rate]
    phase = 360 * given.phase
    return signal.chirp(*sweep, phi=phase) + 1j * signal.chirp(*sweep, phi=phase - 90)


def impulse(case: Case, made: Any, n: Any) -> Any:
    """An impulse, again after each period."""
    given = arguments(case)
    period = given.period or n
    first = signal.unit_impulse(n, given.delay)
    return signal.lfilter([1], [1] + [0] * (period - 1) + [-1], first)


def step(case: Case, made: Any, n: Any) -> Any:
    """The sum of an impulse."""
    return np.cumsum(signal.unit_impulse(n, arguments(case).delay))


def register(polynomial: int, state: int, n: int) -> Any:
    """A linear recurrence modulo 2 by its definition."""
    length = polynomial.bit_length() - 1
    terms = [k for k in range(length) if polynomial >> k & 1]
    bits = [state >> k & 1 for k in range(length)]
    for i in range(n):
        bits.append(sum(bits[i + k] for k in terms) % 2)
    return np.array(bits[:n])


def chips(case: Case, bits: Any) -> Any:
    """Bits as 0 and 1, or as 1 and -1."""
    return bits if case.output == "uint8" else 1 - 2 * bits


def pn(case: Case, made: Any, n: Any) -> Any:
    """A maximal sequence: SciPy's, where it has one, or of the polynomial."""
    given = arguments(case)
    if given.length <= 32 and given.polynomial is None:
        return chips(case, signal.max_len_seq(given.length, length=n)[0].astype(int))
    polynomial = given.polynomial or 1 << 64 | 0xB << 60 | 1
    return chips(case, register(polynomial, given.state or (1 << given.length) - 1, n))


def gold(case: Case, made: Any, n: Any) -> Any:
    """The sum of two maximal sequences, the second of which is shifted."""
    given = arguments(case)
    ones = (1 << given.length) - 1
    pairs = {5: (0x29, 0x2F), 10: (0x481, 0x597), 18: (0x40801, 0x42901)}
    u, v = (register(polynomial, ones, n + ones) for polynomial in pairs[given.length])
    return chips(case, u[:n] ^ v[ones - given.shift :][:n])


def philox(seed: int, n: int) -> Any:
    """Words of Philox4x32-10 by its definition, as fractions."""
    words: list[int] = []
    for block in range((n + 3) // 4):
        a, b, c, d = block, 0, 0, 0
        k, m = seed & 0xFFFFFFFF, seed >> 32
        for _ in range(10):
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b, c, d = q >> 32 ^ b ^ k, q & 0xFFFFFFFF, p >> 32 ^ d ^ m, p & 0xFFFFFFFF
            k, m = (k + 0x9E3779B9) & 0xFFFFFFFF, (m + 0xBB67AE85) & 0xFFFFFFFF
        words += [a, b, c, d]
    return (np.array(words[:n]) + 0.5) / 2**32


def noise(case: Case, made: Any, n: Any) -> Any:
    """Noise by its formula."""
    given, is_complex = arguments(case), "complex" in case.output
    u = philox(given.seed, 2 * n)
    if given.distribution == "uniform":
        parts = 2 * u - 1
    else:
        power = 1 if is_complex else 2
        pairs = np.sqrt(-power * np.log(u[::2])) * np.exp(2j * np.pi * u[1::2])
        parts = pairs.view(float)
    return parts.view(complex)[:n] if is_complex else parts[:n]
