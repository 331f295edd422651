//! What conformance, fuzzing and benches need to know of
//! [`ArbitraryResampler`](super::ArbitraryResampler).

use super::design::Grid;
use super::{BoxedArbitraryResampler, Interpolate};
use crate::resample::Stopband;
use crate::sample::Sample;
use crate::testing::{About, Case, Random, variable_length};
use core::f64::consts::PI;
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Ratio, stop-band and phase, with the largest error and the signal to error of each sample type.
type Size = (f64, Stopband, f64, [(f64, f64); 4]);

const SIZES: [Size; 6] = [
    (48.0 / 44.1, Stopband::Db60, 0.0, [(7e-6, 110.0); 4]),
    (0.19, Stopband::Db60, 3.5, [(2.2e-6, 111.0); 4]),
    (44.1 / 48.0, Stopband::Db100, 40.0, [(3e-6, 127.0); 4]),
    (0.192, Stopband::Db100, 0.0, [(8e-7, 127.0), (7e-7, 130.0), (1e-6, 127.0), (6e-7, 131.0)]),
    (7.3, Stopband::Db140, 0.25, [(7e-7, 136.0), (1.2e-8, 166.0), (1.4e-6, 134.0), (1.2e-8, 166.0)]),
    (1.0, Stopband::Db140, 48.0, [(6e-7, 137.0), (2e-15, 303.0), (1e-6, 135.0), (3e-15, 303.0)]),
];

pub(crate) fn cases() -> Vec<Case> {
    let cases =
        |size| [case::<f32>(size), case::<f64>(size), case::<Complex<f32>>(size), case::<Complex<f64>>(size)];
    SIZES.into_iter().flat_map(cases).collect()
}

fn case<X: Interpolate + Random>((ratio, stopband, phase, bounds): Size) -> Case {
    let (double, complex) = (size_of::<X::Component>() == 8, X::COMPONENTS == 2);
    let (max_error, snr_db) = bounds[usize::from(double) + 2 * usize::from(complex)];
    let Grid { taps, points, .. } = Grid::of(stopband, ratio);
    let about = About {
        family: "resample",
        kernel: "ArbitraryResampler",
        summary: "change of rate by any ratio, which may change while running",
        variant: format!("{}, ratio {ratio:.4}, {} dB, phase {phase}", X::NAME, stopband.decibels()),
        max_error,
        snr_db,
        flops: (2 * taps * (points - 1 + X::COMPONENTS)) as f64 * ratio,
        bytes: size_of::<X>() as f64 * (1.0 + ratio),
        benched: matches!(stopband, Stopband::Db60 | Stopband::Db100) && ratio > 0.5 || ratio == 7.3,
    };
    variable_length(
        about,
        move |level| BoxedArbitraryResampler::<X>::with_level(ratio, stopband, phase, level).expect("valid"),
        move |x: &[X]| by_definition(ratio, stopband, phase, taps as f64, x),
    )
}

/// Each output as the sum over all inputs, with the impulse response where it is.
fn by_definition<X: Sample>(ratio: f64, stopband: Stopband, phase: f64, length: f64, x: &[X]) -> Vec<f64> {
    let (cutoff, decibels) = (0.45 * ratio.min(1.0), f64::from(stopband.decibels()) + 5.0);
    let count = exact_product_up(x.len() as f64 - phase, ratio);
    let mut result = Vec::new();
    for m in 0..count {
        let time = m as f64 / ratio + phase;
        let last = time.floor() as usize;
        let mut sums = [0.0; 2];
        let first = (last + 1).saturating_sub(length as usize);
        for (n, x) in x.iter().enumerate().take(last + 1).skip(first) {
            let h = cardinal(time - n as f64 - length / 2.0, length, cutoff, decibels);
            sums.iter_mut().zip(x.parts()).for_each(|(sum, part)| *sum += h * part);
        }
        result.extend(&sums[..X::COMPONENTS]);
    }
    result
}

/// The least integer that is not below an exact product, or 0.
fn exact_product_up(a: f64, b: f64) -> usize {
    let product = a * b;
    let lost = a.mul_add(b, -product);
    let up = product.ceil();
    (if up == product && lost > 0.0 { up + 1.0 } else { up }).max(0.0) as usize
}

/// A sine cardinal under a Kaiser window of so many samples, at a time from its middle. The jump at
/// its start belongs to it, that at its end does not.
pub(crate) fn cardinal(time: f64, length: f64, cutoff: f64, decibels: f64) -> f64 {
    let beta = 0.1102 * (decibels - 8.7);
    let reach = 1.0 - (2.0 * time / length).powi(2);
    if reach < 0.0 || time == length / 2.0 {
        return 0.0;
    }
    let turns = 2.0 * PI * cutoff * time;
    let sinc = if turns == 0.0 { 1.0 } else { turns.sin() / turns };
    2.0 * cutoff * sinc * bessel(beta * reach.sqrt()) / bessel(beta)
}

/// The modified Bessel function of order 0, by its power series.
fn bessel(x: f64) -> f64 {
    (1..60).rev().fold(1.0, |sum, k| 1.0 + (x / f64::from(2 * k)).powi(2) * sum)
}
