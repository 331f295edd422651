"""Writes `find_peaks.txt`: signals, conditions, and the peaks that SciPy finds.

Run as `python find_peaks.py > find_peaks.txt`, with NumPy 2.4 and SciPy 1.17.
"""

import numpy as np
from scipy.signal import find_peaks

LENGTH = 60
NONE = (None, None)


def signals() -> dict[str, np.ndarray]:
    """Noise, a walk with plateaus and ties, hills with ripples, and a pulse train."""
    rng = np.random.default_rng(20260101)
    n = np.arange(LENGTH)
    return {
        "noise": rng.standard_normal(LENGTH).round(6),
        "walk": np.cumsum(rng.integers(-1, 2, LENGTH)).astype(float),
        "hills": (3 * np.sin(n / 6) + 0.5 * np.sin(n * 1.9) + n / 40).round(6),
        "train": np.where(n % 10 == 7, 5 + n / 100, 0) + rng.uniform(0, 0.1, LENGTH).round(6),
    }


# Distances only where no two peaks are equally high: NumPy's sort leaves their order open.
CONDITIONS = [
    {},
    {"height": (0.25, None)},
    {"height": (None, 2.5), "threshold": (0.05, None)},
    {"threshold": (None, 1.5)},
    {"prominence": (0.5, None), "width": (1.5, 9.0)},
    {"prominence": (None, 2.0), "wlen": 9, "rel_height": 0.25},
    {"wlen": 12, "rel_height": 1.0},
    {"rel_height": 1.25},
    {"distance": 4},
    {"distance": 9, "height": (0.0, None), "prominence": (0.25, None)},
]


def main() -> None:
    """Writes every signal under every condition."""
    for name, x in signals().items():
        print("signal", name, *map(repr, x.tolist()))
        for conditions in CONDITIONS:
            if "distance" in conditions and name == "walk":
                continue
            pairs = ("height", "threshold", "prominence", "width")
            limits = {pair: conditions.get(pair, NONE) for pair in pairs}
            words = [f"{pair} {low} {high}" for pair, (low, high) in limits.items()]
            numbers = {"distance": 1, "wlen": None, "rel_height": 0.5}
            numbers = {key: conditions.get(key, value) for key, value in numbers.items()}
            words += [f"{key} {value}" for key, value in numbers.items()]
            print("conditions", *words)
            peaks, found = find_peaks(x, **limits, **numbers)
            for peak in zip(
                peaks.tolist(),
                found["peak_heights"].tolist(),
                found["prominences"].tolist(),
                found["widths"].tolist(),
                strict=True,
            ):
                print("peak", *map(repr, peak))


main()
