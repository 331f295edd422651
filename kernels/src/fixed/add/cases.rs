//! What conformance, fuzzing and benches need to know of sums and differences.

use super::{add_with, sub_with};
use crate::fixed::Arithmetic;
use crate::sample::{Q7, Q15, Q31};
use crate::simd::SimdLevel;
use crate::testing::{About, Case, Random, function_of_two};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        sum::<Q7>(),
        sum::<Q15>(),
        sum::<Q31>(),
        difference::<Q7>(),
        difference::<Q15>(),
        difference::<Q31>(),
    ]
}

fn sum<Q: Arithmetic + Random>() -> Case {
    exact("add", "saturating sums", add_with::<Q>, |a, b| a + b)
}

fn difference<Q: Arithmetic + Random>() -> Case {
    exact("sub", "saturating differences", sub_with::<Q>, |a, b| a - b)
}

/// A function that is `of` the exact numbers, within the ends of the type.
pub(in crate::fixed) fn exact<Q: Arithmetic + Random>(
    kernel: &'static str,
    summary: &'static str,
    apply: fn(SimdLevel, &[Q], &[Q], &mut [Q]) -> usize,
    of: fn(f64, f64) -> f64,
) -> Case {
    let about = About {
        family: "fixed",
        kernel,
        summary,
        variant: Q::NAME.to_string(),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 1.0,
        bytes: 3.0 * size_of::<Q>() as f64,
        benched: true,
    };
    let end = (1u64 << Q::BITS) as f64;
    let exact = move |(a, b): (&Q, &Q)| of(a.parts()[0], b.parts()[0]).clamp(-end, end - 1.0);
    function_of_two(about, apply, move |a, b| a.iter().zip(b).map(exact).collect())
}
