//! Polynomials.

use core::ops::{Add, Mul};

/// `sum c[k] x^k`, by W. G. Horner's rule.
#[inline(always)]
pub(crate) fn polynomial<T: Copy + Add<Output = T> + Mul<Output = T>, const N: usize>(x: T, c: &[T; N]) -> T {
    let mut sum = c[N - 1];
    for k in 1..N {
        sum = sum * x + c[N - 1 - k];
    }
    sum
}
