//! Products.

use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Multiplies pairs of samples, `out[n] = a[n] b[n]`, and returns how many.
    ///
    /// Takes as many pairs as all three slices hold.
    ///
    /// * **Accuracy**: one rounding; of complex samples three in each part, the error being below
    ///   sqrt(5) 2^-24 `|a b|` in single and sqrt(5) 2^-53 `|a b|` in double precision where nothing
    ///   underflows. The same bits at every level and on every target.
    /// * **NaN and infinity** pass through as IEEE 754 says. Complex samples are multiplied by the
    ///   formula, as NumPy does it: an infinite part times a part that is zero is NaN. Subnormals
    ///   are computed as such.
    /// * **Cost**: one operation per real and six per complex sample; no allocation.
    ///
    /// R. Brent, C. Percival and P. Zimmermann, *Error bounds on complex floating-point
    /// multiplication*, Math. Comp. 76 (2007).
    ///
    /// ```
    /// use num_complex::Complex;
    /// use passband_kernels::math::mul;
    ///
    /// let mut products = [Complex::default()];
    /// assert_eq!(mul(&[Complex::new(3.0f32, -4.0)], &[Complex::new(0.0, 2.0)], &mut products), 1);
    /// assert_eq!(products, [Complex::new(8.0, 6.0)]);
    /// ```
    mul, mul_with[a, b]() of Mul: [
        f32 => f32, f64 => f64, Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>
    ] Product
}

struct Product;

impl<T: core::ops::Mul<Output = T>> Function<(T, T)> for Product {
    type Output = T;

    #[inline(always)]
    fn apply(&self, (a, b): (T, T)) -> T {
        a * b
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use super::map::about_several;
    use crate::testing::{Case, EXACT, Random, float_bounds, function_of_two, products};
    fn case<X: Mul<Output = X> + Random>(bounds: (f64, f64)) -> Case {
        let flops = if X::COMPONENTS == 1 { 1.0 } else { 6.0 };
        function_of_two(about_several::<X>("mul", "products", 2, flops, bounds), mul_with::<X>, products)
    }
    std::vec![
        case::<f32>(float_bounds::<f32>(0.5, 150.0)),
        case::<f64>(EXACT),
        case::<Complex<f32>>(float_bounds::<f32>(2.0, 148.0)),
        case::<Complex<f64>>(float_bounds::<f64>(2.0, 148.0)),
    ]
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::testing::signal;

    #[test]
    fn complex_products_are_those_of_the_formula() {
        const INF: f64 = f64::INFINITY;
        let one = |a: (f64, f64), b: (f64, f64)| {
            let mut y = [Complex::default()];
            assert_eq!(mul(&[Complex::new(a.0, a.1)], &[Complex::new(b.0, b.1)], &mut y), 1);
            y[0]
        };
        assert_eq!(one((1.5, 2.0), (-3.0, 0.5)), Complex::new(-5.5, -5.25));
        assert_eq!(one((INF, 1.0), (2.0, 1.0)), Complex::new(INF, INF));
        let y = one((INF, 1.0), (1.0, 0.0));
        assert!(y.re == INF && y.im.is_nan());
        assert!(one((INF, INF), (1.0, 1.0)).re.is_nan());
        assert!(one((f64::NAN, 0.0), (1.0, 0.0)).im.is_nan());
    }

    #[test]
    fn the_error_of_complex_products_is_below_its_bound() {
        let n = if cfg!(miri) { 500 } else { 100_000 };
        let (a, b) = (signal::<Complex<f32>>(1, n), signal::<Complex<f32>>(2, n));
        let mut y = std::vec![Complex::default(); n];
        mul(&a, &b, &mut y);
        let double = |x: Complex<f32>| Complex::new(f64::from(x.re), f64::from(x.im));
        let relative = |((a, b), y): ((&Complex<f32>, &Complex<f32>), &Complex<f32>)| {
            let exact = double(*a) * double(*b);
            ((double(*y) - exact).norm_sqr() / exact.norm_sqr()).sqrt()
        };
        let worst = a.iter().zip(&b).zip(&y).map(relative).fold(0.0, f64::max);
        std::println!("mul: {worst:.3e}");
        assert!(worst < 5f64.sqrt() * 2f64.powi(-24));
    }
}
