//! What conformance, fuzzing and benches need to know of the conversions of fixed point.

use super::{Fraction, from_fixed_with, to_fixed_with};
use crate::sample::{Q7, Q15, Q31};
use crate::testing::{About, Case, Random, function, values};
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        to::<f32, Q7>(),
        to::<f32, Q15>(),
        to::<f32, Q31>(),
        to::<f64, Q7>(),
        to::<f64, Q15>(),
        to::<f64, Q31>(),
        from::<Q7, f32>(),
        from::<Q15, f32>(),
        from::<Q31, f32>(),
        from::<Q7, f64>(),
        from::<Q15, f64>(),
        from::<Q31, f64>(),
    ]
}

fn about<X: Random, Y: Random>(kernel: &'static str, summary: &'static str) -> About {
    About {
        family: "convert",
        kernel,
        summary,
        variant: format!("{} to {}", X::NAME, Y::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 2.0,
        bytes: (size_of::<X>() + size_of::<Y>()) as f64,
        benched: true,
    }
}

fn to<F: Random, Q: Fraction<F> + Random>() -> Case {
    let end = 2f64.powi(Q::BITS as i32);
    // A zero of the code has no sign.
    let code = move |x: f64| (x * end).round_ties_even().clamp(-end, end - 1.0) + 0.0;
    let about = about::<F, Q>("to_fixed", "floating point to fixed-point fractions");
    function(about, to_fixed_with::<F, Q>, move |x| values(x).into_iter().map(code).collect())
}

fn from<Q: Fraction<F> + Random, F: Random>() -> Case {
    let number = |x: &Q| match F::NAME {
        "float32" => f64::from(x.to_f64() as f32),
        _ => x.to_f64(),
    };
    let about = about::<Q, F>("from_fixed", "fixed-point fractions to floating point");
    function(about, from_fixed_with::<Q, F>, move |x| x.iter().map(number).collect())
}
