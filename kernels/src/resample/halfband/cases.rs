//! What conformance, fuzzing and benches need to know of [`HalfbandDecimator`](super::HalfbandDecimator)
//! and [`HalfbandInterpolator`](super::HalfbandInterpolator).

use super::{BoxedHalfbandDecimator, BoxedHalfbandInterpolator, Halve};
use crate::resample::rational_resampler::by_definition;
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::testing::{
    About, Case, EXACT, Random, convolve_exactly, float_bounds, float_pairs, signal, variable_length,
};
use std::format;
use std::vec;
use std::vec::Vec;

/// The errors in units of half an ulp of 1 of real taps, of complex ones on complex samples and of
/// complex ones on real samples, and the signal to error of `f32`.
type Bounds = ([f64; 3], f64);

/// Taps, with the bounds of the decimator and of the interpolator.
const SIZES: [(usize, [Bounds; 2]); 4] = [
    (3, [([4.0, 6.0, 3.0], 145.0), ([3.0, 5.0, 3.0], 146.5)]),
    (11, [([8.0, 9.0, 7.5], 143.0), ([6.0, 9.0, 6.0], 144.0)]),
    (47, [([23.0, 28.0, 20.0], 139.0), ([20.0, 32.0, 24.0], 139.0)]),
    (127, [([50.0, 60.0, 56.0], 135.0), ([50.0, 84.0, 60.0], 135.0)]),
];

pub(crate) fn cases() -> Vec<Case> {
    let both = |size, decimates| {
        let fixed =
            [fixed::<Q7>(size, decimates), fixed::<Q15>(size, decimates), fixed::<Q31>(size, decimates)];
        float_pairs!(case(size, decimates)).into_iter().chain(fixed)
    };
    SIZES.into_iter().flat_map(|size| [both(size, true), both(size, false)]).flatten().collect()
}

/// Random taps at even places and in the middle.
fn taps<H: Random>(count: usize) -> Vec<H> {
    let mut taps = vec![H::ZERO; count];
    let random = signal::<H>(7, count);
    for (index, tap) in taps.iter_mut().enumerate() {
        if index % 2 == 0 || index == count / 2 {
            *tap = random[index];
        }
    }
    taps
}

fn case<X: Halve<H> + Random, H: Random>((count, bounds): (usize, [Bounds; 2]), decimates: bool) -> Case {
    let (errors, snr_db) = bounds[usize::from(!decimates)];
    let error = errors[if H::COMPONENTS == 1 { 0 } else { 3 - X::COMPONENTS }];
    let ratio = if decimates { [1, 2, 0] } else { [2, 1, 0] };
    let reference = move |x: &[X]| by_definition(&taps::<H>(count), ratio, x);
    judged::<X, H>(count, decimates, float_bounds::<X>(error, snr_db), reference)
}

fn fixed<Q>((count, _): (usize, [Bounds; 2]), decimates: bool) -> Case
where
    Q: Halve<Q, Output = Q> + FixedPoint + Random,
{
    judged::<Q, Q>(count, decimates, EXACT, move |x: &[Q]| {
        if decimates {
            return convolve_exactly(&taps(count), x).into_iter().step_by(2).collect();
        }
        let padded: Vec<_> = x.iter().flat_map(|x| [*x, Q::ZERO]).collect();
        convolve_exactly(&taps(count), &padded)
    })
}

fn judged<X: Halve<H> + Random, H: Random>(
    count: usize,
    decimates: bool,
    (max_error, snr_db): (f64, f64),
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let (kernel, summary) = if decimates {
        ("HalfbandDecimator", "half-band filter and decimator by two")
    } else {
        ("HalfbandInterpolator", "half-band filter and interpolator by two")
    };
    let rate = if decimates { 0.5 } else { 2.0 };
    let products = if decimates { count / 4 } else { count / 2 };
    let about = About {
        family: "resample",
        kernel,
        summary,
        variant: format!("{}, {count} taps {}", X::NAME, H::NAME),
        max_error,
        snr_db,
        flops: (2 * products * X::COMPONENTS * H::COMPONENTS) as f64,
        bytes: size_of::<X>() as f64 + size_of::<X::Output>() as f64 * rate,
        benched: count == 47,
    };
    if decimates {
        let make =
            move |level| BoxedHalfbandDecimator::<X, H>::with_level(&taps(count), level).expect("valid");
        variable_length(about, make, reference)
    } else {
        let make =
            move |level| BoxedHalfbandInterpolator::<X, H>::with_level(&taps(count), level).expect("valid");
        variable_length(about, make, reference)
    }
}
