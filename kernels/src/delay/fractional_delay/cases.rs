//! What conformance, fuzzing and benches need to know of
//! [`FractionalDelay`](super::FractionalDelay).

use super::{Between, BoxedFractionalDelay};
use crate::resample::arbitrary_resampler::cardinal;
use crate::resample::farrow::interpolated;
use crate::resample::{Interpolate, Stopband};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, blockwise};
use num_complex::Complex;
use std::format;
use std::vec::Vec;

/// Delay, longest delay and filter, with the largest error and the signal to error in single and in
/// double precision.
type Size = (f64, usize, Between, [(f64, f64); 2]);

const SIZES: [Size; 6] = [
    (0.3125, 1, Between::Lagrange(1), [(1.1e-7, 144.0), (2e-16, 321.0)]),
    (2.75, 4, Between::Lagrange(3), [(2e-7, 143.0), (5e-16, 313.0)]),
    (100.5, 200, Between::Lagrange(3), [(2e-7, 143.0), (4e-16, 313.0)]),
    (20.125, 21, Between::Lagrange(7), [(2.7e-7, 140.0), (8e-16, 311.0)]),
    (23.406_25, 30, Between::Cardinal(Stopband::Db60), [(7e-7, 134.0), (2e-15, 304.0)]),
    (77.703_125, 80, Between::Cardinal(Stopband::Db140), [(1e-6, 133.0), (3e-15, 298.0)]),
];

pub(crate) fn cases() -> Vec<Case> {
    let cases =
        |size| [case::<f32>(size), case::<f64>(size), case::<Complex<f32>>(size), case::<Complex<f64>>(size)];
    SIZES.into_iter().flat_map(cases).collect()
}

fn case<X: Interpolate + Random>((delay, max_delay, between, bounds): Size) -> Case {
    let (max_error, snr_db) = bounds[usize::from(size_of::<X::Component>() == 8)];
    let filter = match between {
        Between::Lagrange(order) => format!("order {order}"),
        Between::Cardinal(stopband) => format!("{} dB", stopband.decibels()),
    };
    let about = About {
        family: "delay",
        kernel: "FractionalDelay",
        summary: "delay of any time, which may change while running",
        variant: format!("{}, delay {delay}, {filter}", X::NAME),
        max_error,
        snr_db,
        flops: (2 * between.taps() * X::COMPONENTS) as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: matches!(max_delay, 4 | 30),
    };
    blockwise(
        about,
        move |level| BoxedFractionalDelay::<X>::with_level(delay, max_delay, between, level).expect("valid"),
        move |x: &[X]| by_definition(delay, between, x),
    )
}

/// The input between its samples, zeros before the first.
fn by_definition<X: Sample>(delay: f64, between: Between, x: &[X]) -> Vec<f64> {
    let mut result = Vec::new();
    for n in 0..x.len() {
        let time = n as f64 - delay;
        match between {
            Between::Lagrange(order) => {
                // Samples up to half of the order after the time.
                let last = time.floor() + order.div_ceil(2) as f64;
                if last < 0.0 {
                    result.extend([0.0; 2].iter().take(X::COMPONENTS));
                } else {
                    result.extend(interpolated(x, last as usize, order, time - time.floor()));
                }
            }
            Between::Cardinal(stopband) => {
                let (mut sums, length) = ([0.0; 2], stopband.taps() as f64);
                let decibels = f64::from(stopband.decibels()) + 6.0;
                for (at, x) in x.iter().enumerate() {
                    let h = cardinal(time - at as f64, length, 0.5, decibels);
                    sums.iter_mut().zip(x.parts()).for_each(|(sum, part)| *sum += h * part);
                }
                result.extend(&sums[..X::COMPONENTS]);
            }
        }
    }
    result
}
