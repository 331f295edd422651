"""What a call costs beside its work: a FIR of one tap, fresh and with `out=`."""

import doppler.filter
import numpy as np
import passband
from timing import interleaved, loop

REPEATS = 2000
ROUNDS = 100


def main() -> None:
    """Prints nanoseconds per call and the ratios to doppler-dsp's."""
    taps = np.ones(1, np.float32)
    calls = {
        "passband": passband.Fir(taps, dtype="complex64").steps,
        "doppler-dsp": doppler.filter.FIR(taps).execute,
        "np.negative": np.negative,
    }
    print(f"{'ns per call':<14}{'n':>6}{'fresh':>9}{'out=':>9}{'/ doppler':>12}{'/ doppler':>11}")
    for n in (1, 64, 1024):
        x = np.ones(n, np.complex64)
        runs = {"": loop("pass", {}, REPEATS)}
        for name, call in calls.items():
            names = {"call": call, "x": x, "y": np.empty_like(x)}
            runs[f"{name} fresh"] = loop("call(x)", names, REPEATS)
            runs[f"{name} out"] = loop("call(x, out=y)", names, REPEATS)
        seconds = interleaved(runs, ROUNDS)
        ns = {name: 1e9 * (time - seconds[""]) / REPEATS for name, time in seconds.items()}
        for name in calls:
            fresh, out = ns[f"{name} fresh"], ns[f"{name} out"]
            ratios = fresh / ns["doppler-dsp fresh"], out / ns["doppler-dsp out"]
            print(f"{name:<14}{n:>6}{fresh:>9.0f}{out:>9.0f}{ratios[0]:>12.2f}{ratios[1]:>11.2f}")


if __name__ == "__main__":
    main()
