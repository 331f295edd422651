//! The natural logarithm, and the logarithm in any unit.

use super::map::{Function, pointwise};
use super::polynomial::polynomial;

pointwise! {
    /// Takes the natural logarithm of each sample, `out[n] = ln x[n]`, and returns how many.
    ///
    /// Takes as many samples as both slices hold.
    ///
    /// * **Accuracy**: within 1 ulp of `f32` and 1.3 ulp of `f64` over the whole range, subnormal
    ///   samples included. The same bits at every level and on every target.
    /// * **NaN and infinity**: zeros of either sign give minus infinity, samples below zero NaN,
    ///   NaN gives NaN and infinity infinity.
    /// * **Cost**: a division and some thirty operations per sample, none of them fused, so that
    ///   levels agree; no allocation.
    ///
    /// ```
    /// use passband_kernels::math::log;
    ///
    /// let mut y = [0.0; 3];
    /// assert_eq!(log(&[1.0, core::f64::consts::E, 0.0], &mut y), 3);
    /// assert_eq!(y, [0.0, 1.0, f64::NEG_INFINITY]);
    /// ```
    ///
    /// Sun Microsystems, *Freely Distributable Math Library* (fdlibm), 1993, for the series in
    /// `f / (2 + f)` and its coefficients.
    log, log_with() of Log: [f32 => f32, f64 => f64] Natural
}

struct Natural;

/// `ln 2` in two parts and 1, the logarithms of 2 and of e.
macro_rules! natural {
    ($($t:ident, $bits:ident, $ln2:expr;)*) => {$(
        impl Function<$t> for Natural {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                x.logarithm($ln2, 1.0)
            }
        }
    )*};
}
natural! {
    f32, u32, [0.693_145_75, 1.428_606_8e-6];
    f64, u64, [0.693_147_180_559_663, 2.823_529_056_303_157_8e-13];
}

/// A number that has a logarithm.
pub(super) trait Logarithm: Sized {
    /// The logarithm in a unit in which 2 has the logarithm `of_two`, in two parts, and e `of_e`.
    ///
    /// The first part has as many zeros at its end as an exponent has bits, so that multiples of it
    /// are exact.
    fn logarithm(self, of_two: [Self; 2], of_e: Self) -> Self;
}

/// `x = 2^k (1 + f)` with `1 + f` between the roots of 1/2 and 2, and `ln (1 + f)` as a series.
macro_rules! logarithm {
    ($t:ident, $bits:ident, $series:expr) => {
        impl Logarithm for $t {
            #[inline(always)]
            fn logarithm(self, of_two: [$t; 2], of_e: $t) -> $t {
                const FRACTION: u32 = $t::MANTISSA_DIGITS - 1;
                const BIAS: $bits = $t::MAX_EXP as $bits - 1;
                const ONE: $bits = BIAS << FRACTION;
                /// One beyond the bits of the fraction, so that integers below it are its last bits.
                const WHOLE: $t = ((1 as $bits) << FRACTION) as $t;
                let root = core::$t::consts::FRAC_1_SQRT_2.to_bits();

                let subnormal = self < $t::MIN_POSITIVE;
                let normal = if subnormal { self * WHOLE } else { self };
                let bits = normal.to_bits().wrapping_add(ONE - root);
                let mantissa = (bits & ((1 << FRACTION) - 1)) + root;
                let f = $t::from_bits(mantissa) - 1.0;
                let exponent = $t::from_bits(WHOLE.to_bits() | (bits >> FRACTION)) - WHOLE;
                // The exponent of `WHOLE` is that of its factor and the bias together.
                let bias = if subnormal { WHOLE.to_bits() >> FRACTION } else { BIAS };
                let k = exponent - bias as $t;

                let s = f / (2.0 + f);
                let (z, half) = (s * s, 0.5 * f * f);
                let near = f - (half - s * (half + z * polynomial(z, &$series)));
                let y = k * of_two[0] + (of_e * near + k * of_two[1]);

                let finite = if self < $t::INFINITY { y } else { self };
                let positive = if self < 0.0 { $t::NAN } else { finite };
                if self == 0.0 { $t::NEG_INFINITY } else { positive }
            }
        }
    };
}
logarithm!(f32, u32, SERIES_F32);
logarithm!(f64, u64, SERIES_F64);

/// `Lg1..` of fdlibm.
const SERIES_F32: [f32; 4] = [0.666_666_6, 0.400_009_72, 0.284_987_87, 0.242_790_79];
#[expect(clippy::excessive_precision, reason = "as published")]
const SERIES_F64: [f64; 7] = [
    6.666_666_666_666_735_13e-1,
    3.999_999_999_940_941_908e-1,
    2.857_142_874_366_239_149e-1,
    2.222_219_843_214_978_396e-1,
    1.818_357_216_161_805_012e-1,
    1.531_383_769_920_937_332e-1,
    1.479_819_860_511_658_591e-1,
];

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::case;
    let summary = "natural logarithm";
    std::vec![
        case("log", summary, 30.0, (4e-7, 148.0), log_with::<f32>, |[x, _]| x.ln()),
        case("log", summary, 36.0, (8e-16, 326.0), log_with::<f64>, |[x, _]| x.ln()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sweep::worst;

    #[test]
    fn error_is_within_one_ulp_over_the_whole_range() {
        assert!(worst(log, f64::ln).0 < 1.0);
    }

    #[test]
    fn zeros_signs_infinity_and_nan() {
        let mut y = [0.0; 6];
        log(&[0.0, -0.0, f64::INFINITY, -1.0, f64::NEG_INFINITY, f64::NAN], &mut y);
        assert_eq!(y[..3], [f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY]);
        assert!(y[3..].iter().all(|y| y.is_nan()));
    }
}
