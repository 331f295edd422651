//! What conformance, fuzzing and benches need to know of [`find_peaks`](super::find_peaks).

use super::{Peak, PeakConditions, find_peaks_with, max_peaks};
use crate::testing::{About, Case, Random, record_function};
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let none = PeakConditions::new();
    let height = none.height(0.99, f64::INFINITY);
    let distance = none.distance(20).expect("above 0");
    let all = none.height(-0.5, 0.98).threshold(0.01, 1.8).prominence(0.2, 1.9).width(0.5, 8.0);
    let all = all.distance(3).and_then(|all| all.wlen(52)).and_then(|all| all.rel_height(0.7));
    vec![
        case::<f32>("all", none),
        case::<f32>("height 0.99", height),
        case::<f32>("distance 20", distance),
        case::<f64>("all", none),
        case::<f64>("every condition", all.expect("valid")),
    ]
}

fn case<T: Random + PartialOrd + Into<f64>>(name: &str, conditions: PeakConditions) -> Case {
    let about = About {
        family: "detect",
        kernel: "find_peaks",
        summary: "peaks of an array with their prominence and width, as SciPy's",
        variant: format!("{}, {name}", T::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 3.0,
        bytes: size_of::<T>() as f64,
        benched: T::NAME == "float32",
    };
    let find = move |level, x: &[T], out: &mut [Peak]| find_peaks_with(level, x, &conditions, out);
    record_function(about, find, max_peaks, move |x: &[T]| {
        let x: Vec<f64> = x.iter().map(|x| (*x).into()).collect();
        let columns = |peak: Peak| [peak.index as f64, peak.height, peak.prominence, peak.width];
        reference(&x, &conditions).into_iter().flat_map(columns).collect()
    })
}

/// Peaks by their definition.
pub(super) fn reference(x: &[f64], conditions: &PeakConditions) -> Vec<Peak> {
    let mut peaks = vec![];
    let mut start = 0;
    for run in x.chunk_by(|a, b| a == b) {
        let stop = start + run.len();
        if start > 0 && stop < x.len() && x[start - 1] < x[start] && x[stop] < x[start] {
            peaks.push(usize::midpoint(start, stop - 1));
        }
        start = stop;
    }
    peaks.retain(|i| conditions.height.allow(x[*i]));
    peaks.retain(|i| {
        let (left, right) = (x[*i] - x[*i - 1], x[*i] - x[*i + 1]);
        conditions.threshold.allow_min(left.min(right)) && conditions.threshold.allow_max(left.max(right))
    });
    let mut order = peaks.clone();
    order.sort_by(|a, b| x[*b].total_cmp(&x[*a]).then(b.cmp(a)));
    let mut remaining: Vec<usize> = vec![];
    for i in order {
        if remaining.iter().all(|other| i.abs_diff(*other) as u64 >= conditions.distance) {
            remaining.push(i);
        }
    }
    remaining.sort_unstable();
    let peaks = remaining.into_iter().map(|i| with_width(x, i, conditions));
    let wanted = |p: &Peak| conditions.prominence.allow(p.prominence) && conditions.width.allow(p.width);
    peaks.filter(wanted).collect()
}

fn with_width(x: &[f64], index: usize, conditions: &PeakConditions) -> Peak {
    let height = x[index];
    let near = |i: &usize| index.abs_diff(*i) <= conditions.reach && x[*i] <= height;
    // The lowest sample, the nearest of equal ones.
    let base = |side: &mut dyn Iterator<Item = usize>| {
        side.take_while(near).fold(index, |base, i| if x[i] < x[base] { i } else { base })
    };
    let left = base(&mut (0..index).rev());
    let right = base(&mut (index + 1..x.len()));
    let prominence = height - x[left].max(x[right]);
    let level = height - prominence * conditions.rel_height;
    // Where the level is NaN, of an infinite peak, the peak itself is.
    let low = |i: &usize| x[*i] <= level || level.is_nan();
    let from = (left..=index).rev().find(low).unwrap_or(left);
    let to = (index..=right).find(low).unwrap_or(right);
    let part = |i: usize, inner: usize| if x[i] < level { (level - x[i]) / (x[inner] - x[i]) } else { 0.0 };
    let width = (to as f64 - part(to, to - 1)) - (from as f64 + part(from, from + 1));
    Peak { index: index as i64, height, prominence, width }
}
