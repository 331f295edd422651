//! What conformance, fuzzing and benches need to know of the magnitudes.

use super::{Magnitude, magnitude_squared_with, magnitude_with};
use crate::testing::{About, Case, Random, function};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    use num_complex::Complex;
    const EXACT: (f64, f64) = (0.0, f64::INFINITY);
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

fn about<X: Random>(kernel: &'static str, summary: &'static str, (max_error, snr_db): (f64, f64)) -> About {
    About {
        family: "math",
        kernel,
        summary,
        variant: X::NAME.to_string(),
        max_error,
        snr_db,
        flops: if X::COMPONENTS == 1 { 1.0 } else { 4.0 },
        bytes: (size_of::<X>() + size_of::<X::Component>()) as f64,
        benched: true,
    }
}

fn magnitude<X: Magnitude + Random>(bounds: (f64, f64)) -> Case {
    let reference = |x: &[X]| x.iter().map(|x| x.parts()).map(|[re, im]| re.hypot(im)).collect();
    function(about::<X>("magnitude", "magnitude without overflow", bounds), magnitude_with::<X>, reference)
}

fn squared<X: Magnitude + Random>(bounds: (f64, f64)) -> Case {
    let reference = |x: &[X]| x.iter().map(|x| x.parts()).map(|[re, im]| re * re + im * im).collect();
    function(about::<X>("magnitude_squared", "power", bounds), magnitude_squared_with::<X>, reference)
}
