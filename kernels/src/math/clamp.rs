//! Limits.

use super::map::{Function, pointwise};

pointwise! {
    /// Limits each sample to `low..=high` and returns how many.
    ///
    /// Takes as many samples as both slices hold. `high` prevails where it is below `low`, as in
    /// NumPy's `clip`.
    ///
    /// * **Accuracy**: exact. The same bits at every level and on every target.
    /// * **NaN and infinity**: NaN gives NaN; infinities are limited. A limit that is NaN is none.
    /// * **Cost**: two comparisons per sample; no allocation.
    ///
    /// ```
    /// use passband_kernels::math::clamp;
    ///
    /// let mut y = [0.0; 3];
    /// assert_eq!(clamp(&[-2.0f32, 0.25, 7.0], -1.0, 1.0, &mut y), 3);
    /// assert_eq!(y, [-1.0, 0.25, 1.0]);
    /// ```
    clamp, clamp_with(low, high) of Clamp: [f32 => f32, f64 => f64] Limits { low, high }
}

struct Limits<T> {
    low: T,
    high: T,
}

macro_rules! limits {
    ($($t:ty)*) => {$(
        impl Function<$t> for Limits<$t> {
            type Output = $t;

            // Unlike `f32::clamp`, which panics where there is nothing between the limits.
            #[allow(clippy::manual_clamp)]
            #[inline(always)]
            fn apply(&self, x: $t) -> $t {
                let x = if x < self.low { self.low } else { x };
                if x > self.high { self.high } else { x }
            }
        }
    )*};
}
limits!(f32 f64);

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::about;
    use crate::testing::{Case, EXACT, Random, function};
    fn case<X: Clamp<Output = X> + Random>() -> Case
    where
        X::Component: crate::sample::Float<Double = f64>,
    {
        use crate::sample::Float;
        let [low, high] = [-0.5, 0.25].map(X::Component::from_double);
        let about = about::<X, X>("clamp", "limits", 2.0, EXACT);
        let reference = |x: &[X]| x.iter().map(|x| x.parts()[0].clamp(-0.5, 0.25)).collect();
        function(about, move |level, x: &[X], y: &mut [X]| clamp_with(level, x, low, high, y), reference)
    }
    std::vec![case::<f32>(), case::<f64>()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_passes_and_a_limit_that_is_nan_is_none() {
        let mut y = [0.0f32; 4];
        clamp(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0], -2.0, 3.0, &mut y);
        assert!(y[0].is_nan());
        assert_eq!(y[1..3], [3.0, -2.0]);
        assert!(y[3].is_sign_negative());
        clamp(&[-7.0f32; 4], f32::NAN, 3.0, &mut y);
        assert_eq!(y, [-7.0; 4]);
        clamp(&[0.0f32; 4], 3.0, -2.0, &mut y);
        assert_eq!(y, [-2.0; 4]);
    }
}
