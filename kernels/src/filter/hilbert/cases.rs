//! What conformance, fuzzing and benches need to know of [`Hilbert`](super::Hilbert).

use super::{Analytic, BoxedHilbert};
use crate::sample::Sample;
use crate::testing::{About, Case, EXACT, Random, blockwise, convolve, float_bounds};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

const BETA: f64 = 8.0;

/// Tap counts, each with its bounds: the error in units of half an ulp of 1, and the signal to error
/// of `f32`.
const COUNTS: [(usize, f64, f64); 5] =
    [(3, 0.005, 199.0), (7, 1.5, 151.0), (31, 5.5, 143.0), (63, 7.0, 140.0), (303, 20.0, 134.0)];

pub(crate) fn cases() -> Vec<Case> {
    let cases =
        |(length, error, snr_db)| [case::<f32>(length, error, snr_db), case::<f64>(length, error, snr_db)];
    COUNTS.into_iter().flat_map(cases).collect()
}

fn case<X: Analytic + Random>(length: usize, error: f64, snr_db: f64) -> Case {
    // A single product in `f64` is rounded as the reference is.
    let exact = size_of::<X>() == size_of::<f64>() && length == 3;
    let (max_error, snr_db) = if exact { EXACT } else { float_bounds::<X>(error, snr_db) };
    let about = About {
        family: "filter",
        kernel: "Hilbert",
        summary: "analytic signal by an antisymmetric FIR filter",
        variant: format!("{}, {length} taps", X::NAME),
        max_error,
        snr_db,
        flops: 3.0 * (length as f64 + 1.0) / 4.0,
        bytes: (size_of::<X>() + size_of::<X::Complex>()) as f64,
        benched: length == 63,
    };
    let make = move |level| BoxedHilbert::<X>::with_level(length, BETA, level).expect("a length");
    let reference = move |x: &[X]| {
        let hilbert = BoxedHilbert::<X>::new(length, BETA).expect("a length");
        let real = |k| f64::from(u8::from(2 * k + 1 == length));
        let imaginary = hilbert.taps().map(Sample::parts);
        let taps: Vec<_> = imaginary.enumerate().map(|(k, [tap, _])| Complex::new(real(k), tap)).collect();
        convolve(&taps, x, 2)
    };
    blockwise(about, make, reference)
}
