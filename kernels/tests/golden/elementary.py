"""Writes `elementary.txt`: elementary functions of float64 in 200 bits, by mpmath.

usage: elementary.py > elementary.txt

A line is the function, the bits of its arguments and those of the result as the sum of two numbers,
the second in units of the last place of the first.
"""

import random
import struct
from collections.abc import Callable
from typing import Any

from mpmath import mp, mpf

mp.prec = 1200
rng = random.Random(1)


def of_bits(bits: int) -> float:
    """The number that these bits stand for."""
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def to_bits(x: float) -> str:
    """The bits of a number, in hexadecimal."""
    return f"{struct.unpack('<Q', struct.pack('<d', x))[0]:016x}"


def line(name: str, arguments: list[float], exact: Any) -> str:
    """One line of the file."""
    nearest = float(exact)
    ulp = mp.ldexp(1, max(mp.frexp(mpf(nearest))[1] - 53, -1074))
    rest = float((exact - mpf(nearest)) / ulp)
    return " ".join([name, *map(to_bits, arguments), to_bits(nearest), f"{rest:.4f}"])


def anywhere() -> float:
    """A number of any size above zero."""
    return of_bits(rng.randrange(1, 0x7FF0_0000_0000_0000))


def uniform(low: float, high: float) -> Callable[[], float]:
    """Numbers between two."""
    return lambda: rng.uniform(low, high)


def near_multiple() -> float:
    """The float64 next to a multiple of pi/2."""
    return float(rng.randrange(1, 1_000_000) * mp.pi / 2)


def tangent() -> Any:
    """A random point, at any angle."""
    angle, size = rng.uniform(-3.2, 3.2), anywhere()
    return [float(mp.sin(angle) * size), float(mp.cos(angle) * size)]


N = 250
ARGUMENTS: dict[str, list[Callable[[], float]]] = {
    "exp": [uniform(-745.1, 709.7), uniform(-1, 1), lambda: anywhere() ** 0.5 * 1e-160],
    "log": [anywhere, uniform(0.5, 2), lambda: 1 + rng.uniform(-1, 1) * 2.0 ** -rng.randrange(50)],
    "power_to_db": [anywhere, uniform(0.5, 2), uniform(0, 1000)],
    "sin": [uniform(-3.2, 3.2), uniform(-1.6e6, 1.6e6), near_multiple, anywhere],
    "cos": [uniform(-3.2, 3.2), uniform(-1.6e6, 1.6e6), near_multiple, anywhere],
}
FUNCTIONS = {
    "exp": mp.exp,
    "log": mp.log,
    "power_to_db": lambda x: 10 * mp.log10(x),
    "sin": mp.sin,
    "cos": mp.cos,
}

for name, makers in ARGUMENTS.items():
    for make in makers:
        for _ in range(N):
            x = make()
            if name != "exp" or abs(x) < 800:
                print(line(name, [x], FUNCTIONS[name](mpf(x))))
# The worst that searches have found.
for x in (0.7049467499054584, 0.7032):
    print(line("log", [x], mp.log(mpf(x))))
y, x = 0.738996817069789, 1.754880222455949
print(line("phase", [x, y], mp.atan2(mpf(y), mpf(x))))
for _ in range(2 * N):
    y, x = tangent()
    print(line("phase", [x, y], mp.atan2(mpf(y), mpf(x))))
