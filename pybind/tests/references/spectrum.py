"""Windows, by SciPy."""

from typing import Any

from scipy import signal
from surface import Case

from references import arguments


def window(case: Case, made: Any, n: Any) -> Any:
    """The window that SciPy has of this name."""
    return getattr(signal.windows, case.name.replace("_", ""))(n, sym=arguments(case).sym)


hann = hamming = blackman = blackman_harris = flattop = window


def kaiser(case: Case, made: Any, n: Any) -> Any:
    """The window of Kaiser."""
    given = arguments(case)
    return signal.windows.kaiser(n, given.beta, sym=given.sym)
