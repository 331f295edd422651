"""Run the command line: ``python -m passband``."""

import sys

from passband_command import main

if __name__ == "__main__":
    sys.exit(main())
