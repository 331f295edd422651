//! What conformance, fuzzing and benches need to know of [`Fft`](super::Fft).

use super::{BoxedFft, FftReal};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, batch, dft};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Lengths for each kind of pass, with the error in ulps of 1 and the signal to error of `f32`.
const LENGTHS: [(usize, f64, f64); 11] = [
    (1, 0.0, f64::INFINITY),
    (2, 1.0, 150.0),
    (4, 2.0, 147.0),
    (8, 6.0, 144.5),
    (16, 10.0, 143.0),
    (32, 12.0, 141.5),
    (64, 23.0, 140.8),
    (128, 34.0, 139.7),
    (256, 42.0, 138.8),
    (512, 60.0, 138.4),
    (1024, 110.0, 137.7),
];
/// Up to this length sums of samples with few bits are exact in `f64`.
const EXACT: usize = 4;

/// Lengths that benches run, as the inputs of both of their lengths are whole frames of it.
const BENCHED: [usize; 3] = [64, 256, 1024];

pub(crate) fn cases() -> Vec<Case> {
    let cases = |(n, error, snr_db)| {
        [
            case::<f32>(n, false, error, snr_db),
            case::<f32>(n, true, error, snr_db),
            case::<f64>(n, false, error, snr_db),
            case::<f64>(n, true, error, snr_db),
        ]
    };
    LENGTHS.into_iter().flat_map(cases).collect()
}

fn case<T: FftReal>(n: usize, inverse: bool, error: f64, snr_db: f64) -> Case
where
    Complex<T>: Random,
{
    let (eps, more_db) = match size_of::<T>() {
        4 => (f32::EPSILON.into(), 0.0),
        _ if n <= EXACT => (0.0, f64::INFINITY),
        _ => (f64::EPSILON, 174.6),
    };
    let scale = if inverse { 1.0 / n as f64 } else { 1.0 };
    let about = About {
        family: "transform",
        kernel: "Fft",
        summary: "fast Fourier transform of frames",
        variant: format!("{}, {n}{}", <Complex<T>>::NAME, if inverse { ", inverse" } else { "" }),
        max_error: error * eps * scale,
        snr_db: snr_db + more_db,
        flops: 5.0 * (n as f64).log2(),
        bytes: 2.0 * size_of::<Complex<T>>() as f64,
        benched: BENCHED.contains(&n) && !inverse,
    };
    batch(
        about,
        move |level| BoxedFft::<T>::with_level(n, inverse, level).expect("a power of two"),
        move |x: &[Complex<T>]| dft(x, inverse),
    )
}
