//! What conformance, fuzzing and benches need to know of [`PulseSlicer`](super::PulseSlicer).

use super::PulseSlicer;
use crate::sample::Float;
use crate::testing::{About, Case, Random, Rng, detector};
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![case(0.25f32, 0.25, 1), case(0.5f32, -0.5, 4), case(0.5f64, 0.0, 20)]
}

fn case<X: Float<Double = f64> + Random + PartialOrd>(on: X, off: X, min_length: u64) -> Case {
    let about = About {
        family: "detect",
        kernel: "PulseSlicer",
        summary: "widths and gaps of pulses, with hysteresis",
        variant: format!("{}, on {on:?}, off {off:?}, min_length {min_length}", X::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 1.0,
        bytes: size_of::<X>() as f64,
        benched: min_length > 1,
    };
    let make = move |level| PulseSlicer::with_level(on, off, min_length, level).expect("valid");
    detector(about, make, pulses, move |x: &[X]| {
        reference([on, off].map(Float::to_double), min_length as usize, x)
    })
}

/// Noise around 1 and around -1 in turn, now and then for long, and noise around zero.
fn pulses<X: Float<Double = f64> + Random>(seed: u64, len: usize) -> Vec<X> {
    let mut rng = Rng::new(seed);
    let mut x = Vec::new();
    while x.len() < len {
        let longest = if rng.below(3) == 0 { 150 } else { 8 };
        let (stretch, middle) = (rng.below(longest) + 1, rng.below(3) as f64 - 1.0);
        for _ in 0..stretch.min(len - x.len()) {
            x.push(X::from_double(middle + 0.6 * X::random(&mut rng).to_double()));
        }
    }
    x
}

/// Records by their definition: the level of each sample first, then its runs.
fn reference<X: Float<Double = f64>>([on, off]: [f64; 2], min_length: usize, x: &[X]) -> Vec<f64> {
    let mut high = false;
    let mut levels: Vec<bool> = x
        .iter()
        .map(|x| {
            high = x.to_double() >= on || high && x.to_double() >= off;
            high
        })
        .collect();
    // A run that is too short counts as low.
    let runs = |levels: &[bool]| {
        let mut runs: Vec<(usize, usize)> = vec![];
        for n in (0..levels.len()).filter(|n| levels[*n]) {
            match runs.last_mut() {
                Some((_, stop)) if *stop == n => *stop += 1,
                _ => runs.push((n, n + 1)),
            }
        }
        runs
    };
    for (start, stop) in runs(&levels) {
        if stop - start < min_length {
            levels[start..stop].fill(false);
        }
    }
    let mut end = 0;
    let mut records = vec![];
    for (start, stop) in runs(&levels) {
        records.extend([start, stop - start, start - end].map(|count| count as f64));
        end = stop;
    }
    records
}
