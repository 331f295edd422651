"""Look after arenas: ``python -m passband.arena sweep``."""

from __future__ import annotations

import sys

from passband.arena import sweep
from passband.cli import Parser


def main() -> int:
    """Run the command line; the result is the exit status."""
    parser = Parser(
        prog="python -m passband.arena", description="Look after the shared memory of arenas."
    )
    commands = parser.add_subparsers(metavar="sweep", required=True)
    commands.add_parser(
        "sweep",
        help="remove the named arenas that killed processes left behind",
        description="Remove the named arenas of this user that no process has attached, as killed "
        "processes leave them behind, and print their names. Arenas in use stay, and those without "
        "a name need no sweeping: they end with their last process.",
    )
    parser.parse_args()
    for name in sweep():
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
