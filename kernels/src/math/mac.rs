//! Products added to what is there.

use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Multiplies and accumulates, `out[n] = acc[n] + a[n] b[n]`, and returns how many.
    ///
    /// Takes as many samples as all four slices hold.
    ///
    /// * **Accuracy**: the roundings of [`mul`](super::mul) and one of the sum, not fused. The same
    ///   bits at every level and on every target.
    /// * **NaN and infinity** pass through as IEEE 754 says, of complex products as [`mul`](super::mul)
    ///   has it. Subnormals are computed as such.
    /// * **Cost**: two operations per real and eight per complex sample; no allocation.
    ///
    /// ```
    /// use passband_kernels::math::mac;
    ///
    /// let mut y = [0.0; 2];
    /// assert_eq!(mac(&[10.0f32, 20.0], &[1.0, 2.0], &[0.5, -2.0], &mut y), 2);
    /// assert_eq!(y, [10.5, 16.0]);
    /// ```
    mac, mac_with[acc, a, b]() of Mac: [
        f32 => f32, f64 => f64, Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>
    ] MultiplyAdd
}

struct MultiplyAdd;

impl<T: core::ops::Add<Output = T> + core::ops::Mul<Output = T>> Function<(T, (T, T))> for MultiplyAdd {
    type Output = T;

    #[inline(always)]
    fn apply(&self, (acc, (a, b)): (T, (T, T))) -> T {
        acc + a * b
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::about_several;
    use crate::testing::{Case, EXACT, Random, float_bounds, function_of_three, products, values};
    fn case<X: Mac<Output = X> + Random>(bounds: (f64, f64)) -> Case {
        let flops = if X::COMPONENTS == 1 { 2.0 } else { 8.0 };
        let about = about_several::<X>("mac", "products added to a stream", 3, flops, bounds);
        let reference = |acc: &[X], a: &[X], b: &[X]| {
            values(acc).iter().zip(products(a, b)).map(|(acc, product)| acc + product).collect()
        };
        function_of_three(about, mac_with::<X>, reference)
    }
    std::vec![
        case::<f32>(float_bounds::<f32>(2.0, 148.0)),
        case::<f64>(EXACT),
        case::<Complex<f32>>(float_bounds::<f32>(4.0, 147.0)),
        case::<Complex<f64>>(float_bounds::<f64>(4.0, 147.0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_rounded_before_they_are_added() {
        // 1 - (1 - e)(1 + e) is e^2 where nothing is rounded in between.
        let e = f32::EPSILON;
        for level in crate::SimdLevel::available() {
            let mut y = [1.0f32; 40];
            mac_with(level, &[-1.0; 40], &[1.0 - e; 40], &[1.0 + e; 40], &mut y);
            assert_eq!(y, [0.0; 40], "{level}");
        }
    }

    #[test]
    fn each_slice_has_its_place_and_the_shortest_counts() {
        let complex = |re: f64, im: f64| Complex::new(re, im);
        let mut y = [complex(7.0, 7.0); 3];
        let n = mac(&[complex(1.0, 2.0); 4], &[complex(0.0, 3.0); 2], &[complex(5.0, -1.0); 3], &mut y);
        assert_eq!((n, y), (2, [complex(4.0, 17.0), complex(4.0, 17.0), complex(7.0, 7.0)]));
    }
}
