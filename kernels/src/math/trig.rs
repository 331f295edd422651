//! Sine and cosine.

mod reduced;

use super::map::{Function, MapToTwo, pointwise};
use crate::sample::Sample;
use crate::simd::SimdLevel;
use reduced::Turning;

pointwise! {
    /// Takes the sine of each sample, an angle in radians, and returns how many.
    ///
    /// Takes as many samples as both slices hold.
    ///
    /// * **Accuracy**: within 1.6 ulp of `f32` and 1 ulp of `f64` over the whole range. The same bits
    ///   at every level and on every target.
    /// * **NaN and infinity**: both give NaN. The sine of a zero is that zero.
    /// * **Cost**: some forty operations per `f32`, eighty per `f64`; no allocation. Angles beyond
    ///   ±8192 (`f32`) or ±1.6e6 (`f64`) take some hundred times as long each.
    ///
    /// ```
    /// use passband_kernels::math::sin;
    ///
    /// let mut y = [0.0; 2];
    /// assert_eq!(sin(&[0.0, core::f64::consts::FRAC_PI_2], &mut y), 2);
    /// assert_eq!(y, [0.0, 1.0]);
    /// ```
    ///
    /// W. J. Cody and W. Waite, *Software Manual for the Elementary Functions*, 1980, for the
    /// reduction by multiples of pi/2 in parts; M. Payne and R. Hanek, *Radian reduction for
    /// trigonometric functions*, SIGNUM Newsletter 18 (1983), for that of large angles; Sun
    /// Microsystems, *Freely Distributable Math Library* (fdlibm), 1993, for the coefficients of `f64`.
    sin, sin_with() of Sin: [f32 => f32, f64 => f64] Sine
}

pointwise! {
    /// Takes the cosine of each sample, an angle in radians, and returns how many.
    ///
    /// Accuracy, NaN, cost and literature are those of [`sin`]; the cosine of a zero is 1.
    ///
    /// ```
    /// use passband_kernels::math::cos;
    ///
    /// let mut y = [0.0; 2];
    /// assert_eq!(cos(&[0.0, core::f32::consts::PI], &mut y), 2);
    /// assert_eq!(y, [1.0, -1.0]);
    /// ```
    cos, cos_with() of Cos: [f32 => f32, f64 => f64] Cosine
}

/// Takes the sine and the cosine of each sample, an angle in radians, and returns how many.
///
/// Takes as many samples as all slices hold. The results are those of [`sin`] and [`cos`] to the
/// bit, for little more than the cost of one of them.
///
/// ```
/// use passband_kernels::math::sincos;
///
/// let (mut sin, mut cos) = ([0.0], [0.0]);
/// assert_eq!(sincos(&[0.0f32], &mut sin, &mut cos), 1);
/// assert_eq!((sin, cos), ([0.0], [1.0]));
/// ```
pub fn sincos<X: SinCos>(x: &[X], sin: &mut [X], cos: &mut [X]) -> usize {
    sincos_with(SimdLevel::best(), x, sin, cos)
}

/// [`sincos`] at a level.
pub fn sincos_with<X: SinCos>(level: SimdLevel, x: &[X], sin: &mut [X], cos: &mut [X]) -> usize {
    X::map(level, x, [sin, cos])
}

/// A sample type that [`sincos`] takes.
pub trait SinCos: Sample {
    #[doc(hidden)]
    fn map(level: SimdLevel, x: &[Self], out: [&mut [Self]; 2]) -> usize;
}

struct Sine;
struct Cosine;
struct Both;

macro_rules! functions {
    ($($t:ty)*) => {$(
        impl SinCos for $t {
            fn map(level: SimdLevel, x: &[Self], out: [&mut [Self]; 2]) -> usize {
                level.run::<f32, _>(MapToTwo { function: Both, x, out })
            }
        }
        functions!($t: Both => [$t; 2] |both| both);
        functions!($t: Sine => $t |both| both[0]);
        functions!($t: Cosine => $t |both| both[1]);
    )*};
    ($t:ty: $Function:ty => $Output:ty |$both:ident| $part:expr) => {
        impl Function<$t> for $Function {
            type Output = $Output;

            #[inline(always)]
            fn apply(&self, x: $t) -> Self::Output {
                let $both = x.small_sin_cos();
                $part
            }

            #[inline(always)]
            fn is_rare(x: $t) -> bool {
                x.abs() >= <$t>::LARGE
            }

            fn slowly(&self, x: $t) -> Self::Output {
                let $both = x.large_sin_cos();
                $part
            }
        }
    };
}
functions!(f32 f64);

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::{about, case};
    use crate::testing::{Case, Random, function_to_two};
    fn both<X: SinCos + Random>(flops: f64, bounds: (f64, f64)) -> Case {
        let about = about::<X, [X; 2]>("sincos", "sine and cosine", flops, bounds);
        let exact = |x: &X| [x.parts()[0].sin(), x.parts()[0].cos()];
        let reference = move |x: &[X]| x.iter().flat_map(exact).collect();
        function_to_two(about, sincos_with::<X>, reference)
    }
    std::vec![
        case("sin", "sine", 40.0, (8e-8, 149.0), sin_with::<f32>, |[x, _]| x.sin()),
        case("sin", "sine", 80.0, (2e-16, 325.0), sin_with::<f64>, |[x, _]| x.sin()),
        case("cos", "cosine", 40.0, (8e-8, 149.0), cos_with::<f32>, |[x, _]| x.cos()),
        case("cos", "cosine", 80.0, (2e-16, 328.0), cos_with::<f64>, |[x, _]| x.cos()),
        both::<f32>(45.0, (8e-8, 149.0)),
        both::<f64>(85.0, (2e-16, 328.0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sweep::{numbers, ulps, worst};
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn error_is_within_its_bound_over_the_whole_range() {
        assert!(worst(sin, f64::sin).0 < 1.6);
        assert!(worst(cos, f64::cos).0 < 1.6);
        // What a closer search has found.
        let (mut y, found) = ([0.0; 2], [-2_547.327_1_f32, -7_195.299]);
        sin(&found[..1], &mut y[..1]);
        cos(&found[1..], &mut y[1..]);
        let errors = [ulps(y[0], f64::from(found[0]).sin()), ulps(y[1], f64::from(found[1]).cos())];
        assert!(errors.iter().all(|error| (1.5..1.6).contains(error)), "{errors:?}");
    }

    #[test]
    fn both_are_those_of_sin_and_cos_to_the_bit() {
        let x: Vec<f64> = numbers().map(|x| f64::from(x) * 1.000_000_1).collect();
        let mut y = vec![vec![0.0; x.len()]; 4];
        let [a, b, c, d] = &mut y[..] else { unreachable!() };
        sin(&x, a);
        cos(&x, b);
        sincos(&x, c, d);
        let bits = |y: &[f64]| y.iter().map(|y| if y.is_nan() { 0 } else { y.to_bits() }).collect::<Vec<_>>();
        assert_eq!((bits(a), bits(b)), (bits(c), bits(d)));
    }

    #[test]
    fn zeros_keep_their_sign_and_infinity_has_no_angle() {
        let mut y = [0.0f64; 4];
        sin(&[0.0, -0.0, f64::INFINITY, f64::NAN], &mut y);
        assert!(y[0].is_sign_positive() && y[1].is_sign_negative() && y[..2] == [0.0; 2]);
        assert!(y[2].is_nan() && y[3].is_nan());
        // A rare sample beside others changes none of them.
        let mut z = [0.0f64; 2];
        sin(&[0.5, 1e22], &mut z);
        assert_eq!(z, [0.479_425_538_604_203, -0.852_200_849_767_188_8]);
    }
}
