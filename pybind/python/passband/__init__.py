"""Signal processing by streaming kernels: filters, oscillators, decimators, detectors.

Families are submodules (`passband.filter`), and their classes and functions are also here, except
those of `passband.math` and `passband.fixed`. `passband.shape` tells how classes are called.
`passband.arena`, shared memory between processes, has to be imported by its own name.
"""

from passband._native import *
