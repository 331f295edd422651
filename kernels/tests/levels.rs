//! Kernels that promise the same bits at every level.

#![cfg(feature = "testing")]

use passband_kernels::testing::{Plan, same_bits};
use passband_kernels::{SimdLevel, catalog};

const KERNELS: &[&str] = &[
    "Adc",
    "Allpass",
    "BurstDetector",
    "Chirp",
    "CicDecimator",
    "CicInterpolator",
    "DcBlocker",
    "Deemphasis",
    "DelayLine",
    "Farrow",
    "Fft",
    "FftFir",
    "FloatToInt",
    "FmDemod",
    "Gold",
    "Impulse",
    "IntToFloat",
    "LevelMeter",
    "LocalOscillator",
    "Mixer",
    "MovingAverage",
    "MovingMedian",
    "Nco",
    "Noise",
    "OnePole",
    "Pid",
    "Pll",
    "Pn",
    "PowerAverager",
    "PulseSlicer",
    "Step",
    "SymbolSync",
    "Unwrap",
    "add",
    "amplitude_to_db",
    "argmax",
    "argmin",
    "clamp",
    "conj",
    "cos",
    "dot",
    "exp",
    "find_peaks",
    "from_fixed",
    "log",
    "mac",
    "magnitude",
    "magnitude_squared",
    "max",
    "mean",
    "min",
    "mul",
    "phase",
    "power_to_db",
    "rms",
    "scale",
    "shift",
    "sin",
    "sincos",
    "sqrt",
    "std_dev",
    "sub",
    "to_fixed",
    "unwrap",
    "variance",
    "vdot",
];

#[test]
fn levels_agree_where_nothing_fuses() {
    let cases = catalog::all();
    for kernel in KERNELS {
        let mut cases = cases.iter().filter(|case| case.about.kernel == *kernel).peekable();
        assert!(cases.peek().is_some(), "{kernel} has no case");
        for case in cases {
            let run = |level| case.run(&Plan::whole(level, 3, 20_011));
            let scalar = run(SimdLevel::SCALAR);
            for level in SimdLevel::available() {
                assert_eq!(same_bits(&run(level), &scalar), None, "{case} at {level}");
            }
        }
    }
}
