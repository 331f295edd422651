use super::{Distribution, Noise};
use crate::sample::Float;
use crate::source::philox::philox;
use crate::testing::{About, Case, generator};
use num_complex::Complex;
use std::vec::Vec;

const SEED: u64 = 0x0123_4567_89ab_cdef;

pub(crate) fn cases() -> Vec<Case> {
    use Distribution::{Gaussian, Uniform};
    std::vec![
        case::<f32>(Gaussian, 2.3e-7, 148.0),
        case::<f64>(Gaussian, 8e-16, 324.0),
        case::<Complex<f32>>(Gaussian, 2.1e-7, 148.0),
        case::<Complex<f64>>(Gaussian, 1.2e-15, 313.0),
        case::<f32>(Uniform, 3e-8, 148.0),
        case::<f64>(Uniform, 0.0, f64::INFINITY),
        case::<Complex<f32>>(Uniform, 3e-8, 148.0),
    ]
}

fn case<Y: Float>(distribution: Distribution, max_error: f64, snr_db: f64) -> Case {
    let gaussian = distribution == Distribution::Gaussian;
    let about = About {
        family: "source",
        kernel: "Noise",
        summary: "white noise, Gaussian or uniform",
        variant: std::format!("{}, {}", Y::NAME, if gaussian { "Gaussian" } else { "uniform" }),
        max_error,
        snr_db,
        flops: if gaussian { 90.0 } else { 20.0 } * Y::COMPONENTS as f64,
        bytes: size_of::<Y>() as f64,
        benched: true,
    };
    let make = move |level| Noise::<Y>::with_level(SEED, distribution, level);
    let reference = move |n: usize| (0..n * Y::COMPONENTS).map(|n| number::<Y>(gaussian, n as u64)).collect();
    generator(about, make, reference)
}

/// Number `n` by its formula, by the standard library.
fn number<Y: Float>(gaussian: bool, n: u64) -> f64 {
    let fraction = |n: u64| {
        let words = philox([(n / 4) as u32, (n >> 34) as u32, 0, 0], [SEED as u32, (SEED >> 32) as u32]);
        (f64::from(words[n as usize % 4]) + 0.5) / 2f64.powi(32)
    };
    if !gaussian {
        return fraction(n) * 2.0 - 1.0;
    }
    let radius = (-2.0 / Y::COMPONENTS as f64 * fraction(n / 2 * 2).ln()).sqrt();
    let (sin, cos) = (fraction(n / 2 * 2 + 1) * core::f64::consts::TAU).sin_cos();
    radius * if n.is_multiple_of(2) { cos } else { sin }
}
