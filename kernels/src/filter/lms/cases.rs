//! What conformance, fuzzing and benches need to know of [`Lms`](super::Lms).

use super::BoxedLms;
use crate::filter::adaptive::Adaptive;
use crate::filter::adaptive::cases::{codes, nearest, reference};
use crate::sample::{FixedPoint, Q15, Sample};
use crate::testing::{About, Case, EXACT, Random, float_bounds, two_input};
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
        q15(1),
        q15(BENCHED),
        q15(300),
    ]
}

fn about<X: Sample>(length: usize, (max_error, snr_db): (f64, f64)) -> About {
    About {
        family: "filter",
        kernel: "Lms",
        summary: "adaptive filter by least mean squares",
        variant: format!("{}, {length} taps", X::NAME),
        max_error,
        snr_db,
        flops: (length * if X::COMPONENTS == 2 { 16 } else { 4 }) as f64,
        bytes: 3.0 * size_of::<X>() as f64,
        benched: length == BENCHED,
    }
}

/// A power of two, so that every precision has the same.
fn step_size(length: usize) -> f64 {
    STEP_SIZE / length.next_power_of_two() as f64
}

fn case<X: Adaptive + Random>(length: usize, error: f64, snr_db: f64) -> Case {
    let (about, step_size) = (about::<X>(length, float_bounds::<X>(error, snr_db)), step_size(length));
    let make = move |level| BoxedLms::<X>::with_level(length, step_size, level).expect("arguments in range");
    two_input(about, make, move |x: &[X], d: &[X]| reference(length, x, d, |_| step_size))
}

fn q15(length: usize) -> Case {
    let step_size = step_size(length);
    let make =
        move |level| BoxedLms::<Q15>::with_level(length, step_size, level).expect("arguments in range");
    two_input(about::<Q15>(length, EXACT), make, move |x: &[Q15], d: &[Q15]| {
        let code = i128::from(Q15::from_f64(step_size).0);
        codes(length, x, d, |error, _| nearest(code * error, 1 << 15))
    })
}
