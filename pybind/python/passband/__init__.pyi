"""Signal processing by streaming kernels: filters, oscillators, decimators, detectors.

Families are submodules; every class is also here.
"""

from passband.filter import *

def simd_level() -> str:
    """Names the SIMD level that kernels run at: 'scalar', 'baseline', 'avx2' or 'avx512'.

    It is the widest of this CPU, or the one that the environment variable PASSBAND_SIMD asked
    for before the import.

    >>> passband.simd_level() in ("scalar", "baseline", "avx2", "avx512")
    True
    """
