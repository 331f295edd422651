"""Times passband beside other Python packages, each table in one run."""

import call_overhead
import fir
import gil

import kernels

for table in (fir, kernels, call_overhead, gil):
    table.main()
    print()
