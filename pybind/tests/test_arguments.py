"""Constructors: what makes no sense is refused, by name."""

import inspect
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import passband
import pytest
from refused import every_row
from surface import EVERY, OBJECTS, Case, each

WRONG = every_row()


@pytest.mark.parametrize(("call", "error", "text"), WRONG, ids=[row[0] for row in WRONG])
def test_arguments_that_make_no_sense_are_refused(
    call: str, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=f"^{text}"):
        eval(call, {"np": np, "NAN": np.nan, "INF": np.inf, **vars(passband)})


def test_every_class_refuses_something() -> None:
    called = {call.partition("(")[0] for call, _, _ in WRONG}
    assert {case.name for case in EVERY if not case.is_function} <= called


@each(OBJECTS)
def test_arguments_beyond_the_signature_are_refused(case: Case) -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        case.cls(level="scalar")


@each(OBJECTS)
def test_shown_defaults_are_the_real_ones(case: Case) -> None:
    bind = inspect.signature(case.cls).bind
    bound = eval(f"bind({case.arguments})", {"bind": bind, "passband": passband})
    bound.apply_defaults()
    explicit = case.cls(*bound.args, **bound.kwargs)
    x = case.x(40)
    a, b = case.call(explicit, x), case.call(case.make(), x)
    assert a.dtype == b.dtype
    assert a.tobytes() == b.tobytes()


def test_dtype_may_be_anything_that_names_a_type() -> None:
    for dtype in ("complex64", "c8", np.complex64, np.dtype("complex64"), "F"):
        fir = passband.Fir([1.0, 0.5], dtype=dtype)
        assert fir.steps(np.zeros(1, np.complex64)).dtype == np.complex64
        assert fir.taps.dtype == np.float32


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", ">f8", ">c8"])
def test_the_type_is_that_of_the_taps(dtype: str) -> None:
    native = np.dtype(dtype).newbyteorder("=")
    fir = passband.Fir(np.ones(2, dtype))
    assert fir.taps.dtype == native
    assert fir.steps(np.zeros(1, native)).dtype == native


def test_lists_are_double_precision() -> None:
    assert passband.Fir([1, 2]).taps.dtype == np.float64
    assert passband.Fir((1.5, 2)).taps.dtype == np.float64
    assert passband.Fir([1j]).taps.dtype == np.complex128
    assert passband.Fir([np.float32(1)], dtype="float32").taps.dtype == np.float32


def test_taps_are_rounded_once_to_the_precision_of_the_samples() -> None:
    taps = np.array([0.1, 1 / 3])
    for dtype, expected in (
        ("float32", np.float32),
        ("complex64", np.float32),
        ("complex128", np.float64),
    ):
        same = passband.Fir(taps, dtype=dtype).taps
        assert same.dtype == expected
        assert (same == taps.astype(expected)).all()


def test_taps_may_lie_in_any_way() -> None:
    taps = np.arange(1.0, 9.0)
    read_only = taps.copy()
    read_only.flags.writeable = False
    for view in (taps[::2], taps[::-1], taps.astype(">f8"), read_only, np.asfortranarray(taps)):
        assert passband.Fir(view).taps.tolist() == view.tolist()


def test_codes_are_taps_of_fixed_point() -> None:
    codes = passband.to_q15([0.5, 0.25])
    for taps in (codes, codes.tolist(), codes.astype("int64"), codes.astype(">i2")):
        fir = passband.Fir(taps, dtype="q15")
        assert fir.taps.dtype == np.int16
        assert fir.taps.tolist() == [16384, 8192]
        assert fir.steps(np.int16([32767, 0])).tolist() == [16384, 8192]
        assert type(fir.step(1)) is np.int16


class Number:
    """Something that raises, or gives `answer`, when it is asked for a number or an array."""

    def __init__(self, answer: object) -> None:
        self.answer, self.asked = answer, 0

    def give(self, *_: object, **__: object) -> Any:
        """Does what every question leads to."""
        self.asked += 1
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    __index__ = __float__ = __array__ = give


ASKING: list[tuple[str, Callable[[Any], object]]] = [
    ("count", passband.LocalOscillator(0.1).steps),
    ("n", passband.hann),
    ("factor", lambda number: passband.FirDecimator([1.0], number)),
    ("freq", passband.Mixer),
    ("taps", passband.Fir),
    ("x", passband.Fir([1.0]).steps),
    ("x", passband.to_q15),
]


@pytest.mark.parametrize(("name", "call"), ASKING)
def test_what_the_callers_code_raises_is_kept(name: str, call: Callable[[Any], object]) -> None:
    for error in (KeyboardInterrupt(), MemoryError(), ZeroDivisionError()):
        with pytest.raises(type(error)) as raised:
            call(Number(error))
        assert raised.value is error
    for refusal in (TypeError("no"), ValueError("no"), OverflowError("no")):
        with pytest.raises(TypeError, match=f"^{name}: expected") as raised_instead:
            call(Number(refusal))
        assert raised_instead.value.__cause__ is refusal
    with pytest.raises(TypeError, match=f"^{name}: expected"):
        call(Number("a text"))


def test_integers_are_asked_for_once() -> None:
    for answer, error in ((3, None), (-1, ValueError), (2**70, OverflowError)):
        number = Number(answer)
        with pytest.raises(error, match="^n: expected") if error else nullcontext():
            assert len(passband.hann(number)) == 3
        assert number.asked == 1


def test_taps_round_without_errors_of_floating_point() -> None:
    with np.errstate(all="raise"):
        assert passband.Fir([1e-300, 1e300], dtype="float32").taps.tolist() == [0, np.inf]
