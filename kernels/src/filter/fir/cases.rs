//! What conformance, fuzzing and benches need to know of [`Fir`](super::Fir).

use super::{BoxedFir, Filter};
use crate::sample::{FixedPoint, Q7, Q15, Q31, Sample};
use crate::testing::{
    About, Case, EXACT, Random, blockwise, convolve, convolve_exactly, float_bounds, float_pairs, signal,
};
use std::format;
use std::vec::Vec;

/// Tap counts: one, around the width of tiles and vectors, the usual, and more than a scratch.
/// Each with its bounds: the error of real and of complex taps in units of half an ulp of 1, and
/// the signal to error of `f32`.
const COUNTS: [(usize, Bounds); 7] = [
    (1, Bounds { real: 0.5, complex: 2.0, snr_db: 148.0 }),
    (2, Bounds { real: 2.0, complex: 4.0, snr_db: 147.0 }),
    (7, Bounds { real: 8.0, complex: 10.0, snr_db: 144.0 }),
    (17, Bounds { real: 15.0, complex: 16.0, snr_db: 141.0 }),
    (33, Bounds { real: 25.0, complex: 33.0, snr_db: 139.0 }),
    (64, Bounds { real: 48.0, complex: 61.0, snr_db: 136.0 }),
    (300, Bounds { real: 250.0, complex: 412.0, snr_db: 129.0 }),
];
const BENCHED: usize = 64;

#[derive(Clone, Copy)]
struct Bounds {
    real: f64,
    complex: f64,
    snr_db: f64,
}

pub(crate) fn cases() -> Vec<Case> {
    let cases = |(count, bounds)| {
        let fixed = [
            fixed::<Q7>(count, "", |tap| tap),
            fixed::<Q15>(count, "", |tap| Q15(tap.0 / 64)),
            fixed::<Q15>(count, ", loud", |tap| tap),
            fixed::<Q31>(count, "", |tap| Q31(tap.0 / 128)),
            fixed::<Q31>(count, ", loud", |tap| tap),
        ];
        float_pairs!(case(count, bounds)).into_iter().chain(fixed)
    };
    COUNTS.into_iter().flat_map(cases).collect()
}

fn case<X: Filter<H> + Random, H: Random>(count: usize, bounds: Bounds) -> Case {
    let taps = move || signal::<H>(7, count);
    let (double, complex) = (size_of::<X::Component>() == 8, X::COMPONENTS * H::COMPONENTS == 4);
    // A single product in `f64` is rounded as the reference is.
    let exact = double && count == 1 && !complex;
    let error = if complex { bounds.complex } else { bounds.real };
    let (max_error, snr_db) = if exact { EXACT } else { float_bounds::<X>(error, bounds.snr_db) };
    let about = About {
        family: "filter",
        kernel: "Fir",
        summary: "finite impulse response filter",
        variant: format!("{}, {count} taps {}", X::NAME, H::NAME),
        max_error,
        snr_db,
        flops: (2 * count * X::COMPONENTS * H::COMPONENTS) as f64,
        bytes: (size_of::<X>() + size_of::<X::Output>()) as f64,
        benched: count == BENCHED,
    };
    blockwise(
        about,
        move |level| BoxedFir::<X, H>::with_level(&taps(), level).expect("taps"),
        move |x: &[X]| convolve(&taps(), x, X::Output::COMPONENTS),
    )
}

fn fixed<Q>(count: usize, name: &str, scale: fn(Q) -> Q) -> Case
where
    Q: Filter<Q, Output = Q> + FixedPoint + Random,
{
    let taps = move || signal::<Q>(7, count).into_iter().map(scale).collect::<Vec<_>>();
    let (max_error, snr_db) = EXACT;
    let about = About {
        family: "filter",
        kernel: "Fir",
        summary: "finite impulse response filter",
        variant: format!("{0}, {count} taps {0}{name}", Q::NAME),
        max_error,
        snr_db,
        flops: 2.0 * count as f64,
        bytes: 2.0 * size_of::<Q>() as f64,
        benched: count == BENCHED,
    };
    blockwise(
        about,
        move |level| BoxedFir::with_level(&taps(), level).expect("taps"),
        move |x: &[Q]| convolve_exactly(&taps(), x),
    )
}
