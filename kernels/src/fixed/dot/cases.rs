//! What conformance, fuzzing and benches need to know of dot products.

use super::dot_with;
use crate::fixed::Arithmetic;
use crate::sample::{Q7, Q15, Q31};
use crate::testing::{About, Case, Random, Value, value_of_two};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![case::<Q7>(), case::<Q15>(), case::<Q31>()]
}

fn case<Q: Arithmetic + Random>() -> Case {
    let about = About {
        family: "fixed",
        kernel: "dot",
        summary: "dot product with a 64-bit accumulator",
        variant: Q::NAME.to_string(),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 2.0,
        bytes: 2.0 * size_of::<Q>() as f64,
        benched: true,
    };
    let unit = 1i128 << (2 * Q::BITS - Q::DOT_BITS);
    let product = move |(a, b): (&Q, &Q)| {
        let product = a.parts()[0] as i128 * b.parts()[0] as i128;
        (2 * product + unit).div_euclid(2 * unit)
    };
    let exact = move |a: &[Q], b: &[Q]| a.iter().zip(b).map(product).sum::<i128>() as i64;
    value_of_two(about, dot_with::<Q>, move |a, b| exact(a, b).parts())
}
