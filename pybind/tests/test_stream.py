"""Streams: the same bits however they are cut, and the right ones."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import passband
import pytest
from scipy import signal
from surface import CASES, FLUSHED, OBJECTS, STATEFUL, Case, each, other, same

N = 300


def cuts(n: int, seed: int) -> list[int]:
    """Lengths that add up to `n`, even ones, with zeros and ones among the others."""
    rng = np.random.default_rng(seed)
    lengths: list[int] = []
    while sum(lengths) < n:
        step = int(rng.choice([0, 2, 4, 16, 62, 130]))
        lengths.append(min(step, n - sum(lengths)))
    return lengths


def pieces(case: Case, made: Any, x: Any, lengths: list[int]) -> list[Any]:
    if case.takes_count:
        return [case.call(made, length) for length in lengths]
    return [case.call(made, piece) for piece in np.split(x, np.cumsum(lengths)[:-1])]


@pytest.mark.parametrize("seed", [1, 2])
@each(OBJECTS)
def test_a_stream_may_be_cut_anywhere(case: Case, seed: int) -> None:
    x = case.x(N)
    whole = case.call(case.make(), x)
    same(np.concatenate(pieces(case, case.make(), x, cuts(N, seed))), whole)
    if not case.in_pairs:
        same(np.concatenate(pieces(case, case.make(), x, [1] * N)), whole)


BLOCKWISE = [c for c in OBJECTS if isinstance(c.make(), passband.shape.Blockwise)]


@each(BLOCKWISE)
def test_step_equals_steps_of_one(case: Case) -> None:
    x = case.x(40)
    whole = case.call(case.make(), x)
    made = case.make()
    inputs = x.reshape(-1, 2) if case.in_pairs else x
    stepped = [made.step(one) for one in inputs]
    if case.gives_pairs:
        assert all((one.dtype, one.shape) == (whole.dtype, (2,)) for one in stepped)
    else:
        assert all(type(one) is whole.dtype.type for one in stepped)
    same(np.array(stepped).reshape(-1), whole)
    again = case.make()
    same(np.array([again.step(one) for one in inputs.tolist()]).reshape(-1), whole)


@each(BLOCKWISE)
def test_step_refuses_what_is_not_one_sample(case: Case) -> None:
    made = case.make()
    before = made.get_state()
    with pytest.raises(ValueError, match=r"^x: expected . number\(s\) for one step, given"):
        made.step(case.x(4))
    for x in (None, "1", np.zeros(1, "float16")):
        with pytest.raises(TypeError, match="^x: expected"):
            made.step(x)
    if np.dtype(case.input).kind != "c":
        with pytest.raises(TypeError, match="^x: expected dtype="):
            made.step(1j)
        with pytest.raises(TypeError, match="^x: expected dtype="):
            made.step(np.complex64(1j))
    assert made.get_state() == before


@each(STATEFUL)
def test_reset_equals_a_new_object(case: Case) -> None:
    made = case.make()
    case.call(made, case.x(32, 2))
    made.reset()
    assert made.get_state() == case.make().get_state()
    same(case.call(made, case.x(N)), case.call(case.make(), case.x(N)))


def arguments(case: Case) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments by place and by name."""
    given: tuple[tuple[Any, ...], dict[str, Any]] = eval(
        f"(lambda *numbers, **words: (numbers, words))({case.arguments})"
    )
    return given


def angles(x: Any) -> Any:
    """From each sample to the next; that of zero, which is before the first, is zero."""
    return np.concatenate([[0], np.angle(x[1:] * np.conj(x[:-1]))])


def errors(case: Case, given: Any) -> Any:
    """What an adaptive filter leaves, step by step."""
    x, d = (given, other(given, given.dtype.name))[:: 1 - 2 * case.part]
    if given.dtype.kind == "i":
        return errors_in_codes(case, x.tolist(), d.tolist())
    (length, step_size), words = arguments(case)
    weights = np.zeros(length, x.dtype)
    padded = np.concatenate([np.zeros(length - 1, x.dtype), x])
    result = np.empty_like(d)
    for n in range(len(x)):
        window = padded[n : n + length][::-1]
        result[n] = d[n] - weights @ window
        scale = step_size
        if case.name == "Nlms":
            scale /= words.get("regularization", 1e-6) + np.vdot(window, window).real
        weights += scale * result[n] * window.conj()
    return result


def errors_in_codes(case: Case, x: list[int], d: list[int]) -> Any:
    """What an adaptive filter of codes leaves, in whole numbers."""

    def whole(value: Fraction) -> int:
        return math.floor(value + Fraction(1, 2))

    def code(value: int | Fraction) -> int:
        return min(max(whole(Fraction(value)), -32768), 32767)

    (length, step_size), words = arguments(case)
    step = round(step_size * 32768)
    power = round(words.get("regularization", 1e-6) * 2**30)
    weights, padded, result = [0] * length, [0] * (length - 1) + x, []
    for n in range(len(x)):
        window = padded[n : n + length][::-1]
        product = sum(w * x for w, x in zip(weights, window, strict=True))
        result.append(code(d[n] - code(Fraction(product, 32768))))
        by = Fraction(32768)
        if case.name == "Nlms":
            by = Fraction(power + sum(x * x for x in window), 32768)
        gain = code(step * result[n] / by)
        weights = [
            code(w + whole(Fraction(gain * x, 32768))) for w, x in zip(weights, window, strict=True)
        ]
    return np.array(result)


def followed(case: Case, x: Any) -> tuple[Any, Any]:
    """What a phase-locked loop gives, step by step."""
    words = {
        "damping": 0.5**0.5,
        "freq": 0.0,
        "fs": 1.0,
        **eval(f"dict(loop_bandwidth={case.arguments})"),
    }
    damping = words["damping"]
    theta = words["loop_bandwidth"] / words["fs"] / (damping + 0.25 / damping)
    divisor = 1 + 2 * damping * theta + theta**2
    signals, phases = np.empty_like(x), np.empty(len(x))
    phase, freq = 0.0, words["freq"] / words["fs"]
    for n in range(len(x)):
        signals[n] = x[n] * np.exp(-2j * np.pi * phase)
        phases[n] = np.angle(signals[n])
        freq += 4 * theta**2 / divisor * phases[n] / (2 * np.pi)
        phase += freq + 4 * damping * theta / divisor * phases[n] / (2 * np.pi)
    return signals, phases


def dithers(seed: int, n: int) -> Any:
    """Triangular noise by its definition: halves of SplitMix64."""
    bits, noise = (1 << 64) - 1, []
    for i in range(1, n + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & bits
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & bits
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & bits
        z ^= z >> 31
        noise.append(((z >> 32) - (z & 0xFFFFFFFF)) / 2**32)
    return np.array(noise)


def register(polynomial: int, state: int, n: int) -> Any:
    """A linear recurrence modulo 2 by its definition."""
    length = polynomial.bit_length() - 1
    terms = [k for k in range(length) if polynomial >> k & 1]
    bits = [state >> k & 1 for k in range(length)]
    for i in range(n):
        bits.append(sum(bits[i + k] for k in terms) % 2)
    return np.array(bits[:n])


def chips(case: Case, n: int) -> Any:
    """Sequences of registers as 0 and 1, or as 1 and -1."""
    (length, *shift), words = arguments(case)
    ones = (1 << length) - 1
    if case.name == "Gold":
        pairs = {5: (0x29, 0x2F), 10: (0x481, 0x597), 18: (0x40801, 0x42901)}
        u, v = (register(polynomial, ones, n + ones) for polynomial in pairs[length])
        bits = u[:n] ^ v[ones - shift[0] :][:n]
    elif length <= 32 and "polynomial" not in words:
        bits = signal.max_len_seq(length, length=n)[0].astype(int)
    else:
        bits = register(
            words.get("polynomial", 1 << 64 | 0xB << 60 | 1), words.get("state", ones), n
        )
    return bits if case.output == "uint8" else 1 - 2 * bits


def philox(seed: int, n: int) -> Any:
    """Words of Philox4x32-10 by its definition, as fractions."""
    words: list[int] = []
    for block in range((n + 3) // 4):
        a, b, c, d = block, 0, 0, 0
        k, m = seed & 0xFFFFFFFF, seed >> 32
        for _ in range(10):
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b, c, d = q >> 32 ^ b ^ k, q & 0xFFFFFFFF, p >> 32 ^ d ^ m, p & 0xFFFFFFFF
            k, m = (k + 0x9E3779B9) & 0xFFFFFFFF, (m + 0xBB67AE85) & 0xFFFFFFFF
        words += [a, b, c, d]
    return (np.array(words[:n]) + 0.5) / 2**32


def noise(case: Case, n: int) -> Any:
    """Noise by its formula."""
    seed = eval(case.arguments.split(",")[0])
    is_complex = "complex" in case.output
    u = philox(seed, 2 * n)
    if "uniform" in case.arguments:
        parts = 2 * u - 1
    else:
        power = 1 if is_complex else 2
        pairs = np.sqrt(-power * np.log(u[::2])) * np.exp(2j * np.pi * u[1::2])
        parts = pairs.view(float)
    return parts.view(complex)[:n] if is_complex else parts[:n]


def codes_of(case: Case, wide: Any) -> Any:
    """The nearest codes, halves to even."""
    limits = np.iinfo(case.output)
    unsigned = limits.min == 0
    scale = 128 if unsigned else limits.max + 1
    offset = (127.5 if case.gives_pairs else 128) if unsigned else 0
    x = wide.view(float) * scale + offset
    seed = eval(f"dict({case.arguments})").get("dither")
    x = x if seed is None else x + dithers(seed, len(x))
    return np.clip(np.rint(x), limits.min, limits.max)


def exactly(case: Case, x: Any) -> Any:
    """A function of codes in Python's numbers, which do not overflow, rounded half up."""
    limits = np.iinfo(case.input)
    if case.name == "shift":
        pairs = [(y, 2.0 ** eval(f"dict({case.arguments})")["bits"]) for y in x.tolist()]
    else:
        pairs = list(zip(*(part.tolist() for part in case.inputs(x)), strict=True))
    of: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b / (limits.max + 1),
        "shift": lambda a, b: a * b,
    }
    results = [math.floor(of[case.name](*map(Fraction, pair)) + Fraction(1, 2)) for pair in pairs]
    return np.array([min(max(y, limits.min), limits.max) for y in results])


def unwrapped(case: Case, x: Any) -> Any:
    """Phases without jumps by NumPy, without the rounding errors that it sums up."""
    period = eval(f"dict({case.arguments})").get("period", 2 * np.pi)
    return x + period * np.rint((np.unwrap(x, period=period) - x) / period)


def elementary(case: Case, x: Any) -> Any:
    """A function of samples, by NumPy."""
    words = eval(f"dict({case.arguments})")
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "phase": np.angle,
            "conj": np.conj,
            "add": lambda x: np.add(*case.inputs(x)),
            "sub": lambda x: np.subtract(*case.inputs(x)),
            "mul": lambda x: np.multiply(*case.inputs(x)),
            "mac": lambda x: (lambda acc, a, b: acc + a * b)(*case.inputs(x)),
            "unwrap": lambda x: unwrapped(case, x),
            "scale": lambda x: words["gain"] * x,
            "clamp": lambda x: np.clip(x, words["low"], words["high"]),
            "sqrt": np.sqrt,
            "exp": np.exp,
            "log": np.log,
            "power_to_db": lambda x: np.maximum(10 * np.log10(x), words["floor"]),
            "amplitude_to_db": lambda x: np.maximum(20 * np.log10(np.abs(x)), words["floor"]),
            "sin": np.sin,
            "cos": np.cos,
            "sincos": lambda x: (np.sin, np.cos)[case.part](x),
        }[case.name](x)


def controlled(case: Case, x: Any) -> Any:
    """What a PID controller makes of errors, step by step."""
    gains, words = arguments(case)
    kp, ki, kd = (*gains, 0.0, 0.0)[:3]
    fs, time = words.get("fs", 1.0), words.get("derivative_time", 0.0)
    low, high = words.get("low", -np.inf), words.get("high", np.inf)
    slopes = signal.lfilter([kd * fs, -kd * fs], [time * fs + 1, -time * fs], x)
    total, outputs = 0.0, []
    for error, slope in zip(x, slopes, strict=True):
        change = ki / fs * error
        wanted = kp * error + total + change + slope
        if not ((wanted > high and change > 0) or (wanted < low and change < 0)):
            total += change
        outputs.append(min(max(wanted, low), high))
    return np.array(outputs)


def small_filter(case: Case, x: Any) -> Any:
    """Filters of a few coefficients, by their transfer functions."""
    numbers, words = arguments(case)
    first = numbers[0]
    if case.name == "OnePole":
        return signal.lfilter([first], [1, first - 1], x)
    if case.name == "Allpass":
        denominator = [1, *numbers]
        return signal.lfilter(denominator[::-1], denominator, x)
    if case.name == "Deemphasis":
        time = first * words.get("fs", 1.0)
        pole = np.exp(-1 / time)
        gain = 1 / (1 + (np.pi * time / 2) ** 2)
        difference = np.sqrt(2 * gain * (1 + pole**2) - (1 - pole) ** 2)
        taps = [(1 - pole + difference) / 2, (1 - pole - difference) / 2]
        return signal.lfilter(taps, [1, -pole], x)
    if case.name == "Hilbert":
        apart = np.arange(first) - first // 2
        ideal = np.where(apart % 2, 2j / np.pi / np.where(apart, apart, 1), apart == 0)
        window = signal.windows.kaiser(first, words.get("beta", 8.0))
        return signal.lfilter(ideal * window, 1, x)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, (first - 1, 0)), first)
    return np.median(windows, axis=1)


def rounded(sums: Any, dtype: Any) -> Any:
    """Exact sums of products of codes as codes: rounded once, halves up, and saturated."""
    bits, ends = 8 * dtype.itemsize - 1, np.iinfo(dtype)
    return np.clip((sums + (1 << bits - 1)) >> bits, ends.min, ends.max).astype(dtype)


def interpolated(x: Any, last: int, weights: Any) -> Any:
    """Samples up to `last`, zeros before the first, by their weights."""
    first = last + 1 - len(weights)
    around = np.concatenate([np.zeros(max(-first, 0)), x[max(first, 0) : max(last + 1, 0)]])
    return weights[-len(around) :] @ around[-len(weights) :]


def lagrange(points: int, time: float) -> Any:
    """The weights of samples at `time` after the middle, by the definition of Lagrange."""
    nodes = np.arange(points) - (points // 2 - 1)
    others = [np.delete(nodes, i) for i in range(points)]
    pairs = zip(nodes, others, strict=True)
    return np.array([np.prod((time - other) / (node - other)) for node, other in pairs])


def cardinal(taps: int, stopband: int, time: float) -> Any:
    """The weights in a sine cardinal under a Kaiser window."""
    at = np.arange(taps) - (taps // 2 - 1) - time
    beta = 0.1102 * (stopband + 6 - 8.7)
    window = np.i0(beta * np.sqrt(np.maximum(1 - (2 * at / taps) ** 2, 0))) / np.i0(beta)
    return np.sinc(at) * window


def reference(case: Case, made: Any, x: Any) -> Any:
    """The result in double precision, by SciPy and NumPy; of codes the exact one."""
    wide = x if case.takes_count else x.astype("c16" if x.dtype.kind == "c" else "f8")
    if case.name in ("Fir", "FftFir", "FirDecimator"):
        phase = 1 if "phase=1" in case.arguments else 0
        decimates = case.name == "FirDecimator"
        factor = int(case.arguments.split("], ")[1].split(",")[0]) if decimates else 1
        if x.dtype.kind == "i":
            sums = np.convolve(made.taps.astype(object), x.astype(object))[: len(x)]
            return rounded(sums[phase::factor], x.dtype)
        y = signal.lfilter(made.taps.astype("c16"), 1, wide)[phase::factor]
        return y if np.dtype(case.output).kind == "c" else y.real
    if case.name in ("FirInterpolator", "RationalResampler"):
        ratio, *phases = case.arguments.split("], ")[1].split(", phase=")
        up, down = [*map(int, re.findall(r"\b\d+\b", ratio)), 1][:2]
        phase = int(phases[0][0]) if phases else 0
        y = signal.upfirdn(made.taps, wide, up)[: up * len(x)]
        y = np.concatenate([y, np.zeros(up * len(x) - len(y))])
        return y[phase::down]
    if case.name in ("CicDecimator", "CicInterpolator"):
        words = {
            "delay": 1,
            "phase": 0,
            **eval(f"dict(factor={case.arguments.replace(', ', ', order=', 1)})"),
        }
        factor, width = words["factor"], words["factor"] * words["delay"]
        response, gain = np.ones(1), width ** words["order"]
        for _ in range(words["order"]):
            response = np.convolve(response, np.ones(width))
        if case.name == "CicInterpolator":
            wide, gain = np.kron(wide, np.eye(1, factor)[0]), gain // factor
        y = np.floor((2 * np.convolve(wide, response)[: len(wide)] + gain) / (2 * gain))
        return y[words["phase"] :: factor] if case.name == "CicDecimator" else y
    if case.name in ("Ddc", "Duc"):
        factor = int(case.arguments.split("], ")[1].split(",")[0])
        freq, phase = (-0.075, 0.25) if "phase" in case.arguments else (0.125, 0.0)
        turns = freq * np.arange(len(x) * factor) + phase
        if case.name == "Ddc":
            down = wide * np.exp(-2j * np.pi * turns[: len(x)])
            return signal.upfirdn(made.taps, down)[: len(x) : factor]
        up = signal.upfirdn(made.taps, wide, factor)
        up = np.pad(up, (0, factor))[: len(turns)] * np.exp(2j * np.pi * turns)
        return up.real if case.output == "float32" else up
    if case.name in ("HalfbandDecimator", "HalfbandInterpolator"):
        up, down = (1, 2) if case.name == "HalfbandDecimator" else (2, 1)
        if x.dtype.kind == "i":
            spread = np.kron(x.astype(object), [1, 0][:up])
            sums = np.convolve(made.taps.astype(object), spread)[: len(spread)]
            return rounded(sums[::down], x.dtype)
        return signal.upfirdn(made.taps, wide, up)[: up * len(x) : down]
    if case.name in ("LocalOscillator", "Mixer"):
        freq, phase = (0.125, 0.0) if "," not in case.arguments else (-0.075, 0.25)
        n = x if case.takes_count else len(x)
        tone = np.exp(2j * np.pi * (freq * np.arange(n) + phase))
        return tone if case.takes_count else wide * tone
    if case.name == "Sos" and x.dtype.kind == "i":
        x, full = x.copy(), 1 << 8 * x.dtype.itemsize - 1
        for b0, b1, b2, a0, a1, a2 in made.sos.tolist():
            past = [0] * 4
            for n, now in enumerate(x.tolist()):
                x1, x2, y1, y2 = past
                total = b0 * now + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
                y = min(max((2 * total + a0) // (2 * a0), -full), full - 1)
                past, x[n] = [now, x1, y, y1], y
        return x
    if case.name == "Sos":
        return signal.sosfilt(made.sos.astype("f8"), wide)
    if case.name == "DelayLine":
        length = int(case.arguments.split(",")[0])
        return np.concatenate([np.zeros(length, wide.dtype), wide])[: len(wide)]
    if case.name == "Farrow":
        (ratio,), words = arguments(case)
        period, phase = 1 / Fraction(ratio), Fraction(words.get("phase", 0))
        times = [m * period + phase for m in range(math.ceil((len(x) - phase) / period))]
        points = words.get("order", 3) + 1
        return np.array(
            [interpolated(wide, int(t), lagrange(points, float(t - int(t)))) for t in times]
        )
    if case.name == "FractionalDelay":
        _, words = arguments(case)
        late, points = -made.delay % 1, words.get("order", 3) + 1
        weights = cardinal(48, 60, late) if "stopband" in words else lagrange(points, late)
        ahead = len(weights) // 2 - math.ceil(made.delay)
        return np.array([interpolated(wide, n + ahead, weights) for n in range(len(x))])
    if case.name in ("Nlms", "Lms"):
        return errors(case, x if x.dtype.kind == "i" else wide)
    if case.name == "Pll":
        return followed(case, wide)[case.part]
    if case.name == "MovingAverage":
        length = int(case.arguments.split(",")[0])
        return signal.lfilter(np.ones(length) / length, 1, wide)
    if case.name in ("OnePole", "Allpass", "Deemphasis", "Hilbert", "MovingMedian"):
        return small_filter(case, wide)
    if case.name == "Pid":
        return controlled(case, wide)
    if case.name == "DcBlocker":
        return signal.lfilter([1, -1], [1, -float(case.arguments.split(",")[0])], wide)
    if case.name == "Nco":
        words = {"fs": 1.0, "phase": 0.0, **eval(f"dict({case.arguments})")}
        turns = words["phase"] + np.concatenate([[0], np.cumsum(wide / words["fs"])[:-1]])
        return np.exp(2j * np.pi * turns)
    if case.name == "Chirp":
        freq, rate, fs, phase = (
            (-150e3, 3e8, 2e6, 90) if "fs" in case.arguments else (0.125, 1e-4, 1, 0)
        )
        sweep = [np.arange(x) / fs, freq, 1, freq + rate]
        return signal.chirp(*sweep, phi=phase) + 1j * signal.chirp(*sweep, phi=phase - 90)
    if case.name in ("Impulse", "Step"):
        words = {"delay": 0, "period": x, **eval(f"dict({case.arguments})")}
        y, period = signal.unit_impulse(x, words["delay"]), words["period"]
        return (
            np.cumsum(y)
            if case.name == "Step"
            else signal.lfilter([1], [1] + [0] * (period - 1) + [-1], y)
        )
    if case.name == "Noise":
        return noise(case, x)
    if case.name in ("Pn", "Gold"):
        return chips(case, x)
    if case.name == "FmDemod":
        gain = 0.5 if case.arguments else 1.0
        return gain * angles(wide)
    if case.name == "Unwrap":
        return unwrapped(case, wide)
    if case.name == "magnitude":
        return np.abs(wide)
    if case.name == "magnitude_squared":
        return wide.real**2 + wide.imag**2
    if case.module == "passband.math":
        return elementary(case, wide)
    if case.module == "passband.spectrum":
        words = eval(f"dict({case.arguments})")
        named = getattr(signal.windows, case.name.replace("_", ""))
        beta = [words["beta"]] if "beta" in words else []
        return named(x, *beta, sym=words.get("sym", True))
    if case.module == "passband.fixed":
        return exactly(case, x)
    if case.name.startswith("to_q"):
        limits = np.iinfo(case.output)
        return np.clip(np.rint(wide * (limits.max + 1)), limits.min, limits.max)
    if case.name.startswith("from_q"):
        return wide / (np.iinfo(case.input).max + 1)
    if case.name.startswith("F32To"):
        return codes_of(case, wide)
    if case.name.endswith("ToF32"):
        limits = np.iinfo(case.input)
        offset = (127.5 if case.in_pairs else 128) if limits.min == 0 else 0
        y = (wide - offset) / (limits.max + 1 if limits.min else 128)
        return y[::2] + 1j * y[1::2] if case.in_pairs else y
    if case.name == "Adc":
        bits, _, scale = case.arguments.partition(", full_scale=")
        end = 2.0 ** (int(bits.split(",")[0]) - 1)
        step = float(scale.split(",")[0] or 1) / end
        parts = np.clip(np.rint(wide.view(float) / step), -end, end - 1) * step
        return parts.view(wide.dtype)
    if case.name == "Chain" and case.in_pairs:
        iq = (wide[::2] - 127.5 + 1j * (wide[1::2] - 127.5)) / 128
        return signal.lfilter([0.5, 0.25], 1, iq)
    if case.name == "Chain":
        mixed = wide * np.exp(2j * np.pi * 0.1 * np.arange(len(wide)))
        low = signal.lfilter([0.5, 0.5], 1, mixed)[::3]
        return angles(low)
    return pytest.fail(f"no reference for {case.name}: `reference` in test_stream.py lacks it")


# A filter between its samples is an approximation: test_resample.py has its bounds.
@each([c for c in CASES if not c.counts_vary and c.name != "ArbitraryResampler"])
def test_results_are_those_of_scipy_and_numpy(case: Case) -> None:
    made, x = case.make(), case.x(N)
    expected, result = reference(case, made, x), case.call(made, x)
    if case.shape in FLUSHED:
        result = np.concatenate([result, made.flush()])
    assert result.shape == expected.shape
    exact = np.dtype(case.output).kind in "iu"
    single = "float32" in case.output or case.output == "complex64"
    tolerance = 0 if exact else 3e-6 if single else 1e-14
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@each([case for case in CASES if case.name == "SymbolSync"])
def test_symbols_are_found_at_any_phase_and_period(case: Case) -> None:
    nominal = float(case.arguments.split(",")[0])
    rng = np.random.default_rng(11)
    bits = rng.integers(0, 2, 1500) * 2 - 1
    for period, phase in ((nominal, 0.3), (1.004 * nominal, 0.8), (0.996 * nominal, 0.5)):
        # Raised cosines, one for each symbol: the eye is open at symbols only.
        time = np.arange(int(1400 * period)) / period + phase
        at = (time[:, None] - np.floor(time)[:, None]) - np.arange(-3, 5)
        pulses = np.sinc(at) * np.cos(np.pi * at * 0.5) / (1 - at**2 + 1e-12)
        near = np.floor(time).astype(int)[:, None] + np.arange(-3, 5) + 4
        x = (pulses * bits[near]).sum(axis=1)
        turned = x * (1j if case.dtype().kind == "c" else 1)
        symbols = case.make().execute(turned.astype(case.input))
        symbols = symbols.imag if case.dtype().kind == "c" else symbols
        assert abs(len(symbols) - 1400) <= 20
        settled = symbols[700:1300]
        assert np.abs(settled).min() > 0.8
        found = np.sign(settled).astype(int)
        lags = [lag for lag in range(680, 725) if (bits[lag : lag + 600] == found).all()]
        assert len(lags) == 1


@pytest.mark.parametrize("name", ["hann", "hamming", "blackman", "blackman_harris", "flattop"])
@pytest.mark.parametrize("sym", [True, False])
def test_windows_are_those_of_scipy(name: str, sym: bool) -> None:
    named = getattr(signal.windows, name.replace("_", ""))
    for n in (0, 1, 2, 3, 4, 5, 64, 255, 1000, 4097):
        expected = named(n, sym=sym)
        np.testing.assert_allclose(getattr(passband, name)(n, sym=sym), expected, 0, 1e-15)
        single = getattr(passband, name)(n, sym=sym, dtype="float32")
        np.testing.assert_allclose(single, expected, 0, 6e-8)


@pytest.mark.parametrize("sym", [True, False])
def test_kaiser_windows_are_those_of_scipy(sym: bool) -> None:
    for n in (0, 1, 2, 3, 64, 255, 1000):
        for beta in (0.0, 0.5, 5.0, 8.6, 14.0, 38.0, 700.0):
            expected = signal.windows.kaiser(n, beta, sym=sym)
            result = passband.kaiser(n, beta, sym=sym)
            # SciPy rounds the argument of its Bessel functions, which counts beta times.
            np.testing.assert_allclose(result, expected, 0, 1e-15 * max(1, beta / 4))


def bursts_of(
    x: Any, on: float, off: float, hang: int, min_length: int
) -> list[tuple[int, int, Any, Any]]:
    """Bursts by their definition, one sample after the other."""
    power = (x.real**2 + x.imag**2).astype("f4") if x.dtype.kind == "c" else x * x
    found, start, stop = [], None, 0
    for n, p in enumerate(power):
        if start is None and p >= on:
            start = n
        if start is not None and p >= off:
            stop = n + 1
        if start is not None and n + 1 - stop > hang:
            found.append((start, stop))
            start = None
    if start is not None:
        found.append((start, stop))
    spans = [(a, b) for a, b in found if b - a >= min_length]
    return [(a, b, power[a:b].max(), power[a:b].astype("f8").mean()) for a, b in spans]


@each([case for case in CASES if case.output == "burst"])
def test_bursts_are_those_of_the_definition(case: Case) -> None:
    made, x = case.make(), case.x(3000)
    expected = bursts_of(x, 0.5, 0.25, *((2, 2) if "hang" in case.arguments else (0, 1)))
    result = np.concatenate([made.detect(x), made.flush()])
    assert len(expected) > 20
    assert result["start"].tolist() == [row[0] for row in expected]
    assert result["stop"].tolist() == [row[1] for row in expected]
    np.testing.assert_allclose(result["peak"], [row[2] for row in expected], rtol=2e-7)
    np.testing.assert_allclose(result["mean_power"], [row[3] for row in expected], rtol=2e-7)
    assert made.get_state() == case.make().get_state()


def test_retuning_leaves_the_phase() -> None:
    for made, feed in (
        (passband.LocalOscillator(0.1), lambda k, n: k.steps(n)),
        (passband.Mixer(0.1), lambda k, n: k.steps(np.ones(n, np.complex64))),
        (passband.Duc(0.1, [1.0], 1), lambda k, n: k.execute(np.ones(n, np.complex64))),
        (passband.Ddc(0.1, [1.0], 1), lambda k, n: k.execute(np.ones(n, np.complex64)).conj()),
    ):
        feed(made, 7)
        made.freq = -0.3
        phase = 0.7 - 0.3 * np.arange(5)
        np.testing.assert_allclose(feed(made, 5), np.exp(2j * np.pi * phase), atol=1e-6)
        assert made.freq == pytest.approx(-0.3)
        for freq in (np.nan, np.inf, -np.inf):
            with pytest.raises(ValueError, match="^freq: expected a finite number, given"):
                made.freq = freq
        with pytest.raises(TypeError, match="^freq: expected a real number, given 'a'"):
            made.freq = "a"
        assert made.freq == pytest.approx(-0.3)


def test_frequencies_are_in_the_unit_of_fs() -> None:
    slow, fast = passband.LocalOscillator(0.05), passband.LocalOscillator(100e3, fs=2e6)
    same(slow.steps(100), fast.steps(100))
    assert fast.freq == pytest.approx(100e3)


@each([case for case in OBJECTS if hasattr(case.cls, "clip_count")])
def test_clips_are_counted_until_reset(case: Case) -> None:
    codes = case.make()
    scale = codes.steps(np.full(4, 1e9, case.input)).real.max() if case.name == "Adc" else 1.0
    codes.reset()
    # Far enough from the ends for dither, which is at most a code.
    x = np.array([0, 0.9, -0.9, 2, np.nan, np.inf], np.float64) * scale
    state = codes.get_state()
    codes.steps(x.astype(case.input))
    assert codes.clip_count == 3
    codes.steps(x.astype(case.input))
    assert codes.clip_count == 6
    codes.set_state(state)
    assert codes.clip_count == 0
    codes.steps(x.astype(case.input))
    codes.reset()
    assert codes.clip_count == 0


def test_taps_are_a_fresh_copy() -> None:
    given = np.float32([1, 2, 3])
    for made in (passband.Fir(given), passband.FirDecimator(given, 2), passband.FftFir(given)):
        given[0] = 7
        assert made.taps.tolist() == [1, 2, 3]
        made.taps[0] = 9
        assert made.taps.tolist() == [1, 2, 3]
        assert made.taps is not made.taps
        assert made.taps.flags.owndata
        given[0] = 1


def test_a_chain_of_the_most_stages_stops_only_when_it_has_to() -> None:
    stages = [passband.Fir([1.0]) for _ in range(64)]
    chain = passband.Chain(stages)
    x = np.arange(10 * 4096.0)
    same(chain.execute(x), x)
    same(chain.execute(x[:4096]), x[:4096])
    out = np.empty(100)
    assert chain.execute_into(x, out) == (100, 100)
    assert chain.execute_into(x[100:], out) == (100, 100)
    same(out, x[100:200])
