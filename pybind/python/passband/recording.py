"""Recordings as :mod:`passband.io` opens them: where the samples are, and how they are read.

Blocks are ``complex64`` (IQ) or ``float32`` (real), full scale being 1; integer codes are converted
by :class:`passband.U8ToF32`, :class:`passband.I8ToF32` and :class:`passband.I16ToF32`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from passband import I8ToF32, I16ToF32, U8ToF32

Samples: TypeAlias = NDArray[np.complex64 | np.float32]
Empty: TypeAlias = Callable[[int, str], NDArray[Any]]
"""Makes an array of a length and a type, to be filled: ``numpy.empty`` does."""

BLOCK = 1 << 18
"""Samples in a block unless told otherwise: 2 MiB of complex64."""


class RecordingError(ValueError):
    """A file that cannot be read as asked; the message is one line and names the file."""


def printable(text: object) -> str:
    """Escape what cannot be printed on one line, such as a line feed in a file name."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))


def digits(value: float) -> str:
    """Write a number to ten digits, in thousands and without an exponent where that can be read.

    >>> digits(-2e6), digits(42666.6), digits(1e-9)
    ('-2,000,000', '42,666.6', '1e-09')
    """
    text = f"{value:.10g}"
    return f"{Decimal(text):,f}" if 1e-6 <= abs(value) < 1e18 else text


@dataclass(frozen=True)
class SampleFormat:
    """How a sample lies in a file: the NumPy type of a component, and whether I and Q alternate."""

    component: str
    iq: bool

    @property
    def bytes(self) -> int:
        """Bytes of one sample."""
        return np.dtype(self.component).itemsize * (2 if self.iq else 1)


_Converter: TypeAlias = U8ToF32 | I8ToF32 | I16ToF32
_CONVERTERS: dict[str, type[_Converter]] = {
    "u1": U8ToF32,
    "i1": I8ToF32,
    "i2": I16ToF32,
}


@dataclass(frozen=True)
class Recording(ABC):
    """A file of samples at a known rate.

    ``rate`` is in hertz, ``length`` in samples, ``iq`` tells complex samples from real ones, and
    ``center`` is the radio frequency at 0 Hz of the recording, where the file says it.
    """

    path: Path
    format: str
    rate: float
    iq: bool
    length: int
    center: float | None

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return self.length / self.rate

    @property
    def dtype(self) -> str:
        """Type of the samples."""
        return "complex64" if self.iq else "float32"

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it lies in: two for SigMF."""
        pair = self.path.suffix == ".sigmf-data"
        return (self.path, self.path.with_suffix(".sigmf-meta")) if pair else (self.path,)

    @property
    @abstractmethod
    def max_power(self) -> float:
        """The largest |x|^2 that its format can hold, infinity where there is no bound."""

    @abstractmethod
    def blocks(self, size: int = BLOCK, *, empty: Empty = np.empty) -> Iterator[Samples]:
        """Yield all samples in order, in fresh arrays of ``size`` (the last one may be shorter).

        ``empty`` makes the arrays. Raises :class:`RecordingError` when the file turns out shorter
        than it was when it was opened.
        """

    def _cut_short(self, left: int) -> RecordingError:
        return RecordingError(
            f"{self.path}: changed while it was read: {left:,} samples are missing at its end"
        )


@dataclass(frozen=True)
class RawRecording(Recording):
    """Samples without a header: the raw formats, and the data file of a SigMF pair."""

    sample: SampleFormat

    @property
    def max_power(self) -> float:
        """The largest |x|^2 that its format can hold."""
        return _max_power(self.iq) if np.dtype(self.sample.component).kind in "iu" else math.inf

    def blocks(self, size: int = BLOCK, *, empty: Empty = np.empty) -> Iterator[Samples]:
        """Yield all samples in order; see :meth:`Recording.blocks`."""
        kind = np.dtype(self.sample.component)
        native = kind.newbyteorder("=")
        converter = _CONVERTERS.get(native.str[1:])
        kernel = converter(iq=self.iq) if converter else None
        codes = np.empty(size * (2 if self.iq else 1), kind)
        left = self.length
        with self.path.open("rb") as file:
            while left:
                count = min(left, size)
                part = codes[: count * (2 if self.iq else 1)]
                if file.readinto(part.data.cast("B")) != part.nbytes:
                    raise self._cut_short(left)
                values = part.astype(native, copy=False)
                yield _filled(empty(count, self.dtype), values, kernel)
                left -= count


@dataclass(frozen=True)
class WavRecording(Recording):
    """A WAV file: one channel is real, two are I and Q; ``codes`` tells 8 and 16 bits from more."""

    codes: bool

    @property
    def max_power(self) -> float:
        """The largest |x|^2 that its format can hold."""
        return _max_power(self.iq) if self.codes else math.inf

    def blocks(self, size: int = BLOCK, *, empty: Empty = np.empty) -> Iterator[Samples]:
        """Yield all samples in order; see :meth:`Recording.blocks`."""
        kernel = I16ToF32(iq=self.iq) if self.codes else None
        left = self.length
        with wav_file(self.path) as file:
            while left:
                count = min(left, size)
                frames = file.read(
                    count, dtype="int16" if self.codes else "float32", always_2d=True
                )
                if len(frames) != count:
                    raise self._cut_short(left)
                yield _filled(empty(count, self.dtype), frames.reshape(-1), kernel)
                left -= count


@contextmanager
def wav_file(path: Path) -> Iterator[Any]:
    """Open a WAV file by its descriptor: soundfile would make something of the name."""
    import soundfile

    try:
        with path.open("rb") as file, soundfile.SoundFile(file.fileno(), closefd=False) as wav:
            yield wav
    except soundfile.LibsndfileError as error:
        raise RecordingError(
            f"{path}: not a WAV file that can be read: {error.error_string}"
        ) from error


def _max_power(iq: bool) -> float:
    return 2.0 if iq else 1.0


def _filled(out: Samples, values: NDArray[Any], kernel: _Converter | None) -> Samples:
    """Put what was read into the array for it."""
    if kernel:
        return kernel.steps(values, out)
    out.view(np.float32)[:] = values
    return out
