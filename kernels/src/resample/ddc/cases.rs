//! What conformance, fuzzing and benches need to know of [`Ddc`](super::Ddc).

use super::Ddc;
use crate::chain::Chain;
use crate::resample::rational_resampler::by_definition;
use crate::resample::{BoxedFirDecimator, BoxedHalfbandDecimator};
use crate::sample::Sample;
use crate::simd::SimdLevel;
use crate::source::Mixed;
use crate::testing::{About, Case, Random, float_bounds, signal, variable_length};
use num_complex::Complex;
use std::format;
use std::vec;
use std::vec::Vec;

const FREQ: f64 = -0.123_456_789;
const PHASE: f64 = 0.3;
/// A half-band filter.
const HALF: [f32; 7] = [-0.0625, 0.0, 0.25, 0.5, 0.25, 0.0, -0.0625];
const TAPS: usize = 64;
const FACTOR: usize = 8;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        one_stage::<Complex<f32>>(40.0, 135.0),
        one_stage::<f32>(40.0, 135.0),
        two_stages::<Complex<f32>>(22.0, 135.0),
        two_stages::<f32>(14.0, 135.0),
    ]
}

fn low_pass(level: SimdLevel) -> BoxedFirDecimator<Complex<f32>, f32> {
    BoxedFirDecimator::with_level(&signal::<f32>(7, TAPS), FACTOR, 0, level).expect("valid")
}

fn about<X: Sample>(stages: &str, flops: f64, down: usize, (max_error, snr_db): (f64, f64)) -> About {
    About {
        family: "resample",
        kernel: "Ddc",
        summary: "down-converter: a shift, retunable, and a cascade of decimators",
        variant: format!("{}, {stages}", X::NAME),
        max_error,
        snr_db,
        // Of the shift and of the first stage behind it.
        flops: (6 * X::COMPONENTS) as f64 + flops,
        bytes: size_of::<X>() as f64 + 8.0 / down as f64,
        benched: true,
    }
}

fn one_stage<X: Mixed<Complex<f32>> + Random>(error: f64, snr_db: f64) -> Case {
    let flops = (4 * TAPS) as f64 / FACTOR as f64;
    let stages = format!("{TAPS} taps float32, factor {FACTOR}");
    variable_length(
        about::<X>(&stages, flops, FACTOR, float_bounds::<f32>(error, snr_db)),
        |level| Ddc::<X, _>::with_level(FREQ, PHASE, low_pass(level), level).expect("valid"),
        |x: &[X]| by_definition(&signal::<f32>(7, TAPS), [1, FACTOR, 0], &shifted(x)),
    )
}

fn two_stages<X: Mixed<Complex<f32>> + Random>(error: f64, snr_db: f64) -> Case {
    let flops = HALF.len() as f64 + (2 * TAPS) as f64 / FACTOR as f64;
    let stages = format!("half-band of {}, {TAPS} taps float32, factor {}", HALF.len(), 2 * FACTOR);
    let make = |level| {
        let half = BoxedHalfbandDecimator::<Complex<f32>, f32>::with_level(&HALF, level).expect("valid");
        let cascade = Chain::<_, _>::new(half, low_pass(level));
        Ddc::<X, _>::with_level(FREQ, PHASE, cascade, level).expect("valid")
    };
    let reference = |x: &[X]| {
        let half = pairs(&by_definition(&HALF, [1, 2, 0], &shifted(x)));
        by_definition(&signal::<f32>(7, TAPS), [1, FACTOR, 0], &half)
    };
    let bounds = float_bounds::<f32>(error, snr_db);
    variable_length(about::<X>(&stages, flops, 2 * FACTOR, bounds), make, reference)
}

fn pairs(parts: &[f64]) -> Vec<Complex<f64>> {
    parts.chunks_exact(2).map(|part| Complex::new(part[0], part[1])).collect()
}

/// The input times the conjugate of the oscillator.
fn shifted<X: Sample>(x: &[X]) -> Vec<Complex<f64>> {
    let sample = |(n, x): (usize, &X)| {
        let [re, im] = x.parts();
        let angle = (PHASE + n as f64 * FREQ).fract() * core::f64::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        Complex::new(re, im) * Complex::new(cos, -sin)
    };
    x.iter().enumerate().map(sample).collect()
}
