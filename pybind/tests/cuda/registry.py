"""The scenarios by name, and what they have in common."""

import gc
from collections.abc import Callable

import passband.cuda as cuda

SCENARIOS: dict[str, Callable[[], None]] = {}
NEEDS: dict[str, str] = {}
"""The libraries that scenarios need, which themselves need a real driver."""


def scenario(function: Callable[[], None]) -> Callable[[], None]:
    """Enters a function under its name."""
    SCENARIOS[function.__name__] = function
    return function


def needs(library: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Enters a function that needs a library, which itself needs a real driver."""

    def enter(function: Callable[[], None]) -> Callable[[], None]:
        NEEDS[function.__name__] = library
        return scenario(function)

    return enter


def assert_nothing_is_left() -> None:
    """Asserts that all was given back."""
    gc.collect()
    assert cuda.retry_cleanup() == []
    assert cuda.pending() == []
