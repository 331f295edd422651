//! What conformance, fuzzing and benches need to know of [`FirDecimator`](super::FirDecimator).

use super::{BoxedFirDecimator, Decimate};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, convolve, signal, variable_length};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Taps, factor and phase, with their bounds.
const SIZES: [(usize, usize, usize, Bounds); 6] = [
    (1, 1, 0, Bounds { errors: [0.5, 0.5, 2.0, 0.5], snr_db: 148.0 }),
    (5, 3, 1, Bounds { errors: [6.0, 6.0, 7.0, 4.0], snr_db: 144.0 }),
    (17, 1, 0, Bounds { errors: [12.0, 18.0, 16.0, 12.0], snr_db: 142.0 }),
    (67, 5, 4, Bounds { errors: [30.0, 48.0, 44.0, 32.0], snr_db: 138.0 }),
    (128, 8, 0, Bounds { errors: [44.0, 96.0, 128.0, 60.0], snr_db: 135.0 }),
    (300, 31, 0, Bounds { errors: [80.0, 112.0, 240.0, 80.0], snr_db: 130.0 }),
];
const BENCHED: usize = 128;

/// The error in units of half an ulp of 1 of real taps on real and on complex samples and of
/// complex taps on complex and on real ones, and the signal to error of `f32`.
#[derive(Clone, Copy)]
struct Bounds {
    errors: [f64; 4],
    snr_db: f64,
}

pub(crate) fn cases() -> Vec<Case> {
    let cases = |size| {
        [
            case::<f32, f32>(size),
            case::<f64, f64>(size),
            case::<Complex<f32>, f32>(size),
            case::<Complex<f64>, f64>(size),
            case::<Complex<f32>, Complex<f32>>(size),
            case::<Complex<f64>, Complex<f64>>(size),
            case::<f32, Complex<f32>>(size),
            case::<f64, Complex<f64>>(size),
        ]
    };
    SIZES.into_iter().flat_map(cases).collect()
}

fn case<X: Decimate<H> + Random, H: Random>(
    (count, factor, phase, bounds): (usize, usize, usize, Bounds),
) -> Case {
    let taps = move || signal::<H>(7, count);
    let double = size_of::<X::Component>() == 8;
    let [real, complex, complex_taps, complex_taps_of_real] = bounds.errors;
    let error = match (X::COMPONENTS, H::COMPONENTS) {
        (1, 1) => real,
        (2, 1) => complex,
        (2, _) => complex_taps,
        _ => complex_taps_of_real,
    };
    // A single product in `f64` is rounded as the reference is.
    let exact = double && count == 1 && error < 1.0;
    let (eps, snr_db) = if double { (f64::EPSILON, 173.0) } else { (f32::EPSILON.into(), 0.0) };
    let about = About {
        family: "resample",
        kernel: "FirDecimator",
        summary: "FIR filter and decimator by an integer factor",
        variant: format!("{}, {count} taps {}, factor {factor}, phase {phase}", X::NAME, H::NAME),
        max_error: if exact { 0.0 } else { error * eps / 2.0 },
        snr_db: if exact { f64::INFINITY } else { bounds.snr_db + snr_db },
        flops: (2 * count * X::COMPONENTS * H::COMPONENTS) as f64 / factor as f64,
        bytes: size_of::<X>() as f64 + size_of::<X::Output>() as f64 / factor as f64,
        benched: count == BENCHED,
    };
    variable_length(
        about,
        move |level| BoxedFirDecimator::<X, H>::with_level(&taps(), factor, phase, level).expect("valid"),
        move |x: &[X]| {
            let width = X::Output::COMPONENTS;
            let all = convolve(&taps(), x, width);
            all.chunks(width).skip(phase).step_by(factor).flatten().copied().collect()
        },
    )
}
