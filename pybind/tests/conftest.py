"""What holds for every test."""

import signal

# A shell has its background jobs ignore Ctrl-C: tests may run in one, what they start heeds it.
signal.signal(signal.SIGINT, signal.default_int_handler)
