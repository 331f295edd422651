//! Multiplication by powers of two.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::Arithmetic;
use crate::math::map::Function;
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::SimdLevel;

/// Multiplies samples by `2^bits`, `out[n] = saturate(round(x[n] 2^bits))`, and returns how many.
///
/// Takes as many samples as both slices hold. Negative `bits` divide; any number is allowed.
///
/// * **Accuracy**: exact to the left, but for saturation; to the right rounded once, halves up,
///   where CMSIS-DSP's `arm_shift_q15` cuts off.
/// * **Cost**: five operations per sample, no allocation.
///
/// ```
/// use passband_kernels::fixed::shift;
/// use passband_kernels::sample::Q15;
///
/// let (x, mut out) = ([Q15(3), Q15(-3), Q15(20000)], [Q15(0); 3]);
/// assert_eq!(shift(&x, 1, &mut out), 3);
/// assert_eq!(out, [Q15(6), Q15(-6), Q15(32767)]);
/// assert_eq!(shift(&x, -1, &mut out), 3);
/// assert_eq!(out, [Q15(2), Q15(-1), Q15(10000)]);
/// ```
pub fn shift<Q: Arithmetic>(x: &[Q], bits: i32, out: &mut [Q]) -> usize {
    shift_with(SimdLevel::best(), x, bits, out)
}

/// [`shift`] at a level.
pub fn shift_with<Q: Arithmetic>(level: SimdLevel, x: &[Q], bits: i32, out: &mut [Q]) -> usize {
    Q::shifts(level, x, bits, out)
}

/// Bits to the left, at most those of the fraction: there all but 0 and -1 is out already.
pub(super) struct Left(u32);
/// Bits to the right, from one to one more than the fraction has: there all rounds to zero.
pub(super) struct Right(u32);

impl Left {
    pub(super) fn of<Q: FixedPoint>(bits: u32) -> Self {
        Self(bits.min(Q::BITS))
    }
}

impl Right {
    pub(super) fn of<Q: FixedPoint>(bits: u32) -> Self {
        Self(bits.clamp(1, Q::BITS + 1))
    }
}

macro_rules! functions {
    ($($q:ident: $code:ty;)*) => {$(
        impl Function<$q> for Left {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, $q(x): $q) -> $q {
                let y = x << self.0;
                // Of the sign's bits, for a number too large.
                let end = (x >> $q::BITS) ^ <$code>::MAX;
                $q(if y >> self.0 == x { y } else { end })
            }
        }

        impl Function<$q> for Right {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, $q(x): $q) -> $q {
                let y = x >> (self.0 - 1);
                $q((y >> 1) + (y & 1))
            }
        }
    )*};
}

functions! {
    Q7: i8;
    Q15: i16;
    Q31: i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact<Q: Arithmetic>(codes: &[i64], of: fn(i64) -> Q) {
        let end = 1i128 << Q::BITS;
        for bits in [i32::MIN, -100].into_iter().chain(-34..=34).chain([100, i32::MAX]) {
            for code in codes {
                let far = i128::from(*code) << bits.clamp(0, 40);
                let unit = 1i128 << bits.clamp(-40, 0).unsigned_abs();
                let y = ((2 * far + unit).div_euclid(2 * unit)).clamp(-end, end - 1);
                for level in SimdLevel::available() {
                    let mut out = [of(1)];
                    assert_eq!(shift_with(level, &[of(*code)], bits, &mut out), 1);
                    assert_eq!(out[0].parts()[0], y as f64, "{code} by {bits} at {level}");
                }
            }
        }
    }

    #[test]
    fn any_shift_gives_what_exact_integers_give() {
        exact(&[-128, -127, -64, -3, -1, 0, 1, 3, 64, 127], |code| Q7(code as i8));
        exact(&[-32768, -32767, -16384, -3, -1, 0, 1, 3, 16384, 32767], |code| Q15(code as i16));
        let (min, max) = (i32::MIN.into(), i32::MAX.into());
        exact(&[min, min + 1, -3, -1, 0, 1, 3, 1 << 30, max], |code| Q31(code as i32));
    }
}
