//! Dot products with a 64-bit accumulator.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::Arithmetic;
use crate::sample::{Q7, Q15, Q31};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};

/// Gives the dot product of two slices, `sum a[n] b[n]`, over the shorter length.
///
/// The result has [`DOT_BITS`](Arithmetic::DOT_BITS) fractional bits:
///
/// | type | fractional bits | products | room for full-scale products |
/// | --- | --- | --- | --- |
/// | [`Q7`] | 14 | exact | 2^49 |
/// | [`Q15`] | 30 | exact | 2^33 |
/// | [`Q31`] | 48 | rounded to 48 bits, halves up | 2^15 |
///
/// * **Accuracy**: the sum is exact, and what is beyond 64 bits saturates once, at the end. For Q15
///   these are the bits of CMSIS-DSP's `arm_dot_prod_q15`. Its `arm_dot_prod_q31` cuts products off
///   instead of rounding them, and wraps; its `arm_dot_prod_q7` sums in 32 bits.
/// * **Cost**: one multiplication and one addition per sample, no allocation.
///
/// ```
/// use passband_kernels::fixed::dot;
/// use passband_kernels::sample::{Q15, Q31};
///
/// assert_eq!(dot(&[Q15(-32768); 4], &[Q15(-32768); 4]), 4 << 30);
/// assert_eq!(dot(&[Q31(i32::MIN); 4], &[Q31(i32::MIN); 3]), 3 << 48);
/// ```
#[must_use]
pub fn dot<Q: Arithmetic>(a: &[Q], b: &[Q]) -> i64 {
    dot_with(SimdLevel::best(), a, b)
}

/// [`dot`] at a level.
#[must_use]
pub fn dot_with<Q: Arithmetic>(level: SimdLevel, a: &[Q], b: &[Q]) -> i64 {
    Q::dot(level, a, b)
}

/// The body of [`dot`].
pub(crate) struct Dot<'a, Q> {
    pub(crate) a: &'a [Q],
    pub(crate) b: &'a [Q],
}

/// Products whose sum fits the accumulator of a block: 2^14 of 2^48, or of 2^14 in 32 bits.
const BLOCK: usize = 1 << 14;

macro_rules! bodies {
    ($($q:ident: $accumulator:ty, |$a:ident, $b:ident| $product:expr;)*) => {$(
        impl Body<f32> for Dot<'_, $q> {
            type Output = i64;

            #[inline(always)]
            fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> i64 {
                let mut total = 0i128;
                for (a, b) in self.a.chunks(BLOCK).zip(self.b.chunks(BLOCK)) {
                    let mut sum: $accumulator = 0;
                    for ($q($a), $q($b)) in a.iter().zip(b) {
                        sum += $product;
                    }
                    total += i128::from(sum);
                }
                total.clamp(i64::MIN.into(), i64::MAX.into()) as i64
            }
        }
    )*};
}

bodies! {
    Q7: i32, |a, b| i32::from(*a) * i32::from(*b);
    Q15: i64, |a, b| i64::from(i32::from(*a) * i32::from(*b));
    Q31: i64, |a, b| (i64::from(*a) * i64::from(*b) + (1 << 13)) >> 14;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn sums_of_full_scale_are_exact_and_saturate_once() {
        let n = if cfg!(miri) { 20_000 } else { 100_000 };
        for level in SimdLevel::available() {
            let of = |a: i32, b: i32| dot_with(level, &vec![Q31(a); n], &vec![Q31(b); n]);
            let (min, count) = (i32::MIN, n as i64);
            assert_eq!(of(min, min), count.saturating_mul(1 << 48));
            assert_eq!(of(min, i32::MAX), count.saturating_mul((1 << 17) - (1 << 48)));
            assert_eq!(dot_with(level, &vec![Q15(-32768); n], &vec![Q15(-32768); n]), count << 30);
            assert_eq!(dot_with(level, &vec![Q7(-128); n], &vec![Q7(127); n]), count * -128 * 127);
        }
    }

    #[test]
    fn a_sum_that_leaves_64_bits_on_the_way_comes_back() {
        let n = 1 << 16;
        let mut a = vec![Q31(i32::MIN); 2 * n];
        a[n..].fill(Q31(i32::MAX));
        for level in SimdLevel::available() {
            let result = dot_with(level, &a, &vec![Q31(i32::MIN); 2 * n]);
            assert_eq!(result, (n as i64) << 17);
        }
    }

    #[test]
    fn products_of_q31_round_half_up() {
        let one = |a, b| dot(&[Q31(a)], &[Q31(b)]);
        assert_eq!([one(1, 1 << 13), one(1, (1 << 13) - 1), one(-1, 1 << 13)], [1, 0, 0]);
    }
}
