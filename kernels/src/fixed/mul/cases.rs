//! What conformance, fuzzing and benches need to know of the products.

use super::mul_with;
use crate::fixed::Arithmetic;
use crate::fixed::add::exact;
use crate::sample::{Q7, Q15, Q31};
use crate::testing::{Case, Random};
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    vec![product::<Q7>(), product::<Q15>(), product::<Q31>()]
}

fn product<Q: Arithmetic + Random>() -> Case {
    exact("mul", "products, rounded and saturated", mul_with::<Q>, |a, b| {
        let (unit, product) = (1i128 << Q::BITS, a as i128 * b as i128);
        (product + unit / 2).div_euclid(unit) as f64
    })
}
