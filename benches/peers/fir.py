"""The speed of a FIR of 64 real taps on complex64 beside that of other packages."""

import doppler.filter
import numpy as np
import passband
from scipy import signal
from timing import interleaved

ROUNDS = 40


def main() -> None:
    """Prints millions of samples per second."""
    taps = signal.firwin(64, 0.2).astype(np.float32)
    fir, peer = passband.Fir(taps, dtype="complex64"), doppler.filter.FIR(taps)
    print(f"{'FIR, 64 taps':<18}{'n':>8}{'MSa/s':>10}   (passband at {passband.simd_level()})")
    for n in (4096, 65536):
        x = np.ones(n, np.complex64)
        runs = {
            "passband": lambda x=x: fir.steps(x),
            "doppler-dsp": lambda x=x: peer.execute(x),
            "scipy lfilter": lambda x=x: signal.lfilter(taps, 1, x),
        }
        for name, seconds in interleaved(runs, ROUNDS).items():
            print(f"{name:<18}{n:>8}{n / seconds / 1e6:>10.1f}")


if __name__ == "__main__":
    main()
