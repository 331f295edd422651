//! What conformance, fuzzing and benches need to know of [`F32ToI16`](super::F32ToI16).

use super::F32ToI16;
use crate::testing::{About, Case, blockwise};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let about = About {
        family: "convert",
        kernel: "F32ToI16",
        summary: "floating point to 16-bit codes, with a count of clips",
        variant: "float32".to_string(),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 6.0,
        bytes: 6.0,
        benched: true,
    };
    let code = |x: &f32| (f64::from(*x) * 32768.0).round_ties_even().clamp(-32768.0, 32767.0);
    vec![blockwise(about, F32ToI16::with_level, move |x: &[f32]| x.iter().map(code).collect())]
}
