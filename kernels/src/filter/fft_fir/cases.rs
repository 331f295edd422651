//! What conformance, fuzzing and benches need to know of [`FftFir`](super::FftFir).

use super::{BoxedFftFir, FftFilter};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, buffered, convolve, signal};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Tap counts: one, and some whose blocks are short and long against the streams of the checks, each
/// with its error in ulps of 1 and the signal to error of `f32`.
const COUNTS: [(usize, f64, f64); 4] =
    [(1, 3.1, 137.0), (17, 11.0, 135.0), (64, 23.0, 134.0), (300, 51.0, 133.0)];
const BENCHED: [usize; 2] = [64, 300];

pub(crate) fn cases() -> Vec<Case> {
    let cases = |count| {
        [
            case::<f32, f32>(count),
            case::<f64, f64>(count),
            case::<f32, Complex<f32>>(count),
            case::<Complex<f32>, f32>(count),
            case::<Complex<f64>, f64>(count),
            case::<Complex<f32>, Complex<f32>>(count),
            case::<Complex<f64>, Complex<f64>>(count),
        ]
    };
    COUNTS.into_iter().flat_map(cases).collect()
}

fn case<X: FftFilter<H> + Random, H: Random>((count, error, snr_db): (usize, f64, f64)) -> Case {
    let taps = move || signal::<H>(7, count);
    let (eps, more_db) =
        if size_of::<X::Component>() == 8 { (f64::EPSILON, 174.6) } else { (f32::EPSILON.into(), 0.0) };
    let about = About {
        family: "filter",
        kernel: "FftFir",
        summary: "finite impulse response filter by fast convolution",
        variant: format!("{}, {count} taps {}", X::NAME, H::NAME),
        max_error: error * eps,
        snr_db: snr_db + more_db,
        flops: 14.0 * (4.0 * count as f64).log2() * X::COMPONENTS as f64 / 2.0,
        bytes: (size_of::<X>() + size_of::<X::Output>()) as f64,
        benched: BENCHED.contains(&count),
    };
    buffered(
        about,
        move |level| BoxedFftFir::<X, H>::with_level(&taps(), level).expect("taps"),
        move |x: &[X]| convolve(&taps(), x, X::Output::COMPONENTS),
    )
}
