//! What conformance, fuzzing and benches need to know of [`unwrap`](super::unwrap).

use super::{Wrapped, unwrap_with};
use crate::math::map::about;
use crate::testing::{Case, EXACT, Random, float_bounds, running_function};
use std::vec;
use std::vec::Vec;

const PERIOD: f64 = 0.7;

pub(crate) fn cases() -> Vec<Case> {
    vec![case::<f32>(float_bounds::<f32>(4.0, 150.0)), case::<f64>(EXACT)]
}

fn case<X: Wrapped + Random>(bounds: (f64, f64)) -> Case {
    let apply = |level, x: &[X], out: &mut [X]| unwrap_with(level, x, PERIOD, out);
    let about = about::<X, X>("unwrap", "phase without jumps", 12.0, bounds);
    running_function(about, apply, |x| nearest(x, PERIOD))
}

/// Of all that each sample may be, what is nearest to the one before it.
pub(crate) fn nearest<X: Wrapped>(x: &[X], period: f64) -> Vec<f64> {
    let mut last = None;
    let follow = |x: &X| {
        let [x, _] = x.parts();
        let y = last.map_or(x, |last: f64| x + period * ((last - x) / period).round());
        last = Some(y);
        y
    };
    x.iter().map(follow).collect()
}
