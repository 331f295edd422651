use super::Chirp;
use crate::testing::{About, Case, generator};
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    const FREQ: f64 = -0.2;
    const RATE: f64 = 1.234_567_8e-5;
    const PHASE: f64 = 0.3;
    let about = About {
        family: "source",
        kernel: "Chirp",
        summary: "linear sweep",
        variant: "complex64".into(),
        max_error: 1.3e-7,
        snr_db: 145.0,
        flops: 32.0,
        bytes: 8.0,
        benched: true,
    };
    let make = |level| Chirp::with_level(FREQ, RATE, PHASE, level).expect("finite");
    // The formula, not a sum of increments.
    let reference = |n: usize| {
        let sample = |n: usize| {
            let n = n as f64;
            let turns = PHASE + (n * FREQ).fract() + (0.5 * RATE * n * n).fract();
            let (sin, cos) = (turns.fract() * core::f64::consts::TAU).sin_cos();
            [cos, sin]
        };
        (0..n).flat_map(sample).collect()
    };
    std::vec![generator(about, make, reference)]
}
