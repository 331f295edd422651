"""Cases of faults that were reported against others: data and the right answers.

The folder that PASSBAND_CASES names holds `caselib.py` and `handed/`.
"""

import importlib.util
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import passband
import pytest
from surface import CASES, VALUES, Case, each, same

FOLDER = os.environ.get("PASSBAND_CASES")
REQUIRED = os.environ.get("PASSBAND_REQUIRE_RECORDINGS") == "1"

if not FOLDER and not REQUIRED:
    pytest.skip("SKIPPED THE CASES: PASSBAND_CASES names no folder", allow_module_level=True)

SPEC = importlib.util.spec_from_file_location("caselib", Path(FOLDER or "") / "caselib.py")
assert SPEC is not None
assert SPEC.loader is not None
caselib: Any = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(caselib)


def handed(name: str) -> Any:
    """The case whose file starts with a name."""
    (path,) = (Path(FOLDER or "") / "handed").glob(f"{name}_*.json")
    return caselib.load(path)


def agrees(got: Any, check: Any) -> None:
    """Asserts that a result is acceptable."""
    right, why = caselib.compare(got, check)
    assert right, f"{check['name']}: {why}"


def joined(call: Any, x: Any, sizes: list[int]) -> Any:
    """The results of a stream in pieces."""
    return np.concatenate([call(piece) for piece in caselib.split(x, sizes)])


def test_h01_a_fir_does_not_care_how_its_input_is_cut() -> None:
    c = handed("H01")
    taps, x = caselib.build(c["params"]["taps"]), caselib.build(c["inputs"]["x"])
    for check in c["checks"]:
        dtype = check.get("input_dtype", "float32")
        for sizes in c["partitions"]:
            fir, fast = passband.Fir(taps, dtype=dtype), passband.FftFir(taps, dtype=dtype)
            agrees(joined(fir.steps, x.astype(dtype), sizes), check)
            got = joined(fast.execute, x.astype(dtype), sizes), fast.flush()
            agrees(np.concatenate(got).round(3), check)


def test_h02_a_decimator_carries_its_phase() -> None:
    c = handed("H02")
    taps, x = caselib.build(c["params"]["taps"]), caselib.build(c["inputs"]["x"])
    for check in c["checks"]:
        some = x[: check.get("input_prefix", len(x))]
        for sizes in [check["calls"]] if "calls" in check else c["partitions"]:
            decimator = passband.FirDecimator(taps, c["params"]["M"], phase=check["phase"])
            agrees(joined(decimator.execute, some, sizes), check)


def test_h03_an_empty_call_changes_no_state() -> None:
    c = handed("H03")
    sections = [[*c["params"]["b"], *c["params"]["a"]]]
    (check,) = [check for check in c["checks"] if check.get("state") == "zero"]
    for dtype in ("float64", "float32", "complex64", "complex128"):
        sos = passband.Sos(sections, dtype=dtype)
        stereo = passband.Sos(sections, dtype=dtype, channels=2)
        for name in c["calls"]:
            x = caselib.build(c["inputs"][name]).astype(dtype)
            before = sos.get_state(), stereo.get_state()
            y, pair = sos.steps(x), stereo.steps(np.stack([x, x]))
            if name == "empty":
                assert y.shape == (0,)
                assert pair.shape == (2, 0)
                assert before == (sos.get_state(), stereo.get_state())
            else:
                agrees(y, check)
                agrees(pair[1], check)


def test_h04_nan_and_infinity_spoil_as_many_outputs_as_there_are_taps() -> None:
    c = handed("H04")
    taps = caselib.build(c["params"]["taps"])
    checks = [check for check in c["checks"] if check["compare"]["mode"] != "none"]
    assert {check["input"] for check in checks} == {"x_nan", "x_inf"}
    for check in checks:
        x = caselib.build(c["inputs"][check["input"]])
        for sizes in c["partitions"]:
            agrees(joined(passband.Fir(taps).steps, x, sizes), check)
            fast = passband.FftFir(taps)
            got = joined(fast.execute, x, sizes), fast.flush()
            agrees(np.concatenate(got).round(4), check)


def test_h07_products_keep_their_last_bit_and_saturate() -> None:
    c = handed("H07")
    for check in (check for check in c["checks"] if check["policy"] == "half_up"):
        names = ("a31", "b31") if check["bits"] == 32 else ("a15", "b15")
        a, b = (caselib.build(c["inputs"][name]) for name in names)
        for n in c["repeats"]:
            got = passband.fixed.mul(np.tile(a, n), np.tile(b, n)).reshape(n, -1)
            for row in got:
                agrees(row, check)


def test_h05_floats_become_16_bit_codes() -> None:
    c = handed("H05")
    (even,) = [
        check
        for check in c["checks"]
        if check.get("group") == "i16 rounding" and check["policy"] == "even"
    ]
    x = caselib.build(c["inputs"]["x16"])
    agrees(passband.F32ToI16().steps(x), even)
    agrees(passband.to_q15(x), even)
    for check in (check for check in c["checks"] if check["input"] == "x32"):
        if check.get("policy", "even") == "even":
            long = caselib.build(c["inputs"]["x32"])
            agrees(passband.F32ToI32().steps(long), check)
            agrees(passband.to_q31(long), check)
    expected = caselib.expected(even)
    for repeat in c["repeats"]:
        for zeros in range(8):
            tiled = np.concatenate([np.zeros(zeros, x.dtype), np.tile(x, repeat)])
            got = passband.F32ToI16().steps(tiled)
            assert (got[zeros:] == np.tile(expected, repeat)).all()


def test_h06_the_sums_of_a_q15_fir_do_not_wrap() -> None:
    c = handed("H06")
    checks = [check for check in c["checks"] if check.get("policy") == "half_up"]
    assert len(checks) >= 3
    for check in checks:
        taps, x = caselib.build(check["taps"]), caselib.build(check["x"])
        for sizes in c["partitions"]:
            fir = passband.Fir(taps, dtype="q15")
            agrees(joined(fir.steps, x, sizes), check)


def test_h08_an_oscillator_with_a_frequency_per_sample_keeps_its_phase() -> None:
    c = handed("H08")
    checks = [check for check in c["checks"] if check["level"] == "should"]
    assert len(checks) >= 3
    block = c["params"]["block"]
    skipped = np.empty(block, np.complex64)
    for check in checks:
        freqs = np.full(block, float(Fraction(check["freq"])))
        nco = passband.Nco(dtype="float64")
        done, got = 0, []
        for at in check["at"]:
            while done + block <= at:
                nco.steps(freqs, out=skipped)
                done += block
            got.append(nco.steps(freqs[: at - done + 1])[-1])
            done = at + 1
        agrees(np.array(got), check)
        assert np.abs(np.abs(skipped) - 1).max() < 1e-6


def test_h10_transforms_of_powers_of_two() -> None:
    ran = []
    for check in handed("H10")["checks"]:
        n = check["N"]
        if n == 0 or n & (n - 1):
            with pytest.raises(ValueError, match=f"^n: expected a power of two.*, given {n}"):
                passband.Fft(n)
            continue
        x = caselib.build(check["x"]).reshape(1, -1)
        for dtype in ("complex64", "complex128"):
            spectrum = passband.Fft(n, dtype=dtype).batch(x.astype(dtype))
            agrees(spectrum[0, check.get("bins", slice(None))], check)
            back = passband.Fft(n, inverse=True, dtype=dtype).batch(spectrum)
            np.testing.assert_allclose(back, x, atol=2e-5)
        ran.append(n)
    assert ran == [1, 2, 4, 8, 16, 32, 1024]


def test_h08_an_oscillator_keeps_its_phase() -> None:
    c = handed("H08")
    checks = [check for check in c["checks"] if "freq" in check]
    assert len(checks) >= 15
    block = c["params"]["block"]
    skipped = np.empty(block, np.complex64)
    for check in checks:
        oscillator = passband.LocalOscillator(float(Fraction(check["freq"])))
        done, got = 0, []
        for at in check["at"]:
            while done + block <= at:
                oscillator.steps(block, out=skipped)
                done += block
            got.append(oscillator.steps(at - done + 1)[-1])
            done = at + 1
        agrees(np.array(got), check)


def test_h09_windows_are_symmetric_or_periodic() -> None:
    checks = handed("H09")["checks"]
    assert {check["window"] for check in checks} == {"hann", "hamming", "kaiser"}
    for check in checks:
        window = getattr(passband, check["window"])
        beta = [check["beta"]] if "beta" in check else []
        for dtype in ("float64", "float32"):
            agrees(window(check["N"], *beta, sym=not check["periodic"], dtype=dtype), check)


def misaligned(a: Any) -> Any:
    """The array one byte off."""
    memory = np.zeros(a.nbytes + 1, np.uint8)
    memory[1:] = a.view(np.uint8)
    return memory[1:].view(a.dtype)


def read_only(a: Any) -> Any:
    """A copy that cannot be written."""
    copy = a.copy()
    copy.flags.writeable = False
    return copy


VIEWS = {
    "read only": read_only,
    "misaligned by one byte": misaligned,
    "empty from bytearray": lambda a: np.frombuffer(bytearray(), a.dtype),
}


@each([case for case in CASES if not case.takes_count and not case.in_pairs] + VALUES)
def test_h12_views_are_what_they_show_to_every_class(case: Case) -> None:
    c = handed("H12")
    for check in [check for check in c["checks"] if "view" in check]:
        a = caselib.build(c["inputs"]["a"]).astype(case.input)
        build = VIEWS.get(check["name"]) or (lambda a, v=check["view"]: eval(v, {"a": a, "np": np}))
        view = build(a)
        plain = caselib.build(check["logical"]).astype(case.input)
        if case.needs_samples and len(plain) == 0:
            with pytest.raises(ValueError, match="^x: expected at least one sample, given 0$"):
                case.call(case.make(), view)
        else:
            same(case.call(case.make(), view), case.call(case.make(), plain))


def test_h12_views_are_what_they_show() -> None:
    c = handed("H12")
    taps = caselib.build(c["params"]["taps"])
    checks = [check for check in c["checks"] if "view" in check]
    assert len(checks) >= 11
    for check in checks:
        a = caselib.build(c["inputs"]["a"])
        before = a.copy()
        # The others are expressions.
        build = VIEWS.get(check["name"]) or (lambda a, v=check["view"]: eval(v, {"a": a, "np": np}))
        agrees(passband.Fir(taps).steps(build(a)), check)
        assert (a == before).all()
