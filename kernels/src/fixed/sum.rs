//! Exact sums of fixed-point products, rounded once and saturated once.
//!
//! Each type has a narrow accumulator, which vectors are fast in, and one of twice the width. The
//! narrow one is for coefficients whose magnitudes prove that no sum can wrap in it. Integers are exact
//! in any order, so that results have the same bits at every level and on every target.

use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::{Body, Lanes, Lanes16};
use core::ops::{Add, Sub};

/// A type of samples and coefficients whose products are summed exactly.
pub(crate) trait Exact: FixedPoint {
    /// Holds every sum over coefficients that `fits` has proved.
    type Narrow: Accumulator<Self>;
    /// Holds every sum that memory has room for.
    type Wide: Accumulator<Self>;
}

/// A sum of products of `Q`.
pub(crate) trait Accumulator<Q>: Copy + Default + Add<Output = Self> + Sub<Output = Self> {
    /// A product.
    fn product(a: Q, b: Q) -> Self;

    /// The sum without its last `bits`, at least one: rounded, halves up, and saturated.
    fn rounded(self, bits: u32) -> Q;
}

macro_rules! exact {
    ($($q:ident($code:ty): $product:ty, $narrow:ty, $wide:ty;)*) => {$(
        impl $q {
            /// Whether `sum |coefficients| 2^BITS`, rounded, fits the narrow accumulator.
            pub(crate) const fn fits(coefficients: &[Self]) -> bool {
                let (mut sum, mut i) = (0, 0);
                while i < coefficients.len() {
                    sum += coefficients[i].0.unsigned_abs() as u64;
                    i += 1;
                }
                // An integer below the end leaves room for half a unit, by which sums are rounded.
                sum < 1 << (<$narrow>::BITS - 1 - <$q as FixedPoint>::BITS)
            }
        }

        impl Exact for $q {
            type Narrow = $narrow;
            type Wide = $wide;
        }

        exact!($q($code): $product, $narrow);
        exact!($q($code): $product, $wide);
    )*};
    ($q:ident($code:ty): $product:ty, $sum:ty) => {
        impl Accumulator<$q> for $sum {
            #[inline(always)]
            fn product($q(a): $q, $q(b): $q) -> Self {
                Self::from(<$product>::from(a) * <$product>::from(b))
            }
            #[inline(always)]
            fn rounded(self, bits: u32) -> $q {
                let rounded = (self + (1 << (bits - 1))) >> bits;
                $q(rounded.clamp(<$code>::MIN.into(), <$code>::MAX.into()) as $code)
            }
        }
    };
}

exact! {
    Q7(i8): i32, i32, i64;
    Q15(i16): i32, i32, i64;
    Q31(i32): i64, i64, i128;
}

/// `sum coefficients[k] * x[k]`.
#[inline(always)]
pub(crate) fn dot<Q: Exact, A: Accumulator<Q>>(coefficients: &[Q], x: &[Q]) -> A {
    coefficients.iter().zip(x).fold(A::default(), |sum, (h, x)| sum + A::product(*h, *x))
}

/// `out[m] = round(sum taps[k] * window[m * factor + k])`, taps reversed.
pub(crate) struct Strided<'a, Q> {
    pub(crate) taps: &'a [Q],
    /// Whether narrow sums fit.
    pub(crate) fits: bool,
    pub(crate) factor: usize,
    pub(crate) window: &'a [Q],
    pub(crate) out: &'a mut [Q],
}

impl<Q: Exact> Body<f32> for Strided<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        if self.fits { self.outputs::<Q::Narrow>() } else { self.outputs::<Q::Wide>() }
    }
}

impl<Q: Exact> Strided<'_, Q> {
    #[inline(always)]
    fn outputs<A: Accumulator<Q>>(self) {
        let mut window = self.window;
        for y in self.out {
            *y = dot::<Q, A>(self.taps, window).rounded(Q::BITS);
            window = window.get(self.factor..).unwrap_or(&[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proof_of_a_narrow_sum_is_tight() {
        // 65535 * 2^15 + 2^14 < 2^31 <= 65536 * 2^15 + 2^14.
        assert!(Q15::fits(&[Q15(-32768), Q15(32767)]));
        assert!(!Q15::fits(&[Q15(-32768), Q15(-32768)]));
        assert!(Q31::fits(&[Q31(i32::MIN), Q31(i32::MAX)]));
        assert!(!Q31::fits(&[Q31(i32::MIN), Q31(i32::MIN)]));
        let mut loud = std::vec![Q7(-128); 1 << 17];
        assert!(!Q7::fits(&loud));
        loud[0] = Q7(127);
        assert!(Q7::fits(&loud));
    }

    #[test]
    fn sums_round_half_up_and_saturate() {
        let round = |sum: i32| {
            let (narrow, wide): (Q15, Q15) = (sum.rounded(15), i64::from(sum).rounded(15));
            assert_eq!(narrow, wide);
            narrow.0
        };
        assert_eq!([16383, 16384, -16384, -16385].map(round), [0, 1, 0, -1]);
        assert_eq!(
            [1 << 30, -1 << 30, i32::MAX - (1 << 14), i32::MIN].map(round),
            [32767, -32768, 32767, -32768]
        );
        let minus_one = Q31(i32::MIN);
        assert_eq!(<i128 as Accumulator<Q31>>::product(minus_one, minus_one).rounded(31), Q31(i32::MAX));
        let sum = dot::<Q31, i128>(&[minus_one; 5], &[minus_one; 5]);
        assert_eq!((sum, sum.rounded(31)), (5 << 62, Q31(i32::MAX)));
    }
}
