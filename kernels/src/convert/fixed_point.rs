//! Floating point to fixed-point fractions, and back.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::rounding::nearest;
use crate::math::map::{Function, Map};
use crate::sample::{FixedPoint, Q7, Q15, Q31};
use crate::simd::SimdLevel;
use core::marker::PhantomData;

/// A fixed-point type that numbers of type `F` become: [`Q7`], [`Q15`] and [`Q31`], of `f32` and
/// `f64`.
pub trait Fraction<F>: FixedPoint {
    #[doc(hidden)]
    fn of_floats(level: SimdLevel, x: &[F], out: &mut [Self]) -> usize;
    #[doc(hidden)]
    fn to_floats(level: SimdLevel, x: &[Self], out: &mut [F]) -> usize;
}

/// Rounds numbers to codes, `out[n] = saturate(round(2^bits x[n]))`, and returns how many.
///
/// Takes as many samples as both slices hold. `bits` are 7, 15 or 31, [`FixedPoint::BITS`].
///
/// * **Accuracy**: the nearest code of every number, halves to even, where CMSIS-DSP's
///   `arm_float_to_q15` cuts off or rounds halves away from zero.
/// * **NaN and infinity**: NaN gives 0, infinities saturate.
/// * **Cost**: about eight operations per sample, no allocation.
///
/// ```
/// use passband_kernels::convert::to_fixed;
/// use passband_kernels::sample::Q31;
///
/// let mut codes = [Q31(0); 4];
/// assert_eq!(to_fixed(&[0.5f32, -1.0, 1.0, f32::NAN], &mut codes), 4);
/// assert_eq!(codes, [Q31(1 << 30), Q31(i32::MIN), Q31(i32::MAX), Q31(0)]);
/// ```
pub fn to_fixed<F, Q: Fraction<F>>(x: &[F], out: &mut [Q]) -> usize {
    to_fixed_with(SimdLevel::best(), x, out)
}

/// [`to_fixed`] at a level.
pub fn to_fixed_with<F, Q: Fraction<F>>(level: SimdLevel, x: &[F], out: &mut [Q]) -> usize {
    Q::of_floats(level, x, out)
}

/// Gives the numbers that codes stand for, `out[n] = x[n] / 2^bits`, and returns how many.
///
/// Takes as many samples as both slices hold. `bits` are 7, 15 or 31, [`FixedPoint::BITS`].
///
/// * **Accuracy**: exact; [`Q31`] in `f32` is rounded once to 24 bits.
/// * **Cost**: two operations per sample, no allocation.
///
/// ```
/// use passband_kernels::convert::from_fixed;
/// use passband_kernels::sample::Q15;
///
/// let mut numbers = [0.0f64; 2];
/// assert_eq!(from_fixed(&[Q15(-32768), Q15(1)], &mut numbers), 2);
/// assert_eq!(numbers, [-1.0, 1.0 / 32768.0]);
/// ```
pub fn from_fixed<Q: Fraction<F>, F>(x: &[Q], out: &mut [F]) -> usize {
    from_fixed_with(SimdLevel::best(), x, out)
}

/// [`from_fixed`] at a level.
pub fn from_fixed_with<Q: Fraction<F>, F>(level: SimdLevel, x: &[Q], out: &mut [F]) -> usize {
    Q::to_floats(level, x, out)
}

struct ToCodes<Q>(PhantomData<Q>);
struct ToNumbers<F>(PhantomData<F>);

macro_rules! fractions {
    ($($q:ident($code:ty), $full_scale:literal, $float:ty, in $real:ty;)*) => {$(
        impl Fraction<$float> for $q {
            fn of_floats(level: SimdLevel, x: &[$float], out: &mut [Self]) -> usize {
                level.run::<f32, _>(Map { function: ToCodes::<Self>(PhantomData), x, out })
            }
            fn to_floats(level: SimdLevel, x: &[Self], out: &mut [$float]) -> usize {
                level.run::<f32, _>(Map { function: ToNumbers::<$float>(PhantomData), x, out })
            }
        }

        impl Function<$float> for ToCodes<$q> {
            type Output = $q;

            #[inline(always)]
            fn apply(&self, x: $float) -> $q {
                let scaled = <$real>::from(x) * $full_scale;
                $q(nearest::<$real, false>(scaled, $full_scale).0 as $code)
            }
        }

        impl Function<$q> for ToNumbers<$float> {
            type Output = $float;

            #[inline(always)]
            fn apply(&self, x: $q) -> $float {
                x.0 as $float * (1.0 / $full_scale)
            }
        }
    )*};
}

// Codes of up to 16 bits of `f32` are exact in single precision.
fractions! {
    Q7(i8), 128.0, f32, in f32;
    Q15(i16), 32768.0, f32, in f32;
    Q31(i32), 2_147_483_648.0, f32, in f64;
    Q7(i8), 128.0, f64, in f64;
    Q15(i16), 32768.0, f64, in f64;
    Q31(i32), 2_147_483_648.0, f64, in f64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Numbers around every boundary of codes, the same as by rounding one at a time.
    fn agrees<Q: Fraction<f64> + Fraction<f32>>() {
        let unit = 2f64.powi(-(Q::BITS as i32));
        let ends = [-1.0, -0.5, 0.0, 0.5, 1.0];
        let near = ends.iter().flat_map(|end| (-20..=20).map(move |k| end + f64::from(k) * unit / 4.0));
        let far = [2.0, -2.0, 1e10, -1e10, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324];
        let x: Vec<f64> = near.chain(far).collect();
        let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        for level in SimdLevel::available() {
            let mut codes: Vec<Q> = x.iter().map(|_| Q::from_f64(0.25)).collect();
            assert_eq!(to_fixed_with(level, &x, &mut codes), x.len());
            assert_eq!(codes, x.iter().map(|x| Q::from_f64(*x)).collect::<Vec<_>>());
            assert_eq!(to_fixed_with(level, &single, &mut codes), x.len());
            assert_eq!(codes, single.iter().map(|x| Q::from_f64((*x).into())).collect::<Vec<_>>());
            let mut back: Vec<f64> = x.clone();
            assert_eq!(from_fixed_with(level, &codes, &mut back), x.len());
            assert_eq!(back, codes.iter().map(|code| code.to_f64()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn codes_are_the_nearest_at_every_level() {
        agrees::<Q7>();
        agrees::<Q15>();
        agrees::<Q31>();
    }
}
