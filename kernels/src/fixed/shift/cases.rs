//! What conformance, fuzzing and benches need to know of shifts.

use super::shift_with;
use crate::fixed::Arithmetic;
use crate::sample::{Q7, Q15, Q31};
use crate::testing::{About, Case, Random, function};
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![case::<Q7>(2), case::<Q7>(-3), case::<Q15>(1), case::<Q15>(-4), case::<Q31>(3), case::<Q31>(-17)]
}

fn case<Q: Arithmetic + Random>(bits: i32) -> Case {
    let about = About {
        family: "fixed",
        kernel: "shift",
        summary: "multiplication by a power of two, rounded and saturated",
        variant: format!("{}, {bits} bits", Q::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 1.0,
        bytes: 2.0 * size_of::<Q>() as f64,
        benched: true,
    };
    let end = (1u64 << Q::BITS) as f64;
    let exact = move |x: &Q| (x.parts()[0] * 2f64.powi(bits) + 0.5).floor().clamp(-end, end - 1.0);
    let apply = move |level, x: &[Q], out: &mut [Q]| shift_with(level, x, bits, out);
    function(about, apply, move |x| x.iter().map(exact).collect())
}
