//! What conformance, fuzzing and benches need to know of [`Nlms`](super::Nlms).

use super::{Adaptive, BoxedNlms};
use crate::filter::adaptive::cases::{codes, nearest, reference};
use crate::sample::{Q15, Sample};
use crate::testing::{About, Case, EXACT, Random, two_input};
use num_complex::Complex;
use std::vec::Vec;
use std::{format, vec};

const STEP_SIZE: f64 = 0.75;
const REGULARIZATION: f64 = 0.125;
const BENCHED: usize = 32;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(1, 4e-7, 143.0),
        case::<f32>(21, 5e-7, 138.0),
        case::<f32>(BENCHED, 5e-7, 137.0),
        case::<f32>(300, 1e-6, 131.0),
        case::<f64>(BENCHED, 1.5e-15, 308.0),
        case::<Complex<f32>>(5, 4e-7, 139.0),
        case::<Complex<f32>>(BENCHED, 7e-7, 135.0),
        case::<Complex<f64>>(13, 1.5e-15, 309.0),
        q15(1),
        q15(BENCHED),
        q15(300),
    ]
}

fn about<X: Sample>(length: usize, (max_error, snr_db): (f64, f64)) -> About {
    About {
        family: "filter",
        kernel: "Nlms",
        summary: "adaptive filter by normalised least mean squares",
        variant: format!("{}, {length} taps", X::NAME),
        max_error,
        snr_db,
        flops: (length * if X::COMPONENTS == 2 { 20 } else { 6 }) as f64,
        bytes: 3.0 * size_of::<X>() as f64,
        benched: length == BENCHED,
    }
}

fn case<X: Adaptive + Random>(length: usize, max_error: f64, snr_db: f64) -> Case {
    let about = about::<X>(length, (max_error, snr_db));
    let make = move |level| {
        BoxedNlms::<X>::with_level(length, STEP_SIZE, REGULARIZATION, level).expect("arguments in range")
    };
    two_input(about, make, move |x: &[X], d: &[X]| {
        reference(length, x, d, |energy| STEP_SIZE / (REGULARIZATION + energy))
    })
}

fn q15(length: usize) -> Case {
    let (step_size, regularization) = (3 << 13, 1 << 27);
    let make = move |level| {
        BoxedNlms::<Q15>::with_level(length, STEP_SIZE, REGULARIZATION, level).expect("arguments in range")
    };
    two_input(about::<Q15>(length, EXACT), make, move |x: &[Q15], d: &[Q15]| {
        codes(length, x, d, |error, energy| nearest((step_size * error) << 15, regularization + energy))
    })
}
