//! What conformance, fuzzing and benches need to know of [`Pll`].

use super::Pll;
use crate::testing::{About, Case, Rng, two_output};
use core::f64::consts::TAU;
use num_complex::Complex;
use std::vec::Vec;

const FREQ: f64 = 0.107;
const LOOP_BANDWIDTH: f64 = 0.02;
const DAMPING: f64 = 0.8;

pub(crate) fn cases() -> Vec<Case> {
    let about = About {
        family: "sync",
        kernel: "Pll",
        summary: "phase-locked loop of second order",
        variant: "complex64".into(),
        max_error: 2.5e-7,
        snr_db: 142.0,
        flops: 70.0,
        bytes: 20.0,
        benched: true,
    };
    let make = |_| Pll::new(FREQ, LOOP_BANDWIDTH, DAMPING).expect("arguments in range");
    std::vec![two_output(about, make, carrier, reference)]
}

/// A carrier that a loop at [`FREQ`] locks to, with some noise.
pub(super) fn carrier(seed: u64, len: usize) -> Vec<Complex<f32>> {
    let mut rng = Rng::new(seed);
    let sample = |n: usize| {
        let (sin, cos) = (TAU * (0.11 * n as f64 + 0.15)).sin_cos();
        Complex::new((cos + 0.1 * rng.unit()) as f32, (sin + 0.1 * rng.unit()) as f32)
    };
    (0..len).map(sample).collect()
}

fn reference(x: &[Complex<f32>]) -> Vec<f64> {
    // The loop's poles in the s-plane, mapped by the bilinear transform.
    let theta = LOOP_BANDWIDTH / (DAMPING + 1.0 / (4.0 * DAMPING));
    let divisor = 1.0 + 2.0 * DAMPING * theta + theta.powi(2);
    let (kp, ki) = (4.0 * DAMPING * theta / divisor, 4.0 * theta.powi(2) / divisor);
    let (mut freq, mut phase) = (TAU * FREQ, 0.0f64);
    let sample = |x: &Complex<f32>| {
        let (sin, cos) = phase.sin_cos();
        let signal = Complex::new(f64::from(x.re), x.im.into()) * Complex::new(cos, -sin);
        let error = signal.im.atan2(signal.re);
        freq += ki * error;
        phase = (phase + freq + kp * error) % TAU;
        [signal.re, signal.im, error]
    };
    x.iter().flat_map(sample).collect()
}
