"""Times passband beside other Python packages, each table in one run."""

import call_overhead
import fir
import gil
import placement

for table in (fir, call_overhead, gil, placement):
    table.main()
    print()
