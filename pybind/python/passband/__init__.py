"""Signal processing by streaming kernels: filters, oscillators, decimators, detectors.

Families are submodules (`passband.filter`), and their classes and functions are also here, except
those of `passband.math` and `passband.fixed`. `passband.shape` tells how classes are called.
"""

from passband._native import *
