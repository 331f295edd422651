//! The narrowest filters over long runs: what feedback and long sums add up.
//!
//! A million samples, noise around a constant, through the kernels that never forget, each beside its
//! definition in twice the double precision or in integers. Prints the error of each.

#![cfg(feature = "testing")]

use passband_kernels::filter::{Allpass, BoxedMovingAverage, BoxedSos, DcBlocker, OnePole, Pid, PidConfig};
use passband_kernels::level::PowerAverager;
use passband_kernels::sample::Sample;
use passband_kernels::shape::{Blockwise, Sink};
use passband_kernels::testing::{Rng, butterworth, cascade, rows, values};

const LEN: usize = if cfg!(miri) { 1000 } else { 1 << 20 };
/// The poles' distance from the unit circle.
const NARROW: f64 = 1e-6;

/// Samples that are exact in both precisions, in codes of 2^-20.
fn codes() -> Vec<i32> {
    let mut rng = Rng::new(20_260_301);
    (0..LEN).map(|_| (1 << 19) + (rng.bits() as i32 >> 13)).collect()
}

fn samples<T: From<f32>>() -> Vec<T> {
    codes().into_iter().map(|code| (code as f32 / (1 << 20) as f32).into()).collect()
}

/// Asserts that a kernel follows `reference` to `bound`, which is at most three times what is found.
fn follows<K: Blockwise<Input: From<f32>>>(name: &str, mut kernel: K, reference: &[f64], bound: f64) {
    let x: Vec<K::Input> = samples();
    let mut y = vec![K::Output::ZERO; LEN];
    // In calls of some thousand, as a stream comes.
    x.chunks(4099).zip(y.chunks_mut(4099)).for_each(|(x, y)| assert_eq!(kernel.steps(x, y), x.len()));
    near(name, &values(&y), reference, bound);
}

fn near(name: &str, y: &[f64], reference: &[f64], bound: f64) {
    assert_eq!(y.len(), reference.len());
    let error = y.iter().zip(reference).map(|(y, r)| (y - r).abs()).fold(0.0, f64::max);
    println!("{name}: {LEN} samples, error {error:.2e} of {bound:.1e}");
    assert!(error <= bound, "{name}: error {error:e}, bound {bound:e}");
    assert!(cfg!(miri) || bound <= 3.0 * error, "{name}: bound {bound:e} is far above {error:e}");
}

/// The exact outputs of a section `[b0, b1, b2, a1, a2]`.
fn recursion([b0, b1, b2, a1, a2]: [f64; 5]) -> Vec<f64> {
    cascade(&[[b0, b1, b2, 1.0, a1, a2]], &samples::<f64>())
}

#[test]
fn one_pole_with_a_memory_of_a_million() {
    let pole = 1.0 - NARROW;
    let reference = recursion([1.0 - pole, 0.0, 0.0, -pole, 0.0]);
    follows("OnePole, float32", OnePole::<f32>::new(NARROW).unwrap(), &reference, 2e-8);
    follows("OnePole, float64", OnePole::<f64>::new(NARROW).unwrap(), &reference, 3e-13);
}

#[test]
fn dc_blocker_with_a_memory_of_a_million() {
    let pole = 1.0 - NARROW;
    let reference = recursion([1.0, -1.0, 0.0, -pole, 0.0]);
    follows("DcBlocker, float32", DcBlocker::<f32>::new(pole).unwrap(), &reference, 3.1e-8);
    follows("DcBlocker, float64", DcBlocker::<f64>::new(pole).unwrap(), &reference, 4e-13);
}

#[test]
fn allpass_with_poles_a_millionth_from_the_circle() {
    let [a1, a2] = [-1.9 * (1.0 - NARROW), (1.0 - NARROW) * (1.0 - NARROW)];
    let reference = recursion([a2, a1, 1.0, a1, a2]);
    follows("Allpass, float32", Allpass::<f32>::second_order(a1, a2).unwrap(), &reference, 3.1e-8);
    follows("Allpass, float64", Allpass::<f64>::second_order(a1, a2).unwrap(), &reference, 6e-13);
}

#[test]
fn allpass_with_two_poles_in_one_place() {
    // What a rounding leaves rings once for each pole.
    let [a1, a2] = [-1.9998, 0.9999 * 0.9999];
    let reference = recursion([a2, a1, 1.0, a1, a2]);
    follows("Allpass, two poles, float64", Allpass::<f64>::second_order(a1, a2).unwrap(), &reference, 2e-10);
}

#[test]
fn sections_with_a_cut_off_of_a_thousandth() {
    let sections = butterworth::<f32>(1, 1e-3);
    let reference = cascade(&rows(&sections), &samples::<f64>());
    follows("Sos, float32", BoxedSos::<f32>::new(&sections).unwrap(), &reference, 2e-4);
    let sections = butterworth::<f64>(1, 1e-6);
    let reference = cascade(&rows(&sections), &samples::<f64>());
    follows("Sos, float64, 1e-6", BoxedSos::<f64>::new(&sections).unwrap(), &reference, 2.5e-9);
}

#[test]
fn moving_average_of_a_hundred_thousand() {
    let (length, codes) = (100_003.min(LEN / 3), codes());
    let mut sum = 0_i64;
    let reference: Vec<_> = (0..LEN)
        .map(|n| {
            sum += i64::from(codes[n]) - n.checked_sub(length).map_or(0, |past| i64::from(codes[past]));
            sum as f64 / length as f64 / f64::from(1 << 20)
        })
        .collect();
    follows("MovingAverage, float32", BoxedMovingAverage::<f32>::new(length).unwrap(), &reference, 3.1e-8);
    follows("MovingAverage, float64", BoxedMovingAverage::<f64>::new(length).unwrap(), &reference, 0.0);
}

#[test]
fn integral_of_a_million_errors() {
    let config = PidConfig { ki: 0.001, ..PidConfig::NEW };
    let mut sum = 0_i64;
    let integrals = codes().into_iter().map(|code| {
        sum += i64::from(code);
        sum as f64 * 0.001 / f64::from(1 << 20)
    });
    let reference: Vec<_> = integrals.collect();
    follows("Pid, float32", Pid::<f32>::new(config).unwrap(), &reference, 6e-5);
    follows("Pid, float64", Pid::<f64>::new(config).unwrap(), &reference, 1.6e-11);
}

#[test]
fn mean_power_of_a_million() {
    let mut power = PowerAverager::new();
    samples::<f64>().chunks(4099).for_each(|x| power.push(x));
    let exact: i128 = codes().into_iter().map(|code| i128::from(code) * i128::from(code)).sum();
    let mean = exact as f64 / LEN as f64 / (1_u64 << 40) as f64;
    near("PowerAverager, float64", &[power.value()], &[mean], 5e-13);
}
