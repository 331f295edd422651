//! What conformance, fuzzing and benches need to know of [`Allpass`](super::Allpass).

use super::Allpass;
use crate::sample::Float;
use crate::testing::{About, Case, Random, cascade, float_bounds, in_place};
use num_complex::Complex;
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(0.5, None, 1.2, 149.0),
        case::<f64>(-0.9, None, 5.0, 137.0),
        case::<Complex<f32>>(0.9, None, 1.2, 149.0),
        case::<f32>(-1.2, Some(0.81), 1.2, 149.0),
        case::<f64>(0.5, Some(-0.25), 3.0, 142.0),
        case::<Complex<f32>>(-1.9, Some(0.9801), 1.2, 149.0),
        case::<Complex<f64>>(-1.2, Some(0.81), 12.0, 133.0),
    ]
}

fn case<X: Float + Random>(a1: f64, a2: Option<f64>, error: f64, snr_db: f64) -> Case {
    let (max_error, snr_db) = float_bounds::<X>(error, snr_db);
    let order = if a2.is_some() { 2 } else { 1 };
    let about = About {
        family: "filter",
        kernel: "Allpass",
        summary: "all-pass section of first or second order",
        variant: format!("{}, order {order}, a1 {a1}", X::NAME),
        max_error,
        snr_db,
        flops: if order == 2 { 7.0 } else { 4.0 } * X::COMPONENTS as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: true,
    };
    let make = move |_| match a2 {
        Some(a2) => Allpass::<X>::second_order(a1, a2).expect("a stable section"),
        None => Allpass::first_order(a1).expect("a stable section"),
    };
    let section = match a2 {
        Some(a2) => [a2, a1, 1.0, 1.0, a1, a2],
        None => [a1, 1.0, 0.0, 1.0, a1, 0.0],
    };
    in_place(about, make, move |x: &[X]| cascade(&[section], x))
}
