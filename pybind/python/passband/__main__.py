"""Run the command line: ``python -m passband``."""

import sys

from passband.cli import main

sys.exit(main())
