//! What conformance, fuzzing and benches need to know of [`kaiser`].

use super::kaiser;
use crate::spectrum::Window;
use crate::testing::{About, Case, Sum, window};
use core::f64::consts::PI;
use std::format;
use std::vec;
use std::vec::Vec;

/// Shapes around the border of the two series and far beyond, each with its error and its signal to
/// error in `f64`.
const BETAS: [(f64, [f64; 2]); 6] = [
    (0.2, [5e-16, 311.0]),
    (4.0, [7e-16, 311.0]),
    (8.0, [8e-16, 308.0]),
    (8.6, [6e-16, 310.0]),
    (40.0, [5e-16, 311.0]),
    (1000.0, [4e-16, 314.0]),
];

pub(crate) fn cases() -> Vec<Case> {
    let cases = |(beta, double)| {
        [
            case::<f32>(beta, true, [3e-8, 150.0]),
            case::<f64>(beta, true, double),
            case::<f64>(beta, false, double),
        ]
    };
    BETAS.into_iter().flat_map(cases).collect()
}

fn case<T: Window>(beta: f64, sym: bool, [max_error, snr_db]: [f64; 2]) -> Case {
    let about = About {
        family: "spectrum",
        kernel: "kaiser",
        summary: "Kaiser window",
        variant: format!("{}, beta {beta}, {}", T::NAME, if sym { "symmetric" } else { "periodic" }),
        max_error,
        snr_db,
        flops: 100.0,
        bytes: size_of::<T>() as f64,
        benched: beta == 8.6 && sym,
    };
    let reference = move |len: usize| match len {
        1 => vec![1.0],
        _ => (0..len).map(|n| bessel_ratio(beta, n, len - usize::from(sym))).collect(),
    };
    window(about, move |w: &mut [T]| kaiser(w, beta, sym).expect("at least 0"), reference)
}

/// The ratio by the integral `I0(x) = mean of e^(x cos t)`, in which nothing cancels.
fn bessel_ratio(beta: f64, n: usize, period: usize) -> f64 {
    // Of a periodic function the trapezoid rule errs by I_k, k the number of points.
    let points = 32 + (9.0 * beta.sqrt()) as usize;
    let scaled = |x: f64, below: f64| {
        let point = |i: usize| (-2.0 * x * (PI * i as f64 / points as f64).sin().powi(2) - below).exp();
        let mut sum = Sum::default();
        (0..points).for_each(|i| sum.add_product(1.0, point(i)));
        sum.value()
    };
    let (n, period) = (n as f64, period as f64);
    let root = 2.0 * (n * (period - n)).sqrt() / period;
    let below = beta * ((period - 2.0 * n) / period).powi(2) / (1.0 + root);
    scaled(beta * root, below) / scaled(beta, 0.0)
}
