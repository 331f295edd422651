//! What conformance, fuzzing and benches need to know of [`RationalResampler`](super::RationalResampler).

use super::{BoxedRationalResampler, Resample};
use crate::sample::Sample;
use crate::testing::{
    About, Case, EXACT, PairBounds, Random, Sum, float_bounds, float_pairs, signal, variable_length,
};
use std::format;
use std::vec::Vec;

/// Taps, up, down and phase, with their bounds.
const SIZES: [(usize, [usize; 3], PairBounds); 8] = [
    (1, [1, 1, 0], PairBounds { errors: [0.5, 0.5, 2.0, 0.5], snr_db: 148.0 }),
    (5, [3, 1, 0], PairBounds { errors: [2.0, 2.0, 4.0, 2.0], snr_db: 147.0 }),
    (64, [8, 1, 0], PairBounds { errors: [10.0, 10.0, 12.0, 10.0], snr_db: 143.0 }),
    (3, [5, 2, 1], PairBounds { errors: [0.5, 0.5, 2.0, 0.5], snr_db: 148.0 }),
    (39, [2, 3, 2], PairBounds { errors: [12.0, 18.0, 16.0, 12.0], snr_db: 142.0 }),
    (40, [4, 6, 5], PairBounds { errors: [6.0, 9.0, 10.0, 6.0], snr_db: 142.0 }),
    (4000, [160, 147, 0], PairBounds { errors: [20.0, 26.0, 26.0, 20.0], snr_db: 140.0 }),
    (77, [7, 32, 31], PairBounds { errors: [6.0, 9.0, 12.0, 6.0], snr_db: 142.0 }),
];

pub(crate) fn cases() -> Vec<Case> {
    SIZES.into_iter().flat_map(|size| float_pairs!(case(size))).collect()
}

fn case<X: Resample<H> + Random, H: Random>(
    (count, [up, down, phase], bounds): (usize, [usize; 3], PairBounds),
) -> Case {
    let taps = move || signal::<H>(7, count);
    let double = size_of::<X::Component>() == 8;
    let error = bounds.error::<X, H>();
    // A single product in `f64` is rounded as the reference is.
    let exact = double && count <= up && error < 1.0;
    let (max_error, snr_db) = if exact { EXACT } else { float_bounds::<X>(error, bounds.snr_db) };
    let rate = up as f64 / down as f64;
    let (kernel, summary, ratio) = if down == 1 {
        ("FirInterpolator", "FIR filter and interpolator by an integer factor", format!("factor {up}"))
    } else {
        let ratio = format!("{up} / {down}, phase {phase}");
        ("RationalResampler", "FIR filter and change of rate by a ratio of integers", ratio)
    };
    let about = About {
        family: "resample",
        kernel,
        summary,
        variant: format!("{}, {count} taps {}, {ratio}", X::NAME, H::NAME),
        max_error,
        snr_db,
        flops: (2 * count * X::COMPONENTS * H::COMPONENTS) as f64 / down as f64,
        bytes: size_of::<X>() as f64 + size_of::<X::Output>() as f64 * rate,
        benched: matches!((count, up), (64, 8) | (4000, 160)),
    };
    variable_length(
        about,
        move |level| {
            BoxedRationalResampler::<X, H>::with_level(&taps(), up, down, phase, level).expect("valid")
        },
        move |x: &[X]| by_definition(&taps(), [up, down, phase], x),
    )
}

/// Each output as the sum of the products of taps with inputs whose ticks add up to its own.
pub(crate) fn by_definition<X: Sample, H: Sample>(
    taps: &[H],
    [up, down, phase]: [usize; 3],
    x: &[X],
) -> Vec<f64> {
    let mut result = Vec::new();
    for tick in (phase..x.len() * up).step_by(down) {
        let (mut re, mut im) = (Sum::default(), Sum::default());
        let branch = taps.iter().skip(tick % up).step_by(up);
        for (h, x) in branch.zip(x[..=tick / up].iter().rev()) {
            let ([a, b], [c, d]) = (h.parts(), x.parts());
            re.add_product(a, c);
            re.add_product(-b, d);
            im.add_product(a, d);
            im.add_product(b, c);
        }
        result.extend([re.value(), im.value()].iter().take(X::COMPONENTS.max(H::COMPONENTS)));
    }
    result
}
