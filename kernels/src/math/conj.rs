//! The complex conjugate.

use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Takes the complex conjugate of each sample, `out[n] = re - j im`, and returns how many.
    ///
    /// Takes as many samples as both slices hold.
    ///
    /// * **Accuracy**: exact. The same bits at every level and on every target.
    /// * **NaN and infinity**: the sign of the imaginary part turns, also of zero.
    /// * **Cost**: one operation per sample; no allocation.
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::conj;
    ///
    /// let mut y = [Complex::default()];
    /// assert_eq!(conj(&[Complex::new(3.0f32, -4.0)], &mut y), 1);
    /// assert_eq!(y, [Complex::new(3.0, 4.0)]);
    /// ```
    conj, conj_with() of Conj: [Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>] Conjugate
}

struct Conjugate;

macro_rules! conjugates {
    ($($t:ty)*) => {$(
        impl Function<Complex<$t>> for Conjugate {
            type Output = Complex<$t>;

            #[inline(always)]
            fn apply(&self, x: Complex<$t>) -> Complex<$t> {
                x.conj()
            }
        }
    )*};
}
conjugates!(f32 f64);

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::about;
    use crate::testing::{Case, EXACT, Random, function};
    fn case<X: Conj<Output = X> + Random>() -> Case {
        let reference = |x: &[X]| x.iter().map(|x| x.parts()).flat_map(|[re, im]| [re, -im]).collect();
        function(about::<X, X>("conj", "complex conjugate", 1.0, EXACT), conj_with::<X>, reference)
    }
    std::vec![case::<Complex<f32>>(), case::<Complex<f64>>()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_of_a_zero_turns() {
        let mut y = [Complex::default()];
        conj(&[Complex::new(-0.0f32, 0.0)], &mut y);
        assert!(y[0].re.is_sign_negative() && y[0].im.is_sign_negative());
    }
}
