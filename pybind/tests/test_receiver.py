"""The signal path without files: filters, rates, and that blocks do not show in the result."""

import doctest
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import passband.plan
import passband.receive
import passband.receiver
import pytest
import soundfile
from numpy.typing import NDArray
from passband.io import Samples
from passband.outputs import AudioFile
from passband.plan import Level, Plan, ReceiveError, Resampling, Setup, decimation_taps
from passband.receiver import MAX_FLOOR_SAMPLES, Block, Detection, Tuned, Tuner
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
    ("rate", "wanted"),
    [(2e6, 48e3), (250e3, 44.1e3), (8e3, 48e3), (1e6 / 7, 47_619.0), (48e3, 48e3)],
)
def test_any_audio_rate_has_exactly_the_samples_of_its_time(rate: float, wanted: float) -> None:
    resampling = Resampling.of(rate, wanted)
    assert resampling.ratio == pytest.approx(wanted / rate, rel=1e-15)
    kernel = resampling.kernel("float32")
    exact = Fraction(wanted) / Fraction(rate)
    for count in (1, 1000, 441_000, 10**12):
        given = kernel.max_out(count + resampling.delay) if kernel else count
        assert given == math.ceil(count * exact)


@pytest.mark.parametrize(
    ("rate", "wanted", "told"),
    [
        (100e6, 48e3, r"97,656\.25 Hz to"),
        (0.5, 48e3, r"1 Hz to 32,768 Hz"),
        (1e3, 0.5, "1 Hz to 2 GHz"),
    ],
)
def test_an_audio_rate_out_of_reach_is_answered_with_those_that_can_be_reached(
    rate: float, wanted: float, told: str
) -> None:
    with pytest.raises(ReceiveError, match=told) as refusal:
        Resampling.of(rate, wanted)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "module",
    [passband.plan, passband.receive, passband.receiver],
    ids=lambda module: module.__name__,
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


def received(plan: Plan, blocks: list[Samples]) -> Block:
    """All that comes of some blocks, in one piece."""
    parts = Detection(plan).run(Tuner(plan).run(blocks))
    baseband, audio, bursts = zip(*parts, strict=True)
    return Block(np.concatenate(baseband), np.concatenate(audio), np.concatenate(bursts))


@pytest.mark.parametrize("demod", ["fm", "am", "none"])
@pytest.mark.parametrize("decimate", [1, 5])
def test_how_the_recording_is_cut_into_blocks_does_not_show(demod: str, decimate: int) -> None:
    x = recording()
    setup = Setup(
        shift=1234.5, decimate=decimate, demod=demod, detect=(Level(8), Level(5)), hang=1e-3
    )
    plan = Plan.of(setup, 100e3, audio=True)
    whole = received(plan, [x])
    assert len(whole.bursts) == 1
    cuts = np.sort(np.random.default_rng(5).integers(0, len(x), 40))
    split = received(plan, np.split(x, cuts))
    for one, other in zip(whole, split, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("demod", ["fm", "am", "none"])
@pytest.mark.parametrize(
    ("decimate", "audio_rate"), [(1, 100e3), (1, 1e3), (7, None), (5000, 40.0)]
)
def test_a_plan_knows_how_many_bytes_come_of_a_block(
    demod: str, decimate: int, audio_rate: float | None
) -> None:
    plan = Plan.of(Setup(1234.5, decimate, demod, audio_rate), 100e3, audio=True)
    parts = list(Tuner(plan).run(np.split(recording(), range(1000, 30_011, 1000))))
    sizes = [sum(-(-array.nbytes // 64) * 64 for array in part[:2]) for part in parts]
    assert max(sizes) <= plan.nbytes(1000) <= 2 * max(sizes) + 4096


def test_nothing_at_all_is_received_as_nothing() -> None:
    setup = Setup(decimate=3, detect=(Level(-10, absolute=True), Level(-13, absolute=True)))
    baseband, audio, bursts = received(Plan.of(setup, 48e3, audio=True), [])
    assert len(baseband) == len(audio) == len(bursts) == 0


def test_a_floor_that_is_no_number_is_refused() -> None:
    with pytest.raises(ReceiveError, match="dBFS"):
        received(
            Plan.of(Setup(detect=(Level(10), Level(7))), 1e3), [np.full(200, np.nan, np.complex64)]
        )


def detection(rate: float, setup: Setup, *parts: Samples) -> tuple[Detection, list[Block]]:
    """Detect in parts after which more is to come."""
    made = Detection(Plan.of(setup, rate, iq=parts[0].dtype.kind == "c"))
    silence = np.zeros(0, np.float32)
    run = made.run(Tuned(part, silence, len(part)) for part in parts)
    return made, [next(run) for _ in parts]


def test_one_sample_that_is_no_number_does_not_hide_the_floor() -> None:
    x = recording()
    x[100] = np.nan
    made, _ = detection(100e3, Setup(detect=(Level(8), Level(5))), x)
    assert made.floor == pytest.approx(0.04, rel=0.05)


def test_absolute_thresholds_wait_for_no_floor() -> None:
    level = Level(-6, absolute=True)
    made, blocks = detection(1e12, Setup(detect=(level, level)), np.array([0, 1, 0], np.complex64))
    assert len(blocks[0].bursts) == 1
    assert math.isnan(made.floor)


@pytest.mark.parametrize("count", [MAX_FLOOR_SAMPLES - 1, MAX_FLOOR_SAMPLES])
def test_the_wait_for_the_floor_is_bounded(count: int) -> None:
    setup = Setup(detect=(Level(10), Level(7)))
    made, _ = detection(1e12, setup, np.full(count, 0.5, np.float32))
    assert made.floor == 0.25 if count == MAX_FLOOR_SAMPLES else math.isnan(made.floor)


def test_what_waits_for_the_floor_is_not_the_blocks() -> None:
    x = recording()
    part = x[:5000].copy()
    made = Detection(Plan.of(Setup(detect=(Level(8), Level(5))), 100e3))

    def parts() -> Iterator[Tuned]:
        for at in range(0, 20_000, 5000):
            part[:] = x[at : at + 5000]
            yield Tuned(part, np.zeros(0, np.float32), 5000)

    bursts = np.concatenate([block.bursts for block in made.run(parts())])
    assert bursts[["start", "stop"]].tolist() == [(12_000, 15_000)]


@pytest.mark.parametrize(("amplitude", "db"), [(1e12, 200), (1e-15, -200)])
def test_a_threshold_beyond_float32_is_refused(amplitude: float, db: float) -> None:
    setup = Setup(detect=(Level(db), Level(db)))
    with pytest.raises(ReceiveError, match="threshold"):
        detection(1e3, setup, np.full(200, amplitude, np.complex64))


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
        Plan.of(setup, 48e3)


@pytest.mark.parametrize(("length", "container"), [(1000, "WAV"), (1 << 30, "RF64")])
def test_audio_beyond_4_gib_goes_into_an_rf64_file(
    tmp_path: Path, length: int, container: str
) -> None:
    plan = Plan.of(Setup(demod="none"), 48e3, audio=True)
    audio = AudioFile(tmp_path / "a.wav", plan, length, note=print)
    audio.take(Block(np.zeros(0, np.complex64), np.zeros(10, np.complex64), np.zeros(0, np.void)))
    audio.close()
    assert soundfile.info(tmp_path / "a.wav").format == container
