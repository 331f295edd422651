"""The speed of each kernel beside the best that other packages have for the same job."""

from timing import interleaved

from kernels import arithmetic, codes, detect, filter, level, resample, source, spectrum, sync
from kernels.job import N, signals

ROUNDS = 12
FAMILIES = (filter, resample, source, sync, detect, level, spectrum, codes, arithmetic)


def main() -> None:
    """Prints millions of samples per second and the ratio to the fastest of the others."""
    print(f"{f'kernel, n = {N}':<57}{'MSa/s':>9}{'best other':>24}{'MSa/s':>9}{'ratio':>8}")
    for job in (job for family in FAMILIES for job in family.jobs(*signals())):
        seconds = interleaved({"passband": job.passband, **job.peers}, ROUNDS)
        rate = {name: job.samples / time / 1e6 for name, time in seconds.items()}
        ours = rate.pop("passband")
        best = max(rate, key=lambda name: rate[name])
        print(f"{job.name:<57}{ours:>9.1f}{best:>24}{rate[best]:>9.1f}{ours / rate[best]:>8.2f}")
