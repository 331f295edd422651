//! What conformance, fuzzing and benches need to know of dot products.

use super::{Dot, dot_with, vdot_with};
use crate::math::map::about;
use crate::testing::{About, Case, Random, float_bounds, inner_product, value_of_two};
use num_complex::Complex;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let [a, b] = [of::<f32>(3.0, 151.0), of::<f64>(16.0, 140.0)];
    let [c, d] = [of::<Complex<f32>>(5.2, 149.0), of::<Complex<f64>>(75.0, 128.0)];
    [a, b, c, d].into_iter().flatten().collect()
}

fn of<X: Dot + Random>(error: f64, snr_db: f64) -> [Case; 2] {
    let flops = if X::COMPONENTS == 1 { 2.0 } else { 8.0 };
    let about = |kernel, summary| {
        let bounds = float_bounds::<X>(error, snr_db);
        let bytes = 2.0 * size_of::<X>() as f64;
        About { bytes, ..about::<X, ()>(kernel, summary, flops, bounds) }
    };
    let (plain, conjugating) = (about("dot", "dot product"), about("vdot", "dot product, one conjugated"));
    [
        value_of_two(plain, dot_with::<X>, |a, b| inner_product(a, b, false)),
        value_of_two(conjugating, vdot_with::<X>, |a, b| inner_product(a, b, true)),
    ]
}
