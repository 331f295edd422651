//! What conformance, fuzzing and benches need to know of [`Duc`](super::Duc).

use super::Duc;
use crate::chain::Chain;
use crate::resample::rational_resampler::by_definition;
use crate::resample::{BoxedHalfbandInterpolator, BoxedRationalResampler};
use crate::sample::Sample;
use crate::simd::SimdLevel;
use crate::source::Mixed;
use crate::testing::{About, Case, float_bounds, signal, variable_length};
use num_complex::Complex;
use std::format;
use std::vec;
use std::vec::Vec;

const FREQ: f64 = 0.234_567_891;
const PHASE: f64 = 0.7;
/// A half-band filter.
const HALF: [f32; 7] = [-0.125, 0.0, 0.5, 1.0, 0.5, 0.0, -0.125];
const TAPS: usize = 64;
const FACTOR: usize = 8;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        one_stage::<Complex<f32>>(16.0, 137.0),
        one_stage::<f32>(16.0, 137.0),
        two_stages::<Complex<f32>>(16.0, 137.0),
        two_stages::<f32>(16.0, 137.0),
    ]
}

fn interpolator(level: SimdLevel) -> BoxedRationalResampler<Complex<f32>, f32> {
    BoxedRationalResampler::with_level(&signal::<f32>(7, TAPS), FACTOR, 1, 0, level).expect("valid")
}

fn about<Y: Sample>(stages: &str, flops: f64, up: usize, (max_error, snr_db): (f64, f64)) -> About {
    About {
        family: "resample",
        kernel: "Duc",
        summary: "up-converter: a cascade of interpolators and a shift, retunable",
        variant: format!("to {}, {stages}", Y::NAME),
        max_error,
        snr_db,
        flops: flops + ((4 + 4 * Y::COMPONENTS) * up) as f64,
        bytes: 8.0 + (size_of::<Y>() * up) as f64,
        benched: true,
    }
}

fn one_stage<Y: Sample>(error: f64, snr_db: f64) -> Case
where
    Complex<f32>: Mixed<Y>,
{
    let stages = format!("{TAPS} taps float32, factor {FACTOR}");
    let bounds = float_bounds::<f32>(error, snr_db);
    variable_length(
        about::<Y>(&stages, (4 * TAPS) as f64, FACTOR, bounds),
        |level| Duc::<Y, _>::with_level(FREQ, PHASE, interpolator(level), level).expect("valid"),
        |x: &[Complex<f32>]| shifted::<Y>(&by_definition(&signal::<f32>(7, TAPS), [FACTOR, 1, 0], x)),
    )
}

fn two_stages<Y: Sample>(error: f64, snr_db: f64) -> Case
where
    Complex<f32>: Mixed<Y>,
{
    let flops = (4 * TAPS + 2 * FACTOR * HALF.len()) as f64;
    let stages = format!("{TAPS} taps float32, half-band of {}, factor {}", HALF.len(), 2 * FACTOR);
    let make = |level| {
        let half = BoxedHalfbandInterpolator::<Complex<f32>, f32>::with_level(&HALF, level).expect("valid");
        let cascade = Chain::<_, _>::new(interpolator(level), half);
        Duc::<Y, _>::with_level(FREQ, PHASE, cascade, level).expect("valid")
    };
    let reference = |x: &[Complex<f32>]| {
        let parts = by_definition(&signal::<f32>(7, TAPS), [FACTOR, 1, 0], x);
        let between: Vec<_> = parts.chunks_exact(2).map(|part| Complex::new(part[0], part[1])).collect();
        shifted::<Y>(&by_definition(&HALF, [2, 1, 0], &between))
    };
    let bounds = float_bounds::<f32>(error, snr_db);
    variable_length(about::<Y>(&stages, flops, 2 * FACTOR, bounds), make, reference)
}

/// Complex samples times the oscillator, as many components of them as `Y` has.
fn shifted<Y: Sample>(parts: &[f64]) -> Vec<f64> {
    let sample = |(m, part): (usize, &[f64])| {
        let angle = (PHASE + m as f64 * FREQ).fract() * core::f64::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        let y = Complex::new(part[0], part[1]) * Complex::new(cos, sin);
        [y.re, y.im].into_iter().take(Y::COMPONENTS)
    };
    parts.chunks_exact(2).enumerate().flat_map(sample).collect()
}
