"""The table of shapes in `docs/shapes.toml`, one test for each row: who owns what a call gives."""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest

TABLE = Path(__file__).resolve().parents[2] / "docs/shapes.toml"
ROWS = tomllib.loads(TABLE.read_text(encoding="utf-8"))["shape"]

REAL = np.float32([1, 2, 3, 4, 5, 6])
COMPLEX = REAL.astype(np.complex64)
PULSES = np.float32([0, 2, 2, 0, 0])


def fresh(call: Callable[[], Any]) -> Any:
    """The result of a call, which has to be a plain array that owns its memory, each time anew."""
    result, other = call(), call()
    assert type(result) is np.ndarray
    assert result.base is None
    assert result.flags.owndata
    assert result.flags.writeable
    assert not np.shares_memory(result, other)
    return result


def placed(call: Callable[..., Any], like: Any) -> None:
    """Asserts that `out` comes back where it is filled, and a view of it where it is longer."""
    out = np.empty_like(like)
    assert call(out=out) is out
    longer = np.empty(len(like) + 3, like.dtype)
    assert call(out=longer).base is longer


def takes_no_out(call: Callable[..., Any], *arguments: Any) -> None:
    """Asserts that there is no `out` to give."""
    with pytest.raises(TypeError, match="out|keyword"):
        call(*arguments, out=np.empty(1))


def fir() -> passband.Fir:
    return passband.Fir([0.5, 0.25], dtype="float32")


def third() -> passband.FirDecimator:
    return passband.FirDecimator([1.0, 1.0], 3, dtype="float32")


def bursts() -> passband.BurstDetector:
    return passband.BurstDetector(1.0, 1.0, dtype="float32")


def test_every_row_has_its_test_and_every_test_its_row() -> None:
    rows = [row["name"].replace(" ", "_").replace("-", "_") for row in ROWS]
    tests = [name.removeprefix("test_") for name in globals() if name.startswith("test_")]
    assert tests[2:] == rows


@pytest.mark.parametrize("name", sorted({name for row in ROWS for name in row["kernels"]}))
def test_the_kernels_of_the_table_are_there(name: str) -> None:
    family, _, kernel = name.rpartition(".")
    assert hasattr(sys.modules[f"passband.{family}" if family else "passband"], kernel)


def test_scalar() -> None:
    y = fir().step(2.0)
    assert (type(y), y) == (np.float32, 1.0)
    assert type(passband.FmDemod().step(1j)) is np.float32
    takes_no_out(fir().step, 2.0)


def test_blockwise() -> None:
    y = fresh(lambda: fir().steps(REAL))
    assert y.tolist() == [0.5, 1.25, 2.0, 2.75, 3.5, 4.25]
    placed(lambda out: fir().steps(REAL, out=out), y)


def test_in_place() -> None:
    io = COMPLEX.copy()
    assert passband.Mixer(0.5).steps(io, out=io) is io
    assert io.real.tolist() == [1, -2, 3, -4, 5, -6]
    with pytest.raises(ValueError, match="out"):
        fir().steps(REAL, out=REAL)


def test_two_inputs() -> None:
    def steps(**out: Any) -> Any:
        return passband.Nlms(2, 1.0, regularization=0.0, dtype="float32").steps(REAL, REAL, **out)

    error = fresh(steps)
    assert error[0] == 1
    placed(steps, error)
    with pytest.raises(ValueError, match="d: expected"):
        passband.Nlms(2, 1.0, dtype="float32").steps(REAL, REAL[1:])


def test_generator() -> None:
    tone = passband.LocalOscillator(0.25)
    y = fresh(lambda: tone.steps(4))
    assert y.imag.round().tolist() == [0, 1, 0, -1]
    placed(lambda out: passband.LocalOscillator(0.25).steps(4, out=out), y)


def test_batch() -> None:
    frames = np.ones((2, 4), np.complex64)
    spectra = fresh(lambda: passband.Fft(4).batch(frames))
    assert spectra.real.tolist() == [[4, 0, 0, 0]] * 2
    out = np.empty_like(spectra)
    assert passband.Fft(4).batch(frames, out=out) is out


def test_channels() -> None:
    streams = np.stack([REAL, 10 * REAL])

    def sos() -> passband.Sos:
        return passband.Sos([[0.5, 0.25, 0, 1, 0, 0]], channels=2, dtype="float32")

    y = fresh(lambda: sos().steps(streams))
    assert y.tolist() == [fir().steps(stream).tolist() for stream in streams]
    assert sos().steps(streams.T.copy(), axis=0).tolist() == y.T.tolist()
    out = np.empty_like(y)
    assert sos().steps(streams, out=out) is out


def test_variable_length() -> None:
    y = fresh(lambda: third().execute(REAL))
    assert y.tolist() == [1, 7]
    assert len(y) == third().max_out(len(REAL))
    placed(lambda out: third().execute(REAL, out=out), y)
    out = np.empty(1, np.float32)
    progress = third().execute_into(REAL, out)
    assert (progress, out.tolist()) == ((3, 1), [1])
    assert progress == passband.Progress(consumed=3, produced=1)


def test_multi_output() -> None:
    results = passband.Pll(0.02).steps(COMPLEX)
    assert type(results) is tuple
    signal, error = (fresh(lambda i=i: passband.Pll(0.02).steps(COMPLEX)[i]) for i in range(2))
    assert (signal.dtype, error.dtype) == (np.complex64, np.float32)
    out = np.empty_like(signal), np.empty_like(error)
    given = passband.Pll(0.02).steps(COMPLEX, out=out)
    assert given[0] is out[0]
    assert given[1] is out[1]


def test_other_output_type() -> None:
    angles = fresh(lambda: passband.FmDemod().steps(COMPLEX))
    assert angles.dtype == np.float32
    placed(lambda out: passband.FmDemod().steps(COMPLEX, out=out), angles)
    assert passband.F32ToI16().steps(np.float32([0.5])).tolist() == [16384]


def test_records() -> None:
    found = fresh(lambda: bursts().detect(PULSES))
    assert found[["start", "stop"]].tolist() == [(1, 3)]
    assert found.nbytes == found.itemsize, "trimmed"
    out = np.empty(bursts().max_out(len(PULSES)), found.dtype)
    assert bursts().detect(PULSES, out=out).base is out
    assert bursts().detect_into(PULSES, out) == (5, 1)


def test_end_of_a_stream() -> None:
    detector = bursts()

    def flush(**out: Any) -> Any:
        detector.detect(PULSES[:2])
        assert detector.max_flush() == 1
        return detector.flush(**out)

    found = fresh(flush)
    assert found["stop"].tolist() == [2]
    placed(flush, found)


def test_single_record() -> None:
    level = passband.LevelMeter().measure(REAL)
    assert isinstance(level, tuple)
    assert level._fields == ("rms", "peak", "crest", "clip_count")
    assert (level.peak, level.clip_count) == (6, 6)
    takes_no_out(passband.LevelMeter().measure, REAL)


def test_sink() -> None:
    power = passband.PowerAverager(dtype="float32")
    assert power.push(np.float32([1, -3])) is None  # type: ignore[func-returns-value]
    assert power.value() == 5
    takes_no_out(power.push, REAL)
    takes_no_out(power.value)


def test_pure_function() -> None:
    assert fresh(lambda: passband.hann(3)).tolist() == [0, 1, 0]
    placed(lambda out: passband.hann(3, out=out), passband.hann(3))
    assert fresh(lambda: passband.math.magnitude(COMPLEX)).tolist() == REAL.tolist()


def test_function_giving_a_number() -> None:
    codes = np.int16([1, 2, 3])
    assert passband.fixed.dot(codes, codes) == 14
    takes_no_out(passband.fixed.dot, codes, codes)


def test_function_giving_records() -> None:
    x = np.float32([0, 2, 0, 1, 3, 0])
    found = fresh(lambda: passband.find_peaks(x))
    assert found["index"].tolist() == [1, 4]
    assert found.nbytes == 2 * found.itemsize, "trimmed"
    out = np.empty(8, found.dtype)
    assert passband.find_peaks(x, out=out).base is out


def test_state_copy() -> None:
    kernel = fir()
    taps = fresh(lambda: kernel.taps)
    taps[:] = 0
    assert kernel.taps.tolist() == [0.5, 0.25]


def test_state_view() -> None:
    line = passband.DelayLine(2)
    view = line.window_view()
    assert view.base is line
    assert not view.flags.writeable
    assert not view.flags.owndata
    line.steps(REAL)
    assert view.tolist() == [5, 6]
    del line
    assert view.tolist() == [5, 6], "the view keeps its owner"


def test_bytes() -> None:
    kernel = passband.Mixer(0.25)
    state = kernel.get_state()
    assert type(state) is bytes
    y = kernel.steps(COMPLEX)
    kernel.set_state(state)
    assert kernel.steps(COMPLEX).tolist() == y.tolist()
    takes_no_out(kernel.get_state)


def test_caller_required() -> None:
    for kernel in (third(), passband.Chain([fir(), third()])):
        with pytest.raises(TypeError, match="out"):
            kernel.execute_into(REAL)  # type: ignore[call-arg]
        x, out, total = REAL, np.empty(1, np.float32), 0
        while len(x):
            progress = kernel.execute_into(x, out)
            x, total = x[progress.consumed :], total + progress.produced
        assert total == 2


def test_composer() -> None:
    y = fresh(lambda: passband.Chain([fir(), third()]).execute(REAL))
    assert y.tolist() == third().execute(fir().steps(REAL)).tolist()
    placed(lambda out: passband.Chain([fir(), third()]).execute(REAL, out=out), y)
