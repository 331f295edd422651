//! The square root.

use super::map::{Function, pointwise};

pointwise! {
    /// Takes the square root of each sample and returns how many.
    ///
    /// Takes as many samples as both slices hold.
    ///
    /// * **Accuracy**: correctly rounded, as IEEE 754 asks for, at every level and on every target.
    /// * **NaN and infinity**: samples below zero give NaN, NaN gives NaN, infinity infinity and
    ///   minus zero minus zero. Subnormals are computed as such.
    /// * **Cost**: one square root per sample; no allocation.
    ///
    /// ```
    /// use passband_kernels::math::sqrt;
    ///
    /// let mut y = [0.0; 2];
    /// assert_eq!(sqrt(&[2.25f32, 0.0], &mut y), 2);
    /// assert_eq!(y, [1.5, 0.0]);
    /// ```
    sqrt, sqrt_with() of Sqrt: [f32 => f32, f64 => f64] SquareRoot
}

struct SquareRoot;

impl Function<f32> for SquareRoot {
    type Output = f32;

    #[inline(always)]
    fn apply(&self, x: f32) -> f32 {
        #[cfg(feature = "std")]
        return x.sqrt();
        #[cfg(not(feature = "std"))]
        libm::sqrtf(x)
    }
}

impl Function<f64> for SquareRoot {
    type Output = f64;

    #[inline(always)]
    fn apply(&self, x: f64) -> f64 {
        root(x)
    }
}

/// The square root of one number.
#[inline(always)]
pub(crate) fn root(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    libm::sqrt(x)
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::case;
    use crate::testing::EXACT;
    let summary = "square root";
    std::vec![
        case("sqrt", summary, 1.0, (5e-8, 150.0), sqrt_with::<f32>, |[x, _]| x.sqrt()),
        case("sqrt", summary, 1.0, EXACT, sqrt_with::<f64>, |[x, _]| x.sqrt()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sweep::worst;

    #[test]
    fn results_are_correctly_rounded_over_the_whole_range() {
        assert!(worst(sqrt, f64::sqrt).0 <= 0.5);
    }
}
