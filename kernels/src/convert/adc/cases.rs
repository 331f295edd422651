//! What conformance, fuzzing and benches need to know of [`Adc`](super::Adc).

use super::{Adc, Analog};
use crate::testing::{About, Case, Random, blockwise, values};
use num_complex::Complex;
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(8, 1.0),
        case::<f64>(12, 0.7),
        case::<Complex<f32>>(14, 0.5),
        case::<Complex<f64>>(24, 3.0),
    ]
}

fn case<X: Analog + Random>(bits: u32, full_scale: f64) -> Case {
    let about = About {
        family: "convert",
        kernel: "Adc",
        summary: "model of an analogue-to-digital converter, with a count of clips",
        variant: format!("{}, {bits} bits", X::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 6.0 * X::COMPONENTS as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: true,
    };
    let make = move |level| Adc::with_level(bits, full_scale, level).expect("a converter");
    let end = 2f64.powi(bits as i32 - 1);
    let step = full_scale / end;
    // A zero of the code has no sign.
    let code = move |x: f64| (x / step).round_ties_even().clamp(-end, end - 1.0) + 0.0;
    blockwise(about, make, move |x: &[X]| {
        let y: Vec<f64> = values(x).into_iter().map(|x| code(x) * step).collect();
        if size_of::<X::Component>() == 4 { y.iter().map(|y| f64::from(*y as f32)).collect() } else { y }
    })
}
