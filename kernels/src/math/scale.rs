//! Multiples of samples.

use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Multiplies each sample by a real number, `out[n] = gain x[n]`, and returns how many.
    ///
    /// Takes as many samples as both slices hold. Real and imaginary parts are multiplied apart.
    ///
    /// * **Accuracy**: one rounding. The same bits at every level and on every target.
    /// * **NaN and infinity** pass through as IEEE 754 says. Subnormals are computed as such.
    /// * **Cost**: one operation per component; no allocation.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::scale;
    ///
    /// let mut y = [Complex::default()];
    /// assert_eq!(scale(&[Complex::new(3.0f32, -4.0)], 0.5, &mut y), 1);
    /// assert_eq!(y, [Complex::new(1.5, -2.0)]);
    /// ```
    scale, scale_with(gain) of Scale: [
        f32 => f32, f64 => f64, Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>
    ] Gain(gain)
}

struct Gain<T>(T);

macro_rules! gains {
    ($($t:ty)*) => {$(
        impl Function<$t> for Gain<$t> {
            type Output = $t;

            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                self.0 * x
            }
        }

        impl Function<Complex<$t>> for Gain<$t> {
            type Output = Complex<$t>;

            #[inline(always)]
            fn apply(&self, x: Complex<$t>) -> Complex<$t> {
                Complex::new(self.0 * x.re, self.0 * x.im)
            }
        }
    )*};
}
gains!(f32 f64);

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::about;
    use crate::testing::{Case, Random, function, values};
    fn case<X: Scale<Output = X> + Random>(bounds: (f64, f64)) -> Case
    where
        X::Component: crate::sample::Float<Double = f64>,
    {
        use crate::sample::Float;
        let gain = X::Component::from_double(0.7);
        let about = about::<X, X>("scale", "multiple of a stream", X::COMPONENTS as f64, bounds);
        let reference = move |x: &[X]| values(x).iter().map(|x| x * gain.to_double()).collect();
        function(about, move |level, x: &[X], out: &mut [X]| scale_with(level, x, gain, out), reference)
    }
    std::vec![
        case::<f32>((5e-8, 148.0)),
        case::<f64>(crate::testing::EXACT),
        case::<Complex<f32>>((5e-8, 148.0)),
        case::<Complex<f64>>(crate::testing::EXACT),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_multiplied_apart_so_that_infinity_stays_in_its_part() {
        let mut y = [Complex::default(); 2];
        scale(&[Complex::new(f32::INFINITY, 1.0), Complex::new(f32::from_bits(2), -0.0)], 0.5, &mut y);
        assert_eq!(y, [Complex::new(f32::INFINITY, 0.5), Complex::new(f32::from_bits(1), -0.0)]);
    }
}
