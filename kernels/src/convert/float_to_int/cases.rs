//! What conformance, fuzzing and benches need to know of [`FloatToInt`](super::FloatToInt).

use super::FloatToInt;
use crate::convert::Code;
use crate::testing::{About, Case, Random, blockwise, values};
use num_complex::Complex;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<u8>(128.0, 128.0, None),
        case::<i8>(0.0, 128.0, None),
        case::<i16>(0.0, 32768.0, None),
        case::<i32>(0.0, 2_147_483_648.0, None),
        case::<Complex<u8>>(127.5, 128.0, None),
        case::<Complex<i8>>(0.0, 128.0, None),
        case::<Complex<i16>>(0.0, 32768.0, None),
        case::<Complex<i32>>(0.0, 2_147_483_648.0, None),
        case::<u8>(128.0, 128.0, Some(1)),
        case::<i16>(0.0, 32768.0, Some(2)),
        case::<Complex<u8>>(127.5, 128.0, Some(3)),
    ]
}

fn case<Y: Code<Value: Random>>(offset: f64, full_scale: f64, seed: Option<u64>) -> Case {
    let about = About {
        family: "convert",
        kernel: "FloatToInt",
        summary: "floating point to integer codes, with a count of clips and optional dither",
        variant: format!("{}{}", Y::NAME, seed.map_or(String::new(), |seed| format!(", dither {seed}"))),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 6.0 * Y::COMPONENTS as f64,
        bytes: (size_of::<Y>() + size_of::<Y::Value>()) as f64,
        benched: true,
    };
    let make = move |level| {
        let plain = FloatToInt::<Y>::with_level(level);
        seed.map_or(plain.clone(), |seed| plain.dithered(seed))
    };
    let unsigned = Y::NAME.ends_with("u8") || Y::NAME.starts_with("uint");
    let least = if unsigned { 0.0 } else { -full_scale };
    blockwise(about, make, move |x: &[Y::Value]| {
        let noise = (1u64..).map(|n| seed.map_or(0.0, |seed| triangular(seed, n)));
        let code = |(x, noise): (f64, f64)| {
            let code = x * full_scale + noise;
            // Beside a code that ends in a half, a number too small to change it decides.
            if offset.fract() == 0.5 && code.fract() != 0.0 {
                code.floor() + offset + 0.5
            } else {
                (code + offset).round_ties_even()
            }
        };
        values(x)
            .into_iter()
            .zip(noise)
            .map(|pair| code(pair).clamp(least, least + 2.0 * full_scale - 1.0) + 0.0)
            .collect()
    })
}

/// The dither by its definition.
fn triangular(seed: u64, n: u64) -> f64 {
    let step = |z: u128, shift: u32, factor: u128| ((z ^ z >> shift) * factor) & u128::from(u64::MAX);
    let start = (u128::from(seed) + u128::from(n) * 0x9e37_79b9_7f4a_7c15) & u128::from(u64::MAX);
    let z = step(step(start, 30, 0xbf58_476d_1ce4_e5b9), 27, 0x94d0_49bb_1331_11eb);
    let bits = z ^ z >> 31;
    ((bits >> 32) as f64 - (bits & 0xffff_ffff) as f64) / 2f64.powi(32)
}
