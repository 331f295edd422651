//! The exponential function.

use super::map::{Function, pointwise};
use super::polynomial::polynomial;

pointwise! {
    /// Takes the exponential of each sample, `out[n] = e^x[n]`, and returns how many.
    ///
    /// Takes as many samples as both slices hold.
    ///
    /// * **Accuracy**: within 1 ulp over the whole range, subnormal results included. The same bits
    ///   at every level and on every target.
    /// * **NaN and infinity**: NaN gives NaN, infinity infinity and minus infinity 0. Results beyond
    ///   the type are infinity or 0.
    /// * **Cost**: some thirty operations per sample, none of them fused, so that levels agree; no
    ///   allocation.
    ///
    /// ```
    /// use passband_kernels::math::exp;
    ///
    /// let mut y = [0.0; 3];
    /// assert_eq!(exp(&[0.0, 1.0, f32::NEG_INFINITY], &mut y), 3);
    /// assert_eq!(y, [1.0, core::f32::consts::E, 0.0]);
    /// ```
    ///
    /// W. J. Cody and W. Waite, *Software Manual for the Elementary Functions*, 1980, for the
    /// reduction by multiples of ln 2 in two parts; E. Ya. Remez's exchange for the coefficients.
    exp, exp_with() of Exp: [f32 => f32, f64 => f64] Exponential
}

struct Exponential;

/// `e^x = 2^k e^r` with `|r| <= ln 2 / 2`, where `e^r = 1 + r + r^2 P(r)`.
///
/// `k` is read from the bits of a number so large that its last bit counts ones. The power of two
/// is applied in two halves, so that results round once where they become subnormal.
macro_rules! exponential {
    ($t:ident, $bits:ident, [$least:literal, $most:literal], $ln2:expr, $coefficients:expr) => {
        impl Function<$t> for Exponential {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                const FRACTION: u32 = $t::MANTISSA_DIGITS - 1;
                const BIAS: $bits = $t::MAX_EXP as $bits - 1;
                const COUNTER: $t = 1.5 * ((1 as $bits) << FRACTION) as $t;
                let x = if x < $least { $least } else { x };
                let x = if x > $most { $most } else { x };
                let counted = x * core::$t::consts::LOG2_E + COUNTER;
                let k = counted - COUNTER;
                let (high, low) = (x - k * $ln2[0], k * $ln2[1]);
                let r = high - low;
                let y = 1.0 + (high - (low - r * r * polynomial(r, &$coefficients)));
                let twice = counted.to_bits().wrapping_sub(COUNTER.to_bits()).wrapping_add(2 * BIAS);
                let half = twice >> 1;
                let power = |field: $bits| $t::from_bits(field << FRACTION);
                y * power(half) * power(twice.wrapping_sub(half))
            }
        }
    };
}

/// The first part has as many zeros at its end as `k` has bits, so that their product is exact.
const LN2_F32: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
const LN2_F64: [f64; 2] = [0.693_147_180_559_663, 2.823_529_056_303_157_8e-13];

exponential!(f32, u32, [-104.0, 89.0], LN2_F32, COEFFICIENTS_F32);
exponential!(f64, u64, [-746.0, 710.0], LN2_F64, COEFFICIENTS_F64);

/// Of least relative error in `e^r`, 2^-28.
const COEFFICIENTS_F32: [f32; 5] = [0.5, 0.166_665_18, 0.041_666_206, 0.008_368_953, 0.001_395_059_6];
/// Of least relative error in `e^r`, 2^-58.
const COEFFICIENTS_F64: [f64; 10] = [
    0.500_000_000_000_001_3,
    0.166_666_666_666_667,
    0.041_666_666_666_514_32,
    0.008_333_333_333_307_03,
    0.001_388_888_894_733_197_7,
    0.000_198_412_699_177_705_94,
    2.480_148_958_975_459_4e-5,
    2.755_721_594_825_435e-6,
    2.763_141_408_414_952e-7,
    2.511_797_488_699_886e-8,
];

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::case;
    let summary = "exponential function";
    std::vec![
        case("exp", summary, 30.0, (2e-7, 148.0), exp_with::<f32>, |[x, _]| x.exp()),
        case("exp", summary, 36.0, (6e-16, 324.0), exp_with::<f64>, |[x, _]| x.exp()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sweep::worst;

    #[test]
    fn error_is_within_one_ulp_over_the_whole_range() {
        assert!(worst(exp, f64::exp).0 < 1.0);
    }

    #[test]
    fn ends_of_the_range_are_exact() {
        let x = [f64::NEG_INFINITY, -746.0, 0.0, -0.0, 710.0, f64::INFINITY, f64::NAN];
        let mut y = [0.0; 7];
        exp(&x, &mut y);
        assert_eq!(y[..6], [0.0, 0.0, 1.0, 1.0, f64::INFINITY, f64::INFINITY]);
        assert!(y[6].is_nan());
    }
}
