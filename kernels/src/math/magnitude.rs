//! Magnitudes of complex and real samples.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::map::{Function, pointwise};
use super::sqrt::root;
use num_complex::Complex;

pointwise! {
    /// Takes the magnitude of each sample, `out[n] = sqrt(re^2 + im^2)`, and returns how many.
    ///
    /// Takes as many samples as both slices hold; of real samples `|x|`.
    ///
    /// * **Accuracy**: within 1 ulp over the whole range of the type (0.501 ulp for `Complex<f32>`);
    ///   squares do not overflow or underflow. The same bits at every level and on every target.
    /// * **NaN and infinity**: an infinite part gives infinity, also beside NaN, as IEEE 754 says of
    ///   `hypot`; any other NaN gives NaN. Subnormals are computed as such.
    /// * **Cost**: one square root in double precision per complex sample; no allocation.
    ///
    /// T. J. Dekker, *A floating-point technique for extending the available precision*, Numer.
    /// Math. 18 (1971), for the exact squares.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::magnitude;
    ///
    /// let x = [Complex::new(3.0f32, -4.0), Complex::new(3e38, 1e38)];
    /// let mut y = [0.0; 2];
    /// assert_eq!(magnitude(&x, &mut y), 2);
    /// assert_eq!(y, [5.0, 3.162_277_7e38]);
    /// ```
    magnitude, magnitude_with() of Magnitude: [
        f32 => f32, f64 => f64, Complex<f32> => f32, Complex<f64> => f64
    ] Norm
}

pointwise! {
    /// Takes the squared magnitude of each sample, `out[n] = re^2 + im^2`, and returns how many.
    ///
    /// Takes as many samples as both slices hold; of real samples `x^2`.
    ///
    /// * **Accuracy**: within 1.5 ulp (real: 0.5); overflows to infinity where the result exceeds the
    ///   type. The same bits at every level and on every target.
    /// * **NaN and infinity** pass through as IEEE 754 says. Subnormals are computed as such.
    /// * **Cost**: three operations per complex sample; no allocation.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::magnitude_squared;
    ///
    /// let mut y = [0.0];
    /// assert_eq!(magnitude_squared(&[Complex::new(3.0, -4.0)], &mut y), 1);
    /// assert_eq!(y, [25.0]);
    /// ```
    magnitude_squared, magnitude_squared_with() of MagnitudeSquared: [
        f32 => f32, f64 => f64, Complex<f32> => f32, Complex<f64> => f64
    ] NormSquared
}

/// `sqrt(re^2 + im^2)`.
pub(super) struct Norm;
/// `re^2 + im^2`.
pub(crate) struct NormSquared;

macro_rules! functions {
    ($($t:ty)*) => {$(
        impl Function<$t> for Norm {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                x.abs()
            }
        }

        impl Function<$t> for NormSquared {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                x * x
            }
        }

        impl Function<Complex<$t>> for NormSquared {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: Complex<$t>) -> $t {
                x.re * x.re + x.im * x.im
            }
        }
    )*};
}
functions!(f32 f64);

impl Function<Complex<f32>> for Norm {
    type Output = f32;

    #[inline(always)]
    fn apply(&self, x: Complex<f32>) -> f32 {
        // Squares of `f32` are exact in `f64` and neither overflow nor underflow.
        let (re, im) = (f64::from(x.re), f64::from(x.im));
        let infinite = re.is_infinite() | im.is_infinite();
        if infinite { f32::INFINITY } else { root(re * re + im * im) as f32 }
    }
}

impl Function<Complex<f64>> for Norm {
    type Output = f64;

    #[inline(always)]
    fn apply(&self, x: Complex<f64>) -> f64 {
        let (re, im) = (x.re.abs(), x.im.abs());
        let (larger, smaller) = if im > re { (im, re) } else { (re, im) };
        let (scale, unscale) = normalising(larger);
        let norm = root(sum_of_squares(larger * scale, smaller * scale)) * unscale;
        let infinite = re.is_infinite() | im.is_infinite();
        if infinite { f64::INFINITY } else { norm }
    }
}

/// A power of two that takes `x` near 1, and the one that takes it back.
#[inline(always)]
fn normalising(x: f64) -> (f64, f64) {
    // Fields of exponents: 1 to 2045, so that both powers are normal numbers.
    let exponent = (x.to_bits().cast_signed() >> 52).clamp(1, 2045);
    let power = |field: i64| f64::from_bits((field << 52).cast_unsigned());
    (power(2046 - exponent), power(exponent))
}

/// `a^2 + b^2` for `a >= b`, rounded once.
#[inline(always)]
fn sum_of_squares(a: f64, b: f64) -> f64 {
    // Squares of the upper 26 bits are exact, and so is what their sum loses.
    let upper = |x: f64| f64::from_bits(x.to_bits() & (!0 << 27));
    let rest = |x: f64| (x + upper(x)) * (x - upper(x));
    let (a2, b2) = (upper(a) * upper(a), upper(b) * upper(b));
    let sum = a2 + b2;
    let lost = (a2 - sum) + b2;
    sum + (lost + (rest(a) + rest(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    fn one<X: Magnitude>(x: X) -> X::Output {
        let mut out = [X::Output::ZERO];
        assert_eq!(magnitude(&[x], &mut out), 1);
        out[0]
    }

    /// Parts of all kinds of ratios, the signs too.
    fn parts() -> impl Iterator<Item = (f64, f64)> {
        let unit = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        let n = if cfg!(miri) { 500 } else { 200_000 };
        (0..n).map(move |i| (unit(2 * i), unit(2 * i + 1) * 0.5f64.powi(i as i32 % 31)))
    }

    /// The error of `y` as a magnitude in ulp, by what its square differs from the exact sum.
    fn ulps(y: f64, re: f64, im: f64, ulp: f64) -> f64 {
        let (a, b) = if re.abs() < im.abs() { (im, re) } else { (re, im) };
        let low = |x: f64| x.mul_add(x, -(x * x));
        let difference = ((y * y - a * a) - b * b) + (low(y) - low(a) - low(b));
        difference.abs() / (2.0 * y * ulp)
    }

    #[test]
    fn error_is_below_one_ulp() {
        let (mut single, mut double) = (0.0f64, 0.0f64);
        for (re, im) in parts() {
            let y = one(Complex::new(re, im));
            double = double.max(ulps(y, re, im, y.next_up() - y));
            let (re, im) = (re as f32, im as f32);
            let y = one(Complex::new(re, im));
            single = single.max(ulps(y.into(), re.into(), im.into(), (y.next_up() - y).into()));
        }
        std::println!("magnitude: {single:.4} ulp of f32, {double:.4} ulp of f64");
        assert!(single < 0.501 && double < 0.86);
    }

    #[test]
    fn the_error_of_squares_is_below_their_bound() {
        let mut worst = 0.0f64;
        for (re, im) in parts() {
            let x = Complex::new(re as f32, im as f32);
            let mut y = [0.0];
            assert_eq!(magnitude_squared(&[x], &mut y), 1);
            let exact = f64::from(x.re).powi(2) + f64::from(x.im).powi(2);
            worst = worst.max((f64::from(y[0]) - exact).abs() / f64::from(y[0].next_up() - y[0]));
        }
        std::println!("magnitude_squared: {worst:.4} ulp");
        assert!(worst < 1.5);
    }

    #[test]
    fn extremes_of_the_range_neither_overflow_nor_vanish() {
        // Not by `powi`, whose last bit is open.
        let power = |exponent: u64| f64::from_bits(exponent << 52);
        for scale in [f64::MIN_POSITIVE, power(423), power(1623), power(2043)] {
            assert_eq!(one(Complex::new(3.0 * scale, -4.0 * scale)), 5.0 * scale);
        }
        let power = |exponent: u32| f32::from_bits(exponent << 23);
        for scale in [f32::MIN_POSITIVE, power(47), power(207), power(251)] {
            assert_eq!(one(Complex::new(3.0 * scale, -4.0 * scale)), 5.0 * scale);
        }
        // Subnormals: 3 and 4 times the smallest.
        assert_eq!(one(Complex::new(f64::from_bits(3), f64::from_bits(4))), f64::from_bits(5));
        assert_eq!(one(Complex::new(f32::from_bits(3), f32::from_bits(4))), f32::from_bits(5));
        assert_eq!(one(Complex::new(f64::MAX, f64::MIN_POSITIVE)), f64::MAX);
        assert_eq!(one(Complex::new(f64::MAX, f64::MAX)), f64::INFINITY);
        assert_eq!(one(Complex::new(0.0, -0.0f64)), 0.0);
        assert_eq!((one(-0.0f32), one(-2.5f64)), (0.0, 2.5));
    }

    #[test]
    fn infinity_wins_over_nan_as_in_hypot() {
        for (a, b) in [(f32::NAN, f32::NEG_INFINITY), (f32::INFINITY, f32::NAN), (f32::INFINITY, 1.0)] {
            assert_eq!(one(Complex::new(a, b)), f32::INFINITY);
            assert_eq!(one(Complex::new(f64::from(a), b.into())), f64::INFINITY);
        }
        for (a, b) in [(f32::NAN, 1.0), (0.0, f32::NAN)] {
            assert!(one(Complex::new(a, b)).is_nan());
            assert!(one(Complex::new(f64::from(a), b.into())).is_nan());
        }
    }

    #[test]
    fn small_codes_keep_their_magnitude() {
        let x = Complex::new(256.0f32, 256.0);
        assert!((one(x) - 362.038_67).abs() < 2e-5);
    }
}
