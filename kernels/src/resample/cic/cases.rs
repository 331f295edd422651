//! What conformance, fuzzing and benches need to know of [`CicDecimator`] and [`CicInterpolator`].

use super::{CicDecimator, CicInterpolator, Code};
use crate::sample::{FixedPoint, Q15, Q31, Sample};
use crate::testing::{About, Case, Random, variable_length};
use num_complex::Complex;
use std::string::String;
use std::vec::Vec;
use std::{format, vec};

/// Factor, order, delay and phase.
const SIZES: [[usize; 4]; 5] = [[1, 1, 1, 0], [3, 2, 2, 1], [8, 4, 1, 0], [16, 3, 2, 15], [100, 1, 1, 7]];

pub(crate) fn cases() -> Vec<Case> {
    let decimators = |size| {
        [
            decimator::<Q15>(size),
            decimator::<Q31>(size),
            decimator::<Complex<Q15>>(size),
            decimator::<Complex<Q31>>(size),
        ]
    };
    let interpolators = |size| {
        [
            interpolator::<Q15>(size),
            interpolator::<Q31>(size),
            interpolator::<Complex<Q15>>(size),
            interpolator::<Complex<Q31>>(size),
        ]
    };
    SIZES.into_iter().flat_map(decimators).chain(SIZES.into_iter().flat_map(interpolators)).collect()
}

fn about<X: Sample>(kernel: &'static str, [factor, order, delay, phase]: [usize; 4]) -> About {
    let decimates = kernel == "CicDecimator";
    let (summary, rate) = if decimates {
        ("decimation by moving sums, exact in integers", 1.0 / factor as f64)
    } else {
        ("interpolation by moving sums, exact in integers", factor as f64)
    };
    let phase = if decimates { format!(", phase {phase}") } else { String::new() };
    About {
        family: "resample",
        kernel,
        summary,
        variant: format!("{}, factor {factor}, order {order}, delay {delay}{phase}", X::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: (order * X::COMPONENTS) as f64 * (1.0 + rate),
        bytes: size_of::<X>() as f64 * (1.0 + rate),
        benched: factor == 8,
    }
}

fn decimator<X: Random + Sample<Component: Code>>(size: [usize; 4]) -> Case {
    let [factor, order, delay, phase] = size;
    variable_length(
        about::<X>("CicDecimator", size),
        move |_| CicDecimator::<X>::new(factor, order, delay, phase).expect("valid"),
        move |x: &[X]| {
            let gain = (factor * delay).pow(order as u32);
            let all = moving_sums::<X>(&parts(x), factor * delay, order, gain);
            let width = X::COMPONENTS;
            all.chunks(width).skip(phase).step_by(factor).flatten().copied().collect()
        },
    )
}

fn interpolator<X: Random + Sample<Component: Code>>(size: [usize; 4]) -> Case {
    let [factor, order, delay, _] = size;
    variable_length(
        about::<X>("CicInterpolator", size),
        move |_| CicInterpolator::<X>::new(factor, order, delay).expect("valid"),
        move |x: &[X]| {
            let mut spread = vec![[0; 2]; x.len() * factor];
            spread.iter_mut().step_by(factor).zip(parts(x)).for_each(|(to, from)| *to = from);
            let gain = (factor * delay).pow(order as u32) / factor;
            moving_sums::<X>(&spread, factor * delay, order, gain)
        },
    )
}

fn parts<X: Sample>(x: &[X]) -> Vec<[i128; 2]> {
    x.iter().map(|x| x.parts().map(|part| part as i128)).collect()
}

/// Sums over the last `width` values, of those again and so on, then over the gain, rounded half up.
fn moving_sums<X: Sample<Component: FixedPoint>>(
    x: &[[i128; 2]],
    width: usize,
    order: usize,
    gain: usize,
) -> Vec<f64> {
    let mut values = x.to_vec();
    for _ in 0..order {
        let before = values.clone();
        for (n, value) in values.iter_mut().enumerate() {
            let window = &before[(n + 1).saturating_sub(width)..=n];
            *value = [0, 1].map(|part| window.iter().map(|x| x[part]).sum());
        }
    }
    let limit = 1i128 << <X::Component as FixedPoint>::BITS;
    let gain = gain as i128;
    let rounded = |value: &i128| (2 * value + gain).div_euclid(2 * gain).clamp(-limit, limit - 1) as f64;
    values.iter().flat_map(|value| value.iter().take(X::COMPONENTS).map(rounded)).collect()
}
