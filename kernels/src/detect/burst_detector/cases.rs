//! What conformance, fuzzing and benches need to know of [`BurstDetector`](super::BurstDetector).

use super::{BurstDetector, Power};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, Rng, detector};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Thresholds, hang and least length.
type Rules = (f32, f32, u64, u64);

/// Every sample counts; gaps and short bursts; bursts that outlast most streams. Each with the
/// errors of the mean of real and of complex samples.
const RULES: [(Rules, [f64; 2]); 3] = [
    ((0.3, 0.3, 0, 1), [4e-8, 8e-8]),
    ((0.5, 0.25, 3, 5), [4e-8, 5e-8]),
    ((0.5, 1e-6, 70, 20), [2e-8, 4e-8]),
];

pub(crate) fn cases() -> Vec<Case> {
    let cases = |(rules, [real, complex]): (Rules, [f64; 2])| {
        [case::<f32>(rules, real), case::<Complex<f32>>(rules, complex)]
    };
    RULES.into_iter().flat_map(cases).collect()
}

fn case<X: Power + Random>(rules: Rules, max_error: f64) -> Case {
    let (on, off, hang, min_length) = rules;
    let about = About {
        family: "detect",
        kernel: "BurstDetector",
        summary: "bursts of power, with their peak and mean",
        variant: format!("{}, on {on}, off {off}, hang {hang}, min_length {min_length}", X::NAME),
        max_error,
        snr_db: 212.0,
        flops: 4.0 + 2.0 * X::COMPONENTS as f64,
        bytes: size_of::<X>() as f64,
        benched: hang == 3,
    };
    let make = move |level| BurstDetector::<X>::with_level(on, off, hang, min_length, level).expect("valid");
    detector(about, make, bursts, move |x: &[X]| reference(rules, x))
}

/// Noise that is loud and quiet in turn, now and then for long.
fn bursts<X: Random>(seed: u64, len: usize) -> Vec<X> {
    let mut rng = Rng::new(seed);
    let mut x = Vec::new();
    let mut loud = false;
    while x.len() < len {
        let longest = if rng.below(3) == 0 { 150 } else { 8 };
        let stretch = rng.below(longest) + 1;
        for _ in 0..stretch.min(len - x.len()) {
            x.push(if loud { X::random(&mut rng) } else { X::ZERO });
        }
        loud = !loud;
    }
    x
}

/// Records by their definition: runs of powers at or above `off`, joined over gaps up to `hang`.
fn reference<X: Sample>((on, off, hang, min_length): Rules, x: &[X]) -> Vec<f64> {
    let part = |x: f64| x as f32;
    let power = |[re, im]: [f64; 2]| part(re) * part(re) + part(im) * part(im);
    let powers: Vec<f32> = x.iter().map(|x| power(x.parts())).collect();
    let mut records = Vec::new();
    let mut next = 0;
    while let Some(start) = (next..powers.len()).find(|n| powers[*n] >= on) {
        let mut stop = start + 1;
        while let Some(gap) = powers[stop..].iter().take(hang as usize + 1).position(|p| *p >= off) {
            stop += gap + 1;
        }
        next = (stop + hang as usize + 1).min(powers.len());
        let burst = &powers[start..stop];
        if burst.len() as u64 >= min_length {
            let peak = burst.iter().fold(0.0, |peak: f32, p| peak.max(*p));
            let mean = burst.iter().map(|p| f64::from(*p)).sum::<f64>() / burst.len() as f64;
            records.extend([start as f64, stop as f64, peak.into(), mean]);
        }
    }
    records
}
