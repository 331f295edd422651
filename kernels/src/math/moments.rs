//! Mean, variance and root mean square.

#[cfg(feature = "testing")]
mod cases;
mod sums;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::sqrt::root;
use crate::sample::{Float, Sample};
use crate::simd::SimdLevel;
use num_complex::Complex;
use sums::{Centre, PowerSums, Sums};

/// A sample type that has a mean: `f32`, `f64` and `Complex` of them.
pub trait Averaged: Float<Component: Float<Double = f64>> {
    #[doc(hidden)]
    fn sums(level: SimdLevel, x: &[Self], centre: Self::Double) -> PowerSums<Self::Double>;
}

/// The mean of the samples, `sum x[n] / N`; NaN of none.
///
/// * **Accuracy**: single precision is summed in double; the error is below one rounding and 1e-14
///   of the mean magnitude, however many samples there are; sums above 1.8e308 overflow. The same
///   bits at every level and on every target.
/// * **NaN and infinity**: NaN gives NaN, infinity infinity, infinities of both signs NaN.
/// * **Cost**: some ten operations per component; no allocation.
///
/// ```
/// use passband_kernels::math::mean;
///
/// assert_eq!(mean(&[1.0f32, 2.0, 6.0]), 3.0);
/// ```
#[must_use]
pub fn mean<X: Averaged>(x: &[X]) -> X {
    mean_with(SimdLevel::best(), x)
}

/// [`mean`] at a level.
#[must_use]
pub fn mean_with<X: Averaged>(level: SimdLevel, x: &[X]) -> X {
    X::from_double(double_mean(level, x))
}

fn double_mean<X: Averaged>(level: SimdLevel, x: &[X]) -> X::Double {
    X::sums(level, x, <X::Double as Sample>::ZERO).first / x.len() as f64
}

/// The variance of the samples, `sum |x[n] - mean|^2 / (N - ddof)`; NaN where that divides by zero
/// or less.
///
/// `ddof` is 0 for the variance of these samples and 1 for the estimate of that which they are
/// drawn from. Two passes: the mean first, then the squares of what is left, less what the mean is
/// off, so that an offset far above the deviations costs no digits.
///
/// * **Accuracy**: within one rounding and 1e-13 of the variance, as long as the samples tell
///   their deviations. The same bits at every level and on every target.
/// * **NaN and infinity** give NaN. Squares of `f64` beyond its range give infinity.
/// * **Cost**: some twenty operations per component; no allocation.
///
/// ```
/// use passband_kernels::math::variance;
///
/// assert_eq!(variance(&[10_000.0f32, 10_001.0, 10_002.0, 10_003.0], 0), 1.25);
/// ```
///
/// T. F. Chan and others, *Algorithms for computing the sample variance*, The
/// American Statistician 37 (1983).
#[must_use]
pub fn variance<X: Averaged>(x: &[X], ddof: usize) -> X::Component {
    variance_with(SimdLevel::best(), x, ddof)
}

/// [`variance`] at a level.
#[must_use]
pub fn variance_with<X: Averaged>(level: SimdLevel, x: &[X], ddof: usize) -> X::Component {
    X::Component::from_double(double_variance(level, x, ddof))
}

fn double_variance<X: Averaged>(level: SimdLevel, x: &[X], ddof: usize) -> f64 {
    let Some(free) = x.len().checked_sub(ddof).filter(|free| *free > 0) else {
        return f64::NAN;
    };
    let sums = X::sums(level, x, double_mean(level, x));
    let [re, im] = sums.first.parts();
    (sums.second - (re * re + im * im) / x.len() as f64) / free as f64
}

/// The standard deviation of the samples, the square root of their [`variance`].
///
/// ```
/// use passband_kernels::math::std_dev;
///
/// assert_eq!(std_dev(&[1.0, 1.0, 5.0, 5.0], 0), 2.0);
/// ```
#[must_use]
pub fn std_dev<X: Averaged>(x: &[X], ddof: usize) -> X::Component {
    std_dev_with(SimdLevel::best(), x, ddof)
}

/// [`std_dev`] at a level.
#[must_use]
pub fn std_dev_with<X: Averaged>(level: SimdLevel, x: &[X], ddof: usize) -> X::Component {
    X::Component::from_double(root(double_variance(level, x, ddof)))
}

/// The root mean square of the samples, `sqrt(sum |x[n]|^2 / N)`; NaN of none.
///
/// * **Accuracy**: within one rounding and 1e-14 of the result. The same bits at every level and on
///   every target.
/// * **NaN and infinity**: NaN gives NaN, infinity infinity. Squares of `f64` beyond its range
///   give infinity or 0.
/// * **Cost**: some ten operations per component; no allocation.
///
/// ```
/// use passband_kernels::math::rms;
///
/// assert_eq!(rms(&[3.0f32, -3.0, 3.0]), 3.0);
/// ```
#[must_use]
pub fn rms<X: Averaged>(x: &[X]) -> X::Component {
    rms_with(SimdLevel::best(), x)
}

/// [`rms`] at a level.
#[must_use]
pub fn rms_with<X: Averaged>(level: SimdLevel, x: &[X]) -> X::Component {
    let squares = X::sums(level, x, <X::Double as Sample>::ZERO).second;
    X::Component::from_double(root(squares / x.len() as f64))
}

macro_rules! averaged {
    ($($t:ty)*) => {$(
        impl Averaged for $t {
            fn sums(level: SimdLevel, x: &[Self], centre: f64) -> PowerSums<f64> {
                let [[a, b], squares] = level.run::<f32, _>(Sums { x, centre: Centre([centre, centre]) });
                PowerSums { first: a + b, second: squares[0] + squares[1] }
            }
        }

        impl Averaged for Complex<$t> {
            fn sums(level: SimdLevel, x: &[Self], centre: Complex<f64>) -> PowerSums<Complex<f64>> {
                let (x, centre) = (Self::components(x), Centre([centre.re, centre.im]));
                let [[re, im], squares] = level.run::<f32, _>(Sums { x, centre });
                PowerSums { first: Complex::new(re, im), second: squares[0] + squares[1] }
            }
        }
    )*};
}
averaged!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn an_offset_far_above_the_deviations_costs_no_digits() {
        let x: Vec<f32> = (0..256).map(|n| (10_000 + n % 4) as f32).collect();
        assert_eq!((mean(&x), variance(&x, 0)), (10_001.5, 1.25));
        assert_eq!(variance(&x, 1), 1.254_902);
        assert_eq!((std_dev(&x, 0), std_dev(&x, 1)), (1.118_034, 1.120_224_1));
        let x: Vec<f64> = (0..1000).map(|n| 1e15 + f64::from(n % 2)).collect();
        assert!((mean(&x) / 1e15 - 1.0).abs() < 1e-14);
        assert_eq!(variance(&x, 0), 0.25);
        let x: Vec<_> = x.iter().map(|x| Complex::new(*x, -*x)).collect();
        assert_eq!(variance(&x, 0), 0.5);
    }

    #[test]
    fn many_samples_neither_stagnate_nor_drift() {
        let x = vec![0.1f32; if cfg!(miri) { 100 } else { 20_000_000 }];
        assert_eq!((mean(&x), rms(&x)), (0.1, 0.1));
        let x = vec![0.1f64; x.len()];
        assert!((mean(&x) - 0.1).abs() < 1e-15);
    }

    #[test]
    fn nothing_has_no_mean_and_too_few_have_no_variance() {
        assert!(mean::<f32>(&[]).is_nan() && rms::<f64>(&[]).is_nan() && variance::<f32>(&[], 0).is_nan());
        assert!(variance(&[1.0f32], 1).is_nan() && std_dev(&[1.0f64], 2).is_nan());
        assert_eq!(variance(&[7.0f32], 0), 0.0);
    }

    #[test]
    fn infinity_passes_and_nan_spoils() {
        const INF: f64 = f64::INFINITY;
        assert_eq!((mean(&[1.0, INF, 2.0]), mean(&[-INF, 1.0]), rms(&[-INF])), (INF, -INF, INF));
        assert!(mean(&[INF, -INF]).is_nan() && variance(&[INF, 1.0], 0).is_nan());
        assert!(mean(&[1.0, f64::NAN]).is_nan() && rms(&[f64::NAN]).is_nan());
        let y = mean(&[Complex::new(INF, 1.0), Complex::new(1.0, 3.0)]);
        assert_eq!((y.re, y.im), (INF, 2.0));
    }
}
