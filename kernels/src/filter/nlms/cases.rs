//! What conformance, fuzzing and benches need to know of [`Nlms`](super::Nlms).

use super::{Adaptive, BoxedNlms};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, two_input};
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
    ]
}

fn case<X: Adaptive + Random>(length: usize, max_error: f64, snr_db: f64) -> Case {
    let about = About {
        family: "filter",
        kernel: "Nlms",
        summary: "adaptive filter by normalised least mean squares",
        variant: format!("{}, {length} taps", X::NAME),
        max_error,
        snr_db,
        flops: (length * if X::COMPONENTS == 2 { 20 } else { 6 }) as f64,
        bytes: 3.0 * size_of::<X>() as f64,
        benched: length == BENCHED,
    };
    let make = move |level| {
        BoxedNlms::<X>::with_level(length, STEP_SIZE, REGULARIZATION, level).expect("arguments in range")
    };
    two_input(about, make, move |x: &[X], d: &[X]| {
        reference(length, x, d, |energy| STEP_SIZE / (REGULARIZATION + energy))
    })
}

/// The errors of a filter that takes steps of `rate` of the energy of its window.
pub(in crate::filter) fn reference<X: Sample>(
    length: usize,
    x: &[X],
    d: &[X],
    rate: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let number = |x: &X| Complex::new(x.parts()[0], x.parts()[1]);
    let mut weights = vec![Complex::new(0.0, 0.0); length];
    let mut errors = Vec::new();
    for (n, d) in d.iter().enumerate() {
        let window: Vec<_> = x[..=n].iter().rev().take(length).map(number).collect();
        let product: Complex<f64> = weights.iter().zip(&window).map(|(w, x)| w * x).sum();
        let error = number(d) - product;
        let energy: f64 = window.iter().map(Complex::norm_sqr).sum();
        let gain = error * rate(energy);
        weights.iter_mut().zip(&window).for_each(|(w, x)| *w += gain * x.conj());
        errors.extend([error.re, error.im].into_iter().take(X::COMPONENTS));
    }
    errors
}
