//! What conformance, fuzzing and benches need to know of the magnitudes.

use super::{Magnitude, MagnitudeSquared, magnitude_squared_with, magnitude_with};
use crate::math::map::about;
use crate::testing::{Case, EXACT, Random, function};
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    use num_complex::Complex;
    vec![
        magnitude::<f32>(EXACT),
        magnitude::<f64>(EXACT),
        magnitude::<Complex<f32>>((6e-8, 150.0)),
        magnitude::<Complex<f64>>((3e-16, 322.0)),
        squared::<f32>((3e-8, 150.0)),
        squared::<f64>(EXACT),
        squared::<Complex<f32>>((1.5e-7, 147.0)),
        squared::<Complex<f64>>(EXACT),
    ]
}

/// Operations per sample.
fn flops<X: Random>() -> f64 {
    if X::COMPONENTS == 1 { 1.0 } else { 4.0 }
}

fn magnitude<X: Magnitude + Random>(bounds: (f64, f64)) -> Case {
    let reference = |x: &[X]| x.iter().map(|x| x.parts()).map(|[re, im]| re.hypot(im)).collect();
    let about = about::<X, X::Output>("magnitude", "magnitude without overflow", flops::<X>(), bounds);
    function(about, magnitude_with::<X>, reference)
}

fn squared<X: MagnitudeSquared + Random>(bounds: (f64, f64)) -> Case {
    let reference = |x: &[X]| x.iter().map(|x| x.parts()).map(|[re, im]| re * re + im * im).collect();
    let about = about::<X, X::Output>("magnitude_squared", "power", flops::<X>(), bounds);
    function(about, magnitude_squared_with::<X>, reference)
}
