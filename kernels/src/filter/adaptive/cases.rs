//! Adaptive filters as their formulas say.

use crate::sample::{Q15, Sample};
use num_complex::Complex;
use std::vec;
use std::vec::Vec;

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

/// The errors of a filter of codes, in whole numbers; `gain` of its error and the energy of the window
/// says how far weights move.
pub(in crate::filter) fn codes(
    length: usize,
    x: &[Q15],
    d: &[Q15],
    gain: impl Fn(i128, i128) -> i128,
) -> Vec<f64> {
    let mut weights = vec![0; length];
    let mut errors = Vec::new();
    for (n, d) in d.iter().enumerate() {
        let window: Vec<_> = x[..=n].iter().rev().take(length).map(|x| i128::from(x.0)).collect();
        let product = weights.iter().zip(&window).map(|(w, x)| w * x).sum();
        let error = saturated(i128::from(d.0) - saturated(nearest(product, 1 << 15)));
        let gain = saturated(gain(error, window.iter().map(|x| x * x).sum()));
        for (w, x) in weights.iter_mut().zip(&window) {
            *w = saturated(*w + nearest(gain * x, 1 << 15));
        }
        errors.push(error as f64);
    }
    errors
}

/// The whole number nearest to a quotient, halves up.
pub(in crate::filter) fn nearest(product: i128, by: i128) -> i128 {
    let (quotient, left) = (product.div_euclid(by), product.rem_euclid(by));
    quotient + i128::from(2 * left >= by)
}

fn saturated(code: i128) -> i128 {
    code.clamp(-(1 << 15), (1 << 15) - 1)
}
