//! What conformance, fuzzing and benches need to know of [`IntToFloat`](super::IntToFloat).

use super::IntToFloat;
use crate::convert::Code;
use crate::testing::{About, Case, Random, blockwise, values};
use num_complex::Complex;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<u8>(128.0, 128.0),
        case::<i8>(0.0, 128.0),
        case::<i16>(0.0, 32768.0),
        case::<i32>(0.0, 2_147_483_648.0),
        case::<Complex<u8>>(127.5, 128.0),
        case::<Complex<i8>>(0.0, 128.0),
        case::<Complex<i16>>(0.0, 32768.0),
        case::<Complex<i32>>(0.0, 2_147_483_648.0),
    ]
}

fn case<X: Code + Random>(offset: f64, full_scale: f64) -> Case {
    let about = About {
        family: "convert",
        kernel: "IntToFloat",
        summary: "integer codes to floating point",
        variant: X::NAME.to_string(),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 2.0 * X::COMPONENTS as f64,
        bytes: (size_of::<X>() + size_of::<X::Value>()) as f64,
        benched: true,
    };
    blockwise(about, IntToFloat::<X>::with_level, move |x: &[X]| {
        values(x).into_iter().map(|code| f64::from(((code - offset) / full_scale) as f32)).collect()
    })
}
