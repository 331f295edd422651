"""What works with any driver, each in a process of its own: `python scenarios.py NAME`.

They need nothing but the package and NumPy, so that `make gpu-check` can run them where there is
neither Rust nor pytest. Those in `NEEDS` are left out where the library of their name is not here.
"""

import sys

import batch_scenarios  # noqa: F401
import library_scenarios  # noqa: F401
import memory_scenarios  # noqa: F401
import process_scenarios  # noqa: F401
from registry import NEEDS, SCENARIOS

__all__ = ["NEEDS", "SCENARIOS"]

if __name__ == "__main__":
    SCENARIOS[sys.argv[1]]()
