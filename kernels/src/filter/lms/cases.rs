//! What conformance, fuzzing and benches need to know of [`Lms`](super::Lms).

use super::BoxedLms;
use crate::filter::adaptive::Adaptive;
use crate::filter::nlms::cases::reference;
use crate::testing::{About, Case, Random, float_bounds, two_input};
use num_complex::Complex;
use std::vec::Vec;
use std::{format, vec};

/// In units of one over the length, which the power of the signals leaves stable.
const STEP_SIZE: f64 = 0.5;
const BENCHED: usize = 32;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(1, 2.5, 147.0),
        case::<f32>(21, 5.0, 144.0),
        case::<f32>(BENCHED, 5.0, 142.0),
        case::<f32>(300, 5.0, 143.0),
        case::<f64>(BENCHED, 6.0, 142.0),
        case::<Complex<f32>>(5, 4.0, 143.0),
        case::<Complex<f32>>(BENCHED, 7.0, 137.0),
        case::<Complex<f64>>(13, 11.0, 138.0),
    ]
}

fn case<X: Adaptive + Random>(length: usize, error: f64, snr_db: f64) -> Case {
    let (max_error, snr_db) = float_bounds::<X>(error, snr_db);
    let about = About {
        family: "filter",
        kernel: "Lms",
        summary: "adaptive filter by least mean squares",
        variant: format!("{}, {length} taps", X::NAME),
        max_error,
        snr_db,
        flops: (length * if X::COMPONENTS == 2 { 16 } else { 4 }) as f64,
        bytes: 3.0 * size_of::<X>() as f64,
        benched: length == BENCHED,
    };
    // A power of two, so that every precision has the same.
    let step_size = STEP_SIZE / length.next_power_of_two() as f64;
    let make = move |level| BoxedLms::<X>::with_level(length, step_size, level).expect("arguments in range");
    two_input(about, make, move |x: &[X], d: &[X]| reference(length, x, d, |_| step_size))
}
