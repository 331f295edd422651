//! What conformance, fuzzing and benches need to know of [`FirDecimator`](super::FirDecimator).

use super::{BoxedFirDecimator, Decimate};
use crate::sample::{FixedPoint, Q7, Q15, Q31, Sample};
use crate::testing::{
    About, Case, EXACT, PairBounds, Random, convolve, convolve_exactly, float_bounds, float_pairs, signal,
    variable_length,
};
use std::format;
use std::vec::Vec;

/// Taps, factor and phase, with their bounds.
const SIZES: [(usize, usize, usize, PairBounds); 6] = [
    (1, 1, 0, PairBounds { errors: [0.5, 0.5, 2.0, 0.5], snr_db: 148.0 }),
    (5, 3, 1, PairBounds { errors: [6.0, 6.0, 7.0, 4.0], snr_db: 144.0 }),
    (17, 1, 0, PairBounds { errors: [12.0, 18.0, 16.0, 12.0], snr_db: 142.0 }),
    (67, 5, 4, PairBounds { errors: [30.0, 48.0, 44.0, 32.0], snr_db: 138.0 }),
    (128, 8, 0, PairBounds { errors: [44.0, 96.0, 128.0, 60.0], snr_db: 135.0 }),
    (300, 31, 0, PairBounds { errors: [80.0, 112.0, 240.0, 80.0], snr_db: 130.0 }),
];
const BENCHED: usize = 128;

pub(crate) fn cases() -> Vec<Case> {
    let cases = |size| {
        let fixed = [
            fixed::<Q7>(size, "", |tap| tap),
            fixed::<Q15>(size, "", |tap| Q15(tap.0 / 64)),
            fixed::<Q15>(size, ", loud", |tap| tap),
            fixed::<Q31>(size, "", |tap| Q31(tap.0 / 128)),
            fixed::<Q31>(size, ", loud", |tap| tap),
        ];
        float_pairs!(case(size)).into_iter().chain(fixed)
    };
    SIZES.into_iter().flat_map(cases).collect()
}

fn case<X: Decimate<H> + Random, H: Random>(
    (count, factor, phase, bounds): (usize, usize, usize, PairBounds),
) -> Case {
    let taps = move || signal::<H>(7, count);
    let double = size_of::<X::Component>() == 8;
    let error = bounds.error::<X, H>();
    // A single product in `f64` is rounded as the reference is.
    let exact = double && count == 1 && error < 1.0;
    let (max_error, snr_db) = if exact { EXACT } else { float_bounds::<X>(error, bounds.snr_db) };
    let about = About {
        family: "resample",
        kernel: "FirDecimator",
        summary: "FIR filter and decimator by an integer factor",
        variant: format!("{}, {count} taps {}, factor {factor}, phase {phase}", X::NAME, H::NAME),
        max_error,
        snr_db,
        flops: (2 * count * X::COMPONENTS * H::COMPONENTS) as f64 / factor as f64,
        bytes: size_of::<X>() as f64 + size_of::<X::Output>() as f64 / factor as f64,
        benched: count == BENCHED,
    };
    variable_length(
        about,
        move |level| BoxedFirDecimator::<X, H>::with_level(&taps(), factor, phase, level).expect("valid"),
        move |x: &[X]| {
            let width = X::Output::COMPONENTS;
            let all = convolve(&taps(), x, width);
            all.chunks(width).skip(phase).step_by(factor).flatten().copied().collect()
        },
    )
}

fn fixed<Q>(
    (count, factor, phase, _): (usize, usize, usize, PairBounds),
    name: &str,
    scale: fn(Q) -> Q,
) -> Case
where
    Q: Decimate<Q, Output = Q> + FixedPoint + Random,
{
    let taps = move || signal::<Q>(7, count).into_iter().map(scale).collect::<Vec<_>>();
    let (max_error, snr_db) = EXACT;
    let about = About {
        family: "resample",
        kernel: "FirDecimator",
        summary: "FIR filter and decimator by an integer factor",
        variant: format!("{0}, {count} taps {0}{name}, factor {factor}, phase {phase}", Q::NAME),
        max_error,
        snr_db,
        flops: 2.0 * count as f64 / factor as f64,
        bytes: size_of::<Q>() as f64 * (1.0 + 1.0 / factor as f64),
        benched: count == BENCHED,
    };
    variable_length(
        about,
        move |level| BoxedFirDecimator::with_level(&taps(), factor, phase, level).expect("valid"),
        move |x: &[Q]| convolve_exactly(&taps(), x).into_iter().skip(phase).step_by(factor).collect(),
    )
}
