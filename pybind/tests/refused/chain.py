"""What chains refuse."""

from refused import Row

WRONG: list[Row] = [
    ("Chain([FftFir([1.0])])", TypeError, r"stages: .*FftFir.* stage 0, which holds .* flush\(\)"),
    ("Chain([Fft(8)])", TypeError, "stages: .*, given .*Fft.* as stage 0"),
    ("Chain([Nlms(1, 1)])", TypeError, "stages: .*, given .*Nlms.* as stage 0"),
    ("Chain([Pll(0.1)])", TypeError, "stages: .*, given .*Pll.* as stage 0"),
    ("Chain([PowerAverager()])", TypeError, "stages: .*, given .*PowerAverager.* as stage 0"),
    ("Chain([LevelMeter()])", TypeError, "stages: .*, given .*LevelMeter.* as stage 0"),
    ("Chain([])", ValueError, "stages: expected at least one kernel, given 0"),
    ("Chain(1)", TypeError, "stages: expected a sequence of kernels, given 1"),
    (
        "Chain([1])",
        TypeError,
        "stages: expected .*Blockwise or VariableLength, .*, given 1 .*stage 0",
    ),
    (
        "Chain([LocalOscillator(0.1)])",
        TypeError,
        "stages: .*, given .*LocalOscillator.* as stage 0",
    ),
    ("Chain([BurstDetector(1, 1)])", TypeError, "stages: .*, given .*BurstDetector.* as stage 0"),
    ("Chain([Mixer(0.1), Fir([1.0])])", TypeError, "stages: expected float64 .*, given complex64"),
    ("Chain([F32ToI16(), I16ToF32(iq=True)])", TypeError, "stages: expected pairs of int16"),
    (
        "Chain([F32ToI16(iq=True), I16ToF32()])",
        TypeError,
        "stages: expected int16 .*pairs of int16",
    ),
    (
        "Chain([Fir([1.0]) for _ in range(65)])",
        ValueError,
        "stages: expected at most 64 kernels, given 65",
    ),
    ("Chain([Fir([1.0])] * 2)", ValueError, "stages: expected each object once, given Fir twice"),
]
