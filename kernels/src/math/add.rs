//! Sums and differences.

use super::map::{Function, pointwise};
use num_complex::Complex;

pointwise! {
    /// Adds pairs of samples, `out[n] = a[n] + b[n]`, and returns how many.
    ///
    /// Takes as many pairs as all three slices hold.
    ///
    /// * **Accuracy**: one rounding. The same bits at every level and on every target.
    /// * **NaN and infinity** pass through as IEEE 754 says, in each part apart. Subnormals are
    ///   computed as such.
    /// * **Cost**: one operation per component; no allocation.
    ///
    /// ```
    /// use passband_kernels::math::add;
    ///
    /// let mut sums = [0.0; 2];
    /// assert_eq!(add(&[1.0f32, 2.0], &[0.5, -2.0], &mut sums), 2);
    /// assert_eq!(sums, [1.5, 0.0]);
    /// ```
    add, add_with[a, b]() of Add: [
        f32 => f32, f64 => f64, Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>
    ] Sum
}

pointwise! {
    /// Subtracts pairs of samples, `out[n] = a[n] - b[n]`, and returns how many.
    ///
    /// Takes as many pairs as all three slices hold. Accuracy, NaN and cost are those of [`add`].
    ///
    /// ```
    /// use passband_kernels::math::sub;
    ///
    /// let mut differences = [0.0; 2];
    /// assert_eq!(sub(&[1.0f32, 2.0], &[0.5, -2.0], &mut differences), 2);
    /// assert_eq!(differences, [0.5, 4.0]);
    /// ```
    sub, sub_with[a, b]() of Sub: [
        f32 => f32, f64 => f64, Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>
    ] Difference
}

struct Sum;
struct Difference;

impl<T: core::ops::Add<Output = T>> Function<(T, T)> for Sum {
    type Output = T;

    #[inline(always)]
    fn apply(&self, (a, b): (T, T)) -> T {
        a + b
    }
}

impl<T: core::ops::Sub<Output = T>> Function<(T, T)> for Difference {
    type Output = T;

    #[inline(always)]
    fn apply(&self, (a, b): (T, T)) -> T {
        a - b
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::testing::{EXACT, float_bounds};
    let single = float_bounds::<f32>(1.0, 150.0);
    [of::<f32>(single), of::<f64>(EXACT), of::<Complex<f32>>(single), of::<Complex<f64>>(EXACT)]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(feature = "testing")]
fn of<X>(bounds: (f64, f64)) -> [crate::testing::Case; 2]
where
    X: Add<Output = X> + Sub<Output = X> + crate::testing::Random,
{
    use super::map::about_several;
    use crate::testing::{function_of_two, values};
    let about = |kernel, summary| about_several::<X>(kernel, summary, 2, X::COMPONENTS as f64, bounds);
    let reference = |sign: f64| {
        move |a: &[X], b: &[X]| values(a).iter().zip(values(b)).map(|(a, b)| a + sign * b).collect()
    };
    [
        function_of_two(about("add", "sums"), add_with::<X>, reference(1.0)),
        function_of_two(about("sub", "differences"), sub_with::<X>, reference(-1.0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_stays_in_its_part_and_its_sample() {
        const INF: f32 = f32::INFINITY;
        let (a, b) = ([(INF, 1.0), (INF, f32::NAN), (2.0, -0.0)], [(1.0, 2.0), (-INF, 1.0), (-2.0, -0.0)]);
        let [a, b] = [a, b].map(|x| x.map(|(re, im)| Complex::new(re, im)));
        let mut y = [Complex::default(); 3];
        add(&a, &b, &mut y);
        assert_eq!(y[0], Complex::new(INF, 3.0));
        assert!(y[1].re.is_nan() && y[1].im.is_nan());
        assert!(y[2].re.is_sign_positive() && y[2].im.is_sign_negative());
        sub(&a, &b, &mut y);
        assert_eq!((y[1].re, y[2]), (INF, Complex::new(4.0, 0.0)));
    }

    #[test]
    fn the_shortest_slice_counts() {
        let mut y = [7.0f64; 4];
        assert_eq!(add(&[1.0; 3], &[1.0; 2], &mut y), 2);
        assert_eq!(y, [2.0, 2.0, 7.0, 7.0]);
        assert_eq!(sub(&[1.0; 3], &[1.0; 5], &mut y[..1]), 1);
        assert_eq!(y, [0.0, 2.0, 7.0, 7.0]);
    }
}
