//! Decibels.

use super::log::Logarithm;
use super::magnitude::Norm;
use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Takes the level of each power in decibels, `out[n] = max(floor, 10 log10 x[n])`, and returns
    /// how many.
    ///
    /// Takes as many samples as both slices hold. A floor of minus infinity is none.
    ///
    /// * **Accuracy**: within 2.5 ulp over the whole range. The same bits at every level and on
    ///   every target.
    /// * **NaN and infinity**: a power of zero is at the floor; powers below zero and NaN give NaN;
    ///   infinity gives infinity. A floor that is NaN is none.
    /// * **Cost**: a division and some thirty operations per sample, none of them fused, so that
    ///   levels agree; no allocation.
    ///
    /// ```
    /// use passband_kernels::math::power_to_db;
    ///
    /// let mut y = [0.0; 3];
    /// assert_eq!(power_to_db(&[1.0, 100.0, 0.0], -120.0, &mut y), 3);
    /// assert_eq!(y, [0.0, 20.0, -120.0]);
    /// ```
    power_to_db, power_to_db_with(floor) of PowerToDb: [f32 => f32, f64 => f64] Power { floor }
}

pointwise! {
    /// Takes the level of each amplitude in decibels, `out[n] = max(floor, 20 log10 |x[n]|)`, and
    /// returns how many.
    ///
    /// Takes as many samples as both slices hold. A floor of minus infinity is none.
    ///
    /// * **Accuracy**: within 2.5 ulp of real samples over the whole range; of complex ones also
    ///   within what an ulp of the magnitude is in decibels (5.2e-7 of `f32`, 1.5e-15 of `f64`),
    ///   where that is no subnormal number. The same bits at every level and on every target.
    /// * **NaN and infinity**: an amplitude of zero is at the floor; an infinite part gives infinity,
    ///   also beside NaN; any other NaN gives NaN. A floor that is NaN is none.
    /// * **Cost**: a division and some thirty operations per sample, of complex ones also those of
    ///   [`magnitude`](crate::math::magnitude); no allocation.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::amplitude_to_db;
    ///
    /// let mut y = [0.0];
    /// assert_eq!(amplitude_to_db(&[Complex::new(0.0, -10.0)], f64::NEG_INFINITY, &mut y), 1);
    /// assert_eq!(y, [20.0]);
    /// ```
    amplitude_to_db, amplitude_to_db_with(floor) of AmplitudeToDb: [
        f32 => f32, f64 => f64, Complex<f32> => f32, Complex<f64> => f64
    ] Amplitude { floor }
}

struct Power<T> {
    floor: T,
}

struct Amplitude<T> {
    floor: T,
}

/// `10 log10 2` in two parts, and `10 log10 e`.
macro_rules! decibels {
    ($($t:ident, $of_two:expr, $of_e:expr;)*) => {$(
        impl Function<$t> for Power<$t> {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                let level = x.logarithm($of_two, $of_e);
                if level < self.floor { self.floor } else { level }
            }
        }

        impl Function<$t> for Amplitude<$t> {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                let level = 2.0 * x.abs().logarithm($of_two, $of_e);
                if level < self.floor { self.floor } else { level }
            }
        }

        impl Function<Complex<$t>> for Amplitude<$t> {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: Complex<$t>) -> $t {
                self.apply(Norm.apply(x))
            }
        }
    )*};
}
decibels! {
    f32, [3.010_254, 4.605_039e-5], 4.342_944_6;
    f64, [3.010_299_956_638_846, 9.657_549_718_401_459e-13], 4.342_944_819_032_518;
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::about;
    use crate::testing::{Case, Random, function};
    fn case<X: AmplitudeToDb + Random>(bounds: (f64, f64)) -> Case
    where
        X::Component: crate::sample::Float<Double = f64>,
    {
        use crate::sample::Float;
        let about = about::<X, X::Output>("amplitude_to_db", "level of amplitudes", 40.0, bounds);
        let floor = X::Component::from_double(-40.0);
        let level = |[re, im]: [f64; 2]| (20.0 * re.hypot(im).log10()).max(-40.0);
        let reference = move |x: &[X]| x.iter().map(|x| level(x.parts())).collect();
        function(about, move |at, x: &[X], y: &mut [_]| amplitude_to_db_with(at, x, floor, y), reference)
    }
    let level = |[x, _]: [f64; 2]| 10.0 * x.log10();
    let single = |at, x: &[f32], y: &mut [f32]| power_to_db_with(at, x, f32::NEG_INFINITY, y);
    let double = |at, x: &[f64], y: &mut [f64]| power_to_db_with(at, x, f64::NEG_INFINITY, y);
    let summary = "level of powers";
    std::vec![
        super::map::case("power_to_db", summary, 36.0, (1.5e-6, 148.0), single, level),
        super::map::case("power_to_db", summary, 40.0, (6e-15, 318.0), double, level),
        case::<f32>((3e-6, 148.0)),
        case::<f64>((1.2e-14, 318.0)),
        case::<Complex<f32>>((2.5e-6, 142.0)),
        case::<Complex<f64>>((6e-15, 315.0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sweep::worst;

    #[test]
    fn error_is_within_its_bound_over_the_whole_range() {
        let floor = f32::NEG_INFINITY;
        assert!(worst(|x, y| power_to_db(x, floor, y), |x| 10.0 * x.log10()).0 < 2.5);
        assert!(worst(|x, y| amplitude_to_db(x, floor, y), |x| 20.0 * x.abs().log10()).0 < 2.5);
    }

    #[test]
    fn powers_of_ten_are_exact_and_zero_is_at_the_floor() {
        let x: [f64; 12] = core::array::from_fn(|k| 10f64.powi(k as i32));
        let (mut single, mut double) = ([0.0; 12], [0.0; 12]);
        power_to_db(&x, -200.0, &mut double);
        power_to_db(&x.map(|x| x as f32), -200.0, &mut single);
        for k in 0..11 {
            assert_eq!((f64::from(single[k]), double[k]), (10.0 * k as f64, 10.0 * k as f64));
        }
        amplitude_to_db(&[0.0, -0.0, 1e-30, 10.0], -200.0, &mut double);
        assert_eq!(double[..4], [-200.0, -200.0, -200.0, 20.0]);
    }

    #[test]
    fn nan_and_powers_below_zero_are_nan_and_not_at_the_floor() {
        let mut y = [0.0f32; 2];
        power_to_db(&[f32::NAN, -1.0], -200.0, &mut y);
        assert!(y.iter().all(|y| y.is_nan()));
    }
}
