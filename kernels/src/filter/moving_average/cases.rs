//! What conformance, fuzzing and benches need to know of [`MovingAverage`](super::MovingAverage).

use super::BoxedMovingAverage;
use crate::sample::Float;
use crate::testing::{About, Case, Random, convolve, in_place};
use num_complex::Complex;
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(1, 0.0, f64::INFINITY),
        case::<f32>(5, 3e-8, 150.0),
        case::<f32>(64, 1e-8, 150.0),
        case::<f64>(1000, 1e-17, 308.0),
        case::<Complex<f32>>(21, 2e-8, 150.0),
        case::<Complex<f64>>(64, 6e-17, 312.0),
    ]
}

fn case<X: Float + Random>(length: usize, max_error: f64, snr_db: f64) -> Case {
    let about = About {
        family: "filter",
        kernel: "MovingAverage",
        summary: "mean of the last samples, without drift",
        variant: format!("{}, length {length}", X::NAME),
        max_error,
        snr_db,
        flops: 5.0 * X::COMPONENTS as f64,
        bytes: 2.0 * (size_of::<X>() + size_of::<X::Double>()) as f64,
        benched: length >= 64,
    };
    let make = move |_| BoxedMovingAverage::<X>::new(length).expect("a length above 0");
    let reference = move |x: &[X]| {
        let sums = convolve(&vec![1.0f64; length], x, X::COMPONENTS);
        sums.into_iter().map(|sum| sum / length as f64).collect()
    };
    in_place(about, make, reference)
}
