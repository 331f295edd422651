"""h03: a wireless doorbell (Honeywell ActivLink): FSK, rows of 48 bits as short and long marks.

Only passband kernels touch the samples; what is done with marks and bits is framing.
"""

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from passband import Chain, Fir, FirDecimator, FmDemod, U8ToF32, cli
from passband.plan import Level, Setup
from passband.receive import receive
from scipy.signal import firwin

RECORDING = "h03_fsk_doorbell_250k.cu8"
FORMAT = "cu8"
RATE = 250_000

PROTOCOL_UNIT = round(
    160e-6 * RATE
)  # samples; a mark is one unit long (1) or two (0), and with its space three
PROTOCOL_SYNC_MARK = 3  # units, and a space of the same length follows
PROTOCOL_BITS = 48

TRUTH_ROW = "234cafdffffe"
TRUTH_ROWS = 50
TRUTH_START, TRUTH_STOP, TRUTH_TOLERANCE = 0.295, 1.507, 0.002  # seconds


@pytest.mark.parametrize("levels", ["20", "20:14", "-6dBFS", "-3dBFS:-10dBFS"])
def test_the_transmission_is_one_burst(recording: Path, tmp_path: Path, levels: str) -> None:
    records = tmp_path / "bursts.json"
    command = ["receive", str(recording), "--rate", str(RATE), "--detect", levels, "--hang", "1ms"]
    assert cli.main([*command, "--records", str(records)]) == 0
    (burst,) = json.loads(records.read_text())["bursts"]
    assert TRUTH_START - TRUTH_TOLERANCE <= burst["start_s"] <= TRUTH_START + TRUTH_TOLERANCE
    assert TRUTH_STOP - TRUTH_TOLERANCE <= burst["stop_s"] <= TRUTH_STOP + TRUTH_TOLERANCE


def test_all_rows_are_decoded(recording: Path, detect: tuple[Level, Level]) -> None:
    found = receive(
        recording, Setup(detect=detect, hang=PROTOCOL_UNIT / RATE), format=FORMAT, rate=RATE
    )
    (burst,) = found.bursts
    samples = U8ToF32(iq=True).steps(np.fromfile(recording, np.uint8))
    sent = samples[burst["start"] : burst["stop"]]
    assert list(rows(marks(sent))) == [TRUTH_ROW] * TRUTH_ROWS


def marks(samples: NDArray[np.complex64]) -> Iterator[float]:
    """Give each mark's length in units: while the frequency is above its mean over some bits."""
    smooth = firwin(PROTOCOL_UNIT + 1, 1 / PROTOCOL_UNIT, fs=1)
    frequency = Chain([FmDemod(), FirDecimator(smooth, 2, dtype="float32")]).execute(samples)
    half = 2 * PROTOCOL_SYNC_MARK * PROTOCOL_UNIT
    slow = Fir(firwin(2 * half + 1, 1 / half, fs=1), dtype="float32")
    middle = slow.steps(np.concatenate([frequency, np.zeros(half, np.float32)]))[half:]
    high = frequency > middle
    edges = np.flatnonzero(high[1:] != high[:-1]) + 1
    for start, stop in itertools.pairwise(edges.tolist()):
        if high[start]:
            yield 2 * (stop - start) / PROTOCOL_UNIT


def rows(lengths: Iterable[float]) -> Iterator[str]:
    """Give the bits that follow each sync mark, in hexadecimal."""
    bits: list[bool] | None = None
    for length in lengths:
        if PROTOCOL_SYNC_MARK - 1 / 2 < length < PROTOCOL_SYNC_MARK + 1 / 2:
            bits = []
        elif bits is not None and len(bits) < PROTOCOL_BITS:
            bits.append(length < 1 + 1 / 2)
            if len(bits) == PROTOCOL_BITS:
                yield np.packbits(bits).tobytes().hex()
