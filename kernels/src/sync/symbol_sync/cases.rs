//! What conformance, fuzzing and benches need to know of [`SymbolSync`].

use super::{Symbol, SymbolSync};
use crate::sample::Sample;
use crate::testing::{About, Case, Random, Rng, data_dependent};
use num_complex::Complex;
use std::vec::Vec;
use std::{format, vec};

const DAMPING: f64 = 0.8;

/// Nominal samples per symbol, and the loop bandwidth.
#[derive(Clone, Copy)]
struct Setting(f64, f64);

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case::<f32>(Setting(5.0, 0.01), 1.5e-7, 147.0),
        case::<f32>(Setting(2.0, 0.3), 3.5e-6, 131.0),
        case::<f32>(Setting(18.375, 0.02), 1.4e-7, 148.0),
        case::<Complex<f32>>(Setting(5.3, 0.05), 4e-7, 144.0),
    ]
}

fn case<X: Symbol + Random + Sample<Component = f32>>(setting: Setting, max_error: f64, snr_db: f64) -> Case {
    let Setting(samples_per_symbol, loop_bandwidth) = setting;
    let about = About {
        family: "sync",
        kernel: "SymbolSync",
        summary: "symbol timing recovery after Gardner",
        variant: format!("{}, {samples_per_symbol} samples per symbol", X::NAME),
        max_error,
        snr_db,
        flops: 60.0 * X::COMPONENTS as f64 / samples_per_symbol,
        bytes: size_of::<X>() as f64 * (1.0 + 1.0 / samples_per_symbol),
        benched: samples_per_symbol > 2.0,
    };
    data_dependent(
        about,
        move |_| SymbolSync::<X>::new(samples_per_symbol, loop_bandwidth, DAMPING).expect("in range"),
        move |seed, len| symbols(setting, seed, len),
        move |x: &[X]| reference(setting, x),
    )
}

/// Random levels of +-1, one a symbol and straight lines between them, a little faster than nominal.
fn symbols<X: Symbol + Random + Sample<Component = f32>>(
    Setting(samples_per_symbol, _): Setting,
    seed: u64,
    len: usize,
) -> Vec<X> {
    let mut rng = Rng::new(seed);
    let mut level = || {
        let mut level = [X::random(&mut rng)];
        for part in X::components_mut(&mut level) {
            *part = part.signum();
        }
        level[0]
    };
    let mut pair = [level(), level()];
    let mut time = 0.3;
    let mut sample = |_| {
        time += 1.003 / samples_per_symbol;
        if time >= 1.0 {
            (pair, time) = ([pair[1], level()], time - 1.0);
        }
        pair[0] + (pair[1] - pair[0]) * time as f32
    };
    (0..len).map(&mut sample).collect()
}

fn reference<X: Sample>(Setting(samples_per_symbol, loop_bandwidth): Setting, x: &[X]) -> Vec<f64> {
    let theta = loop_bandwidth / (DAMPING + 1.0 / (4.0 * DAMPING));
    let divisor = 1.0 + 2.0 * DAMPING * theta + theta.powi(2);
    let (kp, ki) = (4.0 * DAMPING * theta / divisor, 4.0 * theta.powi(2) / divisor);
    let at = |n: i64| {
        let parts = usize::try_from(n).map_or([0.0; 2], |n| x[n].parts());
        Complex::new(parts[0], parts[1])
    };
    // Lagrange's polynomials, as they stand in books.
    let value = |time: f64| {
        let (n, t) = (time.floor() as i64, time - time.floor());
        at(n - 1) * (-t * (t - 1.0) * (t - 2.0) / 6.0)
            + at(n) * ((t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0)
            + at(n + 1) * (-(t + 1.0) * t * (t - 2.0) / 2.0)
            + at(n + 2) * ((t + 1.0) * t * (t - 1.0) / 6.0)
    };
    let (mut time, mut deviation) = (0.0f64, 0.0f64);
    let (mut before, mut middle) = (Complex::new(0.0, 0.0), Complex::new(0.0, 0.0));
    let mut out = vec![];
    // The last sample that an instant needs is two after the one before it.
    while time.floor() + 2.0 < x.len() as f64 {
        let y = value(time);
        let power = before.norm_sqr() + y.norm_sqr() + 2.0 * middle.norm_sqr();
        let error = if power > 0.0 { (middle.conj() * (before - y)).re / power } else { 0.0 };
        deviation = (deviation + ki * error).clamp(-1.0 / 64.0, 1.0 / 64.0);
        let half = samples_per_symbol / 2.0 * (1.0 + deviation + kp * error);
        out.extend([y.re, y.im].into_iter().take(X::COMPONENTS));
        before = y;
        if (time + half).floor() + 2.0 < x.len() as f64 {
            middle = value(time + half);
        }
        time += 2.0 * half;
    }
    out
}
