"""Signal processing by streaming kernels: filters, oscillators, decimators, detectors.

Families are submodules (`passband.filter`), and their classes and functions are also here, except
those of `passband.math` and `passband.fixed`. `passband.shape` tells how classes are called.
`passband.arena`, shared memory between processes, and `passband.cuda`, transfers to CUDA devices,
have to be imported by their own names.
"""

from passband._native import *
