//! What conformance, fuzzing and benches need to know of [`Unwrap`](super::Unwrap).

use super::Unwrap;
use crate::math::Wrapped;
use crate::math::unwrap::nearest;
use crate::testing::{About, Case, EXACT, Random, blockwise, float_bounds};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

const PERIOD: f64 = 0.7;

pub(crate) fn cases() -> Vec<Case> {
    vec![case::<f32>(float_bounds::<f32>(4.0, 150.0)), case::<f64>(EXACT)]
}

fn case<X: Wrapped + Random>((max_error, snr_db): (f64, f64)) -> Case {
    let about = About {
        family: "demod",
        kernel: "Unwrap",
        summary: "phase of a stream without jumps",
        variant: X::NAME.to_string(),
        max_error,
        snr_db,
        flops: 12.0,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: true,
    };
    let make = |level| Unwrap::<X>::with_level(PERIOD, level).expect("a period");
    blockwise(about, make, |x| nearest(x, PERIOD))
}
