//! What conformance, fuzzing and benches need to know of [`MovingMedian`](super::MovingMedian).

use super::BoxedMovingMedian;
use crate::sample::Float;
use crate::testing::{About, Case, Random, in_place};
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(1),
        case::<f32>(2),
        case::<f32>(5),
        case::<f32>(64),
        case::<f32>(301),
        case::<f64>(6),
        case::<f64>(31),
    ]
}

fn case<X: Float<Double = f64> + Random>(length: usize) -> Case {
    let about = About {
        family: "filter",
        kernel: "MovingMedian",
        summary: "median of the last samples",
        variant: format!("{}, length {length}", X::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 3.0 * (length as f64).log2(),
        bytes: 2.0 * size_of::<X>() as f64,
        benched: length > 30,
    };
    let make = move |_| BoxedMovingMedian::<X>::new(length).expect("a length above 0");
    in_place(about, make, move |x: &[X]| reference(length, x))
}

/// The middle of each window, sorted.
fn reference<X: Float<Double = f64>>(length: usize, x: &[X]) -> Vec<f64> {
    let zeros = vec![0.0; length - 1];
    let padded: Vec<f64> = zeros.into_iter().chain(x.iter().map(|x| x.to_double())).collect();
    let median = |window: &[f64]| {
        let mut sorted = window.to_vec();
        sorted.sort_by(f64::total_cmp);
        X::from_double(sorted[(length - 1) / 2].midpoint(sorted[length / 2])).to_double()
    };
    padded.windows(length).map(median).collect()
}
