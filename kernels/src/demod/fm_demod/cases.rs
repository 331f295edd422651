//! What conformance, fuzzing and benches need to know of [`FmDemod`](super::FmDemod).

use super::FmDemod;
use crate::testing::{About, Case, blockwise};
use core::f64::consts::PI;
use num_complex::Complex;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let about = About {
        family: "demod",
        kernel: "FmDemod",
        summary: "frequency demodulator, the angle between neighbouring samples",
        variant: "complex64".to_string(),
        max_error: 4e-7,
        snr_db: 147.0,
        flops: 50.0,
        bytes: 12.0,
        benched: true,
    };
    vec![blockwise(about, |level| FmDemod::with_level(1.0, level).expect("a finite gain"), reference)]
}

fn reference(x: &[Complex<f32>]) -> Vec<f64> {
    let double = |x: Complex<f32>| Complex::new(f64::from(x.re), f64::from(x.im));
    let angle = |(from, to): (&Complex<f32>, &Complex<f32>)| {
        let d = double(*to) * double(*from).conj();
        let angle = if d == Complex::ZERO { 0.0 } else { d.im.atan2(d.re) };
        // Half a turn either way is the same angle: take the way that rounding in `f32` takes.
        let im = to.im * from.re - to.re * from.im;
        if angle.abs() > PI - 1e-6 { angle.abs().copysign(im.into()) } else { angle }
    };
    [Complex::ZERO].iter().chain(x).zip(x).map(angle).collect()
}
