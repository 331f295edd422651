//! What conformance, fuzzing and benches need to know of [`Farrow`](super::Farrow).

use super::Farrow;
use crate::resample::arbitrary_resampler::Interpolate;
use crate::sample::Sample;
use crate::testing::{About, Case, Random, variable_length};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Ratio, order and phase, with the largest errors of single and double precision and the signal to
/// error of single precision.
type Size = (f64, usize, f64, [f64; 2], f64);

const SIZES: [Size; 6] = [
    (1.0 / 0.918_75, 3, 0.0, [3.5e-7, 3.2e-13], 140.0),
    (0.41, 1, 3.5, [2.2e-7, 3.2e-13], 142.0),
    (6.7, 3, 2.25, [3.5e-7, 3.2e-13], 140.0),
    (1.001, 5, 3.0, [6e-7, 3.2e-13], 136.0),
    (0.37, 7, 0.25, [5e-7, 3.2e-13], 137.0),
    // Pieces of a call without an output.
    (0.0123, 1, 30.5, [1.2e-7, 2.2e-13], 145.0),
];

pub(crate) fn cases() -> Vec<Case> {
    let cases =
        |size| [case::<f32>(size), case::<f64>(size), case::<Complex<f32>>(size), case::<Complex<f64>>(size)];
    SIZES.into_iter().flat_map(cases).collect()
}

fn case<X: Interpolate + Random>((ratio, order, phase, max_errors, snr_db): Size) -> Case {
    let double = size_of::<X::Component>() == 8;
    let points = order + 1;
    let about = About {
        family: "resample",
        kernel: "Farrow",
        summary: "change of rate by polynomials through the samples, for oversampled signals",
        variant: format!("{}, ratio {ratio:.4}, order {order}, phase {phase}", X::NAME),
        // In double precision the rounding of the reference's times counts as well.
        max_error: max_errors[usize::from(double)],
        snr_db: if double { 259.0 } else { snr_db },
        flops: (2 * points * points * X::COMPONENTS) as f64 * ratio,
        bytes: size_of::<X>() as f64 * (1.0 + ratio),
        benched: phase != 3.5,
    };
    variable_length(
        about,
        move |level| Farrow::<X>::with_level(ratio, order, phase, level).expect("valid"),
        move |x: &[X]| by_definition(ratio, order, phase, x),
    )
}

/// Each output through the samples around its time, zeros before the first.
fn by_definition<X: Sample>(ratio: f64, order: usize, phase: f64, x: &[X]) -> Vec<f64> {
    let count = ((x.len() as f64 - phase) * ratio).ceil().max(0.0) as usize;
    let mut result = Vec::new();
    for m in 0..count {
        let time = m as f64 / ratio + phase;
        result.extend(interpolated(x, time.floor() as usize, order, time.fract()));
    }
    result
}

/// The polynomial through `order + 1` samples up to `last`, at the time `between` past the middle.
pub(crate) fn interpolated<X: Sample>(
    x: &[X],
    last: usize,
    order: usize,
    between: f64,
) -> impl Iterator<Item = f64> {
    let middle = (order / 2) as f64;
    let samples = (0..=order).rev().map(|back| last.checked_sub(back).map_or([0.0; 2], |i| x[i].parts()));
    let samples: Vec<_> = samples.collect();
    (0..X::COMPONENTS).map(move |part| {
        // Neville's scheme.
        let mut points: Vec<_> = samples.iter().map(|parts| parts[part]).collect();
        for level in 1..=order {
            for i in 0..=order - level {
                let (first, last) = (i as f64 - middle, (i + level) as f64 - middle);
                points[i] =
                    ((between - last) * points[i] + (first - between) * points[i + 1]) / (first - last);
            }
        }
        points[0]
    })
}
