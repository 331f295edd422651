//! What conformance, fuzzing and benches need to know of the sums.

use super::{Arithmetic, add_with};
use crate::sample::{Q7, Q15, Q31};
use crate::testing::{About, Case, Random, function_of_two};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![sum::<Q7>(), sum::<Q15>(), sum::<Q31>()]
}

fn sum<Q: Arithmetic + Random>() -> Case {
    let about = About {
        family: "fixed",
        kernel: "add",
        summary: "saturating sums",
        variant: Q::NAME.to_string(),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 1.0,
        bytes: 3.0 * size_of::<Q>() as f64,
        benched: true,
    };
    let end = (1u64 << Q::BITS) as f64;
    let exact = move |(a, b): (&Q, &Q)| (a.parts()[0] + b.parts()[0]).clamp(-end, end - 1.0);
    function_of_two(about, add_with::<Q>, move |a, b| a.iter().zip(b).map(exact).collect())
}
