//! What conformance, fuzzing and benches need to know of [`Skeleton`](super::Skeleton).

use super::Skeleton;
use crate::testing::{About, Case, blockwise};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

const GAIN: f32 = 0.7;

pub(crate) fn cases() -> Vec<Case> {
    let about = About {
        family: "skeletons",
        kernel: "Skeleton",
        summary: "scaled difference between neighbouring samples",
        variant: "float32".to_string(),
        max_error: 1.2e-7,
        snr_db: 145.0,
        flops: 2.0,
        bytes: 8.0,
        benched: true,
    };
    vec![blockwise(about, |level| Skeleton::with_level(GAIN, level).expect("a finite gain"), reference)]
}

fn reference(x: &[f32]) -> Vec<f64> {
    let difference = |(from, to): (&f32, &f32)| f64::from(GAIN) * (f64::from(*to) - f64::from(*from));
    [0.0].iter().chain(x).zip(x).map(difference).collect()
}
