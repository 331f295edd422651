"""Times passband beside other Python packages, each table in one run."""

import call_overhead
import fir
import gil

for table in (fir, call_overhead, gil):
    table.main()
    print()
