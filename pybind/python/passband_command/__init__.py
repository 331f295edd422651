"""The command ``passband``, outside of the package, whose import can fail or be stopped."""

import sys


def main() -> int:
    """Run the command line and return the exit status."""
    try:
        from passband import cli
    except ValueError as error:  # the level in PASSBAND_SIMD
        print(f"passband: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("passband: interrupted; nothing was written", file=sys.stderr)
        return 130
    return cli.main()
