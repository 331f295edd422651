"""The signal path without files: filters, rates, and that blocks do not show in the result."""

import doctest
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import passband.receive
import passband.receiver
import pytest
import soundfile
from numpy.typing import NDArray
from passband.outputs import AudioFile
from passband.receiver import (
    MAX_FLOOR_SAMPLES,
    Block,
    Level,
    ReceiveError,
    Receiver,
    Setup,
    audio_factor,
    decimation_taps,
)
from scipy.signal import freqz


@pytest.mark.parametrize("factor", [2, 3, 8, 42, 1000])
def test_the_low_pass_is_flat_lets_no_alias_through_and_keeps_outputs_on_inputs(
    factor: int,
) -> None:
    taps = decimation_taps(factor)
    assert ((len(taps) - 1) / 2) % factor == 0
    np.testing.assert_array_equal(taps, taps[::-1])
    frequency, response = freqz(taps, worN=64 * factor, fs=factor)
    gain = 20 * np.log10(np.maximum(np.abs(response), 1e-12))
    assert np.abs(gain[frequency <= 0.4]).max() < 0.01
    assert gain[frequency >= 0.5].max() < -79


@pytest.mark.parametrize(
    ("rate", "wanted", "factor"),
    [
        (2e6, None, 42),
        (250e3, None, 5),
        (48e3, None, 1),
        (8e3, None, 1),
        (250e3, 25e3, 10),
        (1e6 / 7, 47619, 3),
    ],
)
def test_the_audio_factor_is_the_nearest(rate: float, wanted: float | None, factor: int) -> None:
    assert audio_factor(rate, wanted) == factor


def test_an_audio_rate_out_of_reach_is_answered_with_those_that_can_be_reached() -> None:
    with pytest.raises(ReceiveError, match=r"50000, 41666\.66667, 35714") as refusal:
        audio_factor(250e3, 44.1e3)
    assert "\n" not in str(refusal.value)


def test_a_rate_below_a_hertz_gives_no_audio() -> None:
    with pytest.raises(ReceiveError, match=r"from 0\.5 Hz$"):
        audio_factor(0.5)


@pytest.mark.parametrize(
    "module", [passband.receive, passband.receiver], ids=lambda module: module.__name__
)
def test_examples_in_the_docs_run(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def recording() -> NDArray[np.complex64]:
    """Noise, a burst, and a carrier that wobbles."""
    random = np.random.default_rng(11)
    x = random.standard_normal(2 * 30_011).astype(np.float32).view(np.complex64) * np.float32(0.01)
    x += 0.2 * np.exp(1j * np.sin(np.arange(len(x)) / 50)).astype(np.complex64)
    x[12_000:15_000] *= 4
    return x


def joined(blocks: list[Block]) -> Block:
    """All that a receiver gave, in one piece."""
    baseband, audio, bursts = zip(*blocks, strict=True)
    return Block(np.concatenate(baseband), np.concatenate(audio), np.concatenate(bursts))


@pytest.mark.parametrize("demod", ["fm", "am", "none"])
@pytest.mark.parametrize("decimate", [1, 5])
def test_how_the_recording_is_cut_into_blocks_does_not_show(demod: str, decimate: int) -> None:
    x = recording()
    setup = Setup(
        shift=1234.5, decimate=decimate, demod=demod, detect=(Level(8), Level(5)), hang=1e-3
    )
    whole = joined(list(Receiver(100e3, setup, audio=True).run([x])))
    assert len(whole.bursts) == 1
    cuts = np.sort(np.random.default_rng(5).integers(0, len(x), 40))
    split = joined(list(Receiver(100e3, setup, audio=True).run(np.split(x, cuts))))
    for one, other in zip(whole, split, strict=True):
        assert one.tobytes() == other.tobytes()


def test_nothing_at_all_is_received_as_nothing() -> None:
    setup = Setup(decimate=3, detect=(Level(-10, absolute=True), Level(-13, absolute=True)))
    baseband, audio, bursts = joined(list(Receiver(48e3, setup, audio=True).run([])))
    assert len(baseband) == len(audio) == len(bursts) == 0


def test_a_floor_that_is_no_number_is_refused() -> None:
    with pytest.raises(ReceiveError, match="dBFS"):
        list(
            Receiver(1e3, Setup(detect=(Level(10), Level(7)))).run(
                [np.full(200, np.nan, np.complex64)]
            )
        )


def test_one_sample_that_is_no_number_does_not_hide_the_floor() -> None:
    x = recording()
    x[100] = np.nan
    receiver = Receiver(100e3, Setup(detect=(Level(8), Level(5))))
    receiver.process(x)
    assert receiver.floor == pytest.approx(0.04, rel=0.05)


def test_absolute_thresholds_wait_for_no_floor() -> None:
    level = Level(-6, absolute=True)
    receiver = Receiver(1e12, Setup(detect=(level, level)))
    assert len(receiver.process(np.array([0, 1, 0], np.complex64)).bursts) == 1
    assert math.isnan(receiver.floor)


def test_the_wait_for_the_floor_is_bounded() -> None:
    receiver = Receiver(1e12, Setup(detect=(Level(10), Level(7))), iq=False)
    receiver.process(np.full(MAX_FLOOR_SAMPLES - 1, 0.5, np.float32))
    assert math.isnan(receiver.floor)
    receiver.process(np.full(1, 0.5, np.float32))
    assert receiver.floor == 0.25


@pytest.mark.parametrize(("amplitude", "db"), [(1e12, 200), (1e-15, -200)])
def test_a_threshold_beyond_float32_is_refused(amplitude: float, db: float) -> None:
    receiver = Receiver(1e3, Setup(detect=(Level(db), Level(db))))
    with pytest.raises(ReceiveError, match="threshold"):
        receiver.process(np.full(200, amplitude, np.complex64))


@pytest.mark.parametrize(
    "setup",
    [
        Setup(demod="ssb"),
        Setup(shift=math.nan),
        Setup(shift=math.inf),
        Setup(hang=math.nan),
        Setup(decimate=-1),
    ],
)
def test_settings_that_make_no_sense_are_refused(setup: Setup) -> None:
    with pytest.raises(ReceiveError):
        Receiver(48e3, setup)


@pytest.mark.parametrize(("length", "container"), [(1000, "WAV"), (1 << 30, "RF64")])
def test_audio_beyond_4_gib_goes_into_an_rf64_file(
    tmp_path: Path, length: int, container: str
) -> None:
    receiver = Receiver(48e3, Setup(demod="none"), audio=True)
    audio = AudioFile(tmp_path / "a.wav", receiver, length, note=print)
    audio.take(Block(np.zeros(0, np.complex64), np.zeros(10, np.complex64), np.zeros(0, np.void)))
    audio.close()
    assert soundfile.info(tmp_path / "a.wav").format == container
