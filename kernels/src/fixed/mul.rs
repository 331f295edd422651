//! Products that are rounded once and saturate.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::Arithmetic;
use crate::math::map::Function;
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::SimdLevel;

/// Multiplies pairs of samples, `out[n] = saturate(round(a[n] b[n]))`, and returns how many.
///
/// Takes as many pairs as all three slices hold. Only -1 times -1 lies beyond the ends: it gives
/// the largest code.
///
/// * **Accuracy**: the exact product rounded once, halves up. CMSIS-DSP's `arm_mult_q7` and
///   `arm_mult_q15` cut the product off instead, up to one code lower, and its `arm_mult_q31` also
///   loses the last bit.
/// * **Cost**: four operations per sample in twice the width, no allocation.
///
/// ```
/// use passband_kernels::fixed::mul;
/// use passband_kernels::sample::Q15;
///
/// let mut products = [Q15(0); 3];
/// let a = [Q15(-32768), Q15(3), Q15(-3)];
/// assert_eq!(mul(&a, &[Q15(-32768), Q15(16384), Q15(16384)], &mut products), 3);
/// assert_eq!(products, [Q15(32767), Q15(2), Q15(-1)]);
/// ```
pub fn mul<Q: Arithmetic>(a: &[Q], b: &[Q], out: &mut [Q]) -> usize {
    mul_with(SimdLevel::best(), a, b, out)
}

/// [`mul`] at a level.
pub fn mul_with<Q: Arithmetic>(level: SimdLevel, a: &[Q], b: &[Q], out: &mut [Q]) -> usize {
    Q::products(level, a, b, out)
}

pub(super) struct Product;

macro_rules! functions {
    ($($q:ident: $code:ty, $wide:ty;)*) => {$(
        impl Function<($q, $q)> for Product {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, (a, b): ($q, $q)) -> $q {
                const HALF: $wide = 1 << ($q::BITS - 1);
                let product = ((<$wide>::from(a.0) * <$wide>::from(b.0) + HALF) >> $q::BITS) as $code;
                // Only what is one too large for the code comes out as the least one.
                $q(if product == <$code>::MIN { <$code>::MAX } else { product })
            }
        }
    )*};
}

functions! {
    Q7: i8, i16;
    Q15: i16, i32;
    Q31: i32, i64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Every pair of codes of Q7 and the corners of the others, against exact integers.
    fn exact<Q: Arithmetic>(codes: &[i64], of: fn(i64) -> Q) {
        let pairs = || codes.iter().flat_map(|a| codes.iter().map(move |b| (*a, *b)));
        let a: Vec<Q> = pairs().map(|(a, _)| of(a)).collect();
        let b: Vec<Q> = pairs().map(|(_, b)| of(b)).collect();
        let end = 1i128 << Q::BITS;
        let round = |(a, b): (i64, i64)| {
            (i128::from(a) * i128::from(b) + end / 2).div_euclid(end).min(end - 1) as f64
        };
        for level in SimdLevel::available() {
            let mut out = a.clone();
            assert_eq!(mul_with(level, &a, &b, &mut out), a.len());
            for (pair, y) in pairs().zip(out) {
                assert_eq!(y.parts()[0], round(pair), "{pair:?} at {level}");
            }
        }
    }

    #[test]
    fn products_are_those_of_exact_integers() {
        let step = if cfg!(miri) { 37 } else { 1 };
        exact(&(-128..128).step_by(step).collect::<Vec<_>>(), |code| Q7(code as i8));
        let near = |ends: &[i64]| -> Vec<i64> { ends.iter().flat_map(|end| end - 2..end + 3).collect() };
        let codes = near(&[-32766, -16384, -181, 0, 181, 16384, 32765]);
        exact(&codes, |code| Q15(code as i16));
        let codes = near(&[-0x7fff_fffe, -0x4000_0000, -46341, 0, 46341, 0x4000_0000, 0x7fff_fffd]);
        exact(&codes, |code| Q31(code as i32));
    }
}
