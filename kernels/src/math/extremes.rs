//! The least and the largest sample, and where they are.

use crate::sample::Sample;
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};

/// A sample type with an order: `f32` and `f64`.
pub trait Ordered: Sample + PartialOrd {
    #[doc(hidden)]
    fn extreme(level: SimdLevel, x: &[Self], largest: bool) -> Option<Self>;
    #[doc(hidden)]
    fn position(level: SimdLevel, x: &[Self], value: Self) -> Option<usize>;
}

macro_rules! extremes {
    ($(
        $(#[$doc:meta])*
        $value:ident, $value_with:ident, $position:ident, $position_with:ident: $largest:literal,
        $example:literal, $example_at:literal;
    )*) => {$(
        $(#[$doc])*
        ///
        /// Of zeros of both signs the negative one is less.
        ///
        /// * **Accuracy**: exact. The same bits at every level and on every target.
        /// * **NaN**: any gives NaN, as in NumPy.
        /// * **Cost**: three operations per sample; no allocation.
        ///
        /// ```
        #[doc = concat!("use passband_kernels::math::", stringify!($value), ";")]
        ///
        #[doc = concat!("assert_eq!(", stringify!($value), $example)]
        /// ```
        #[must_use]
        pub fn $value<X: Ordered>(x: &[X]) -> Option<X> {
            $value_with(SimdLevel::best(), x)
        }

        #[doc = concat!("[`", stringify!($value), "`] at a level.")]
        #[must_use]
        pub fn $value_with<X: Ordered>(level: SimdLevel, x: &[X]) -> Option<X> {
            X::extreme(level, x, $largest)
        }

        #[doc = concat!("Where [`", stringify!($value), "`] is found first; `None` of none.")]
        ///
        /// The first NaN where there is one, as in NumPy; zeros of both signs are the same.
        ///
        /// ```
        #[doc = concat!("use passband_kernels::math::", stringify!($position), ";")]
        ///
        #[doc = concat!("assert_eq!(", stringify!($position), $example_at)]
        /// ```
        #[must_use]
        pub fn $position<X: Ordered>(x: &[X]) -> Option<usize> {
            $position_with(SimdLevel::best(), x)
        }

        #[doc = concat!("[`", stringify!($position), "`] at a level.")]
        #[must_use]
        pub fn $position_with<X: Ordered>(level: SimdLevel, x: &[X]) -> Option<usize> {
            X::position(level, x, $value_with(level, x)?)
        }
    )*};
}

extremes! {
    /// The least sample; `None` of none.
    min, min_with, argmin, argmin_with: false,
        "(&[2.0f32, -1.0, 5.0]), Some(-1.0));", "(&[2.0f32, -1.0, 5.0]), Some(1));";
    /// The largest sample; `None` of none.
    max, max_with, argmax, argmax_with: true,
        "(&[2.0f32, -1.0, 5.0]), Some(5.0));", "(&[2.0f32, -1.0, 5.0]), Some(2));";
}

/// So many candidates side by side that no comparison waits for the one before.
const LANES: usize = 64;

/// The extreme of a slice, which is not empty and starts with `first`.
struct Extreme<'a, T> {
    x: &'a [T],
    first: T,
    largest: bool,
}

/// The index of the first sample that is `value`.
struct Position<'a, T> {
    x: &'a [T],
    value: T,
}

macro_rules! ordered {
    ($($t:ident)*) => {$(
        impl Ordered for $t {
            fn extreme(level: SimdLevel, x: &[Self], largest: bool) -> Option<Self> {
                let first = *x.first()?;
                let found = level.run::<f32, _>(Extreme { x, first, largest });
                if found != 0.0 {
                    return Some(found);
                }
                // Comparisons do not tell zeros apart.
                let wanted = |x: &Self| *x == 0.0 && x.is_sign_positive() == largest;
                let zero: Self = if x.iter().any(wanted) == largest { 0.0 } else { -0.0 };
                Some(zero)
            }

            fn position(level: SimdLevel, x: &[Self], value: Self) -> Option<usize> {
                level.run::<f32, _>(Position { x, value })
            }
        }

        impl Body<f32> for Extreme<'_, $t> {
            type Output = $t;

            #[inline(always)]
            fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> $t {
                if self.largest { self.find::<true>() } else { self.find::<false>() }
            }
        }

        impl Extreme<'_, $t> {
            #[inline(always)]
            fn find<const LARGEST: bool>(self) -> $t {
                // NaN is beyond every number, and nothing is beyond NaN.
                let beyond = |x: $t, best: $t| (if LARGEST { x > best } else { x < best }) | x.is_nan();
                let mut best = [self.first; LANES];
                let (rows, rest) = self.x.as_chunks::<LANES>();
                for row in rows {
                    for lane in 0..LANES {
                        best[lane] = if beyond(row[lane], best[lane]) { row[lane] } else { best[lane] };
                    }
                }
                let mut all = self.first;
                for x in best.iter().chain(rest) {
                    all = if beyond(*x, all) { *x } else { all };
                }
                all
            }
        }

        impl Body<f32> for Position<'_, $t> {
            type Output = Option<usize>;

            #[inline(always)]
            fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> Option<usize> {
                let nan = self.value.is_nan();
                let is_it = |x: $t| (x == self.value) | (nan & x.is_nan());
                for (row, block) in self.x.chunks(LANES).enumerate() {
                    let mut any = false;
                    for x in block {
                        any |= is_it(*x);
                    }
                    if any {
                        let within = block.iter().position(|x| is_it(*x));
                        return within.map(|within| row * LANES + within);
                    }
                }
                None
            }
        }
    )*};
}
ordered!(f32 f64);

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    [of::<f32>(), of::<f64>()].into_iter().flatten().collect()
}

#[cfg(feature = "testing")]
fn of<X: Ordered + crate::testing::Random>() -> [crate::testing::Case; 4] {
    use super::map::about;
    use crate::testing::{EXACT, value, values};
    let best = |x: &[X], sign: f64| values(x).into_iter().map(|x| sign * x).reduce(f64::max);
    let at = move |x: &[X], sign| {
        let value = best(x, sign)?;
        values(x).iter().position(|x| sign * x == value)
    };
    let about = |kernel, summary| about::<X, ()>(kernel, summary, 3.0, EXACT);
    let number = |x: Option<X>| x.map_or(f64::NAN, |x| x.parts()[0]);
    let index = |at: Option<usize>| at.map_or(-1, |at| at as i64);
    let places = move |at: Option<usize>| crate::testing::Value::parts(index(at));
    [
        value(
            about("min", "least sample"),
            move |l, x: &[X]| number(min_with(l, x)),
            move |x| std::vec![best(x, -1.0).map_or(f64::NAN, |x| -x)],
        ),
        value(
            about("max", "largest sample"),
            move |l, x: &[X]| number(max_with(l, x)),
            move |x| std::vec![best(x, 1.0).unwrap_or(f64::NAN)],
        ),
        value(
            about("argmin", "index of the least sample"),
            move |l, x: &[X]| index(argmin_with(l, x)),
            move |x| places(at(x, -1.0)),
        ),
        value(
            about("argmax", "index of the largest sample"),
            move |l, x: &[X]| index(argmax_with(l, x)),
            move |x| places(at(x, 1.0)),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn the_first_nan_wins_wherever_it_is() {
        for at in [0, 1, 63, 64, 65, 127, 199] {
            let mut x = vec![1.0f32; 200];
            x[at] = f32::NAN;
            x[199] = f32::NAN;
            assert!(min(&x).unwrap().is_nan() && max(&x).unwrap().is_nan());
            assert_eq!((argmin(&x), argmax(&x)), (Some(at), Some(at)));
        }
    }

    #[test]
    fn zeros_have_their_order_and_places_do_not_tell_them_apart() {
        for x in [[-0.0, 0.0], [0.0, -0.0f64]] {
            assert!(min(&x).unwrap().is_sign_negative() && max(&x).unwrap().is_sign_positive());
            assert_eq!((argmin(&x), argmax(&x)), (Some(0), Some(0)));
        }
        assert!(max(&[-0.0f32, -1.0]).unwrap().is_sign_negative());
        assert!(min(&[0.0f32, 1.0]).unwrap().is_sign_positive());
    }

    #[test]
    fn nothing_has_no_extremes_and_the_first_of_equals_counts() {
        assert_eq!((min::<f32>(&[]), argmax::<f64>(&[])), (None, None));
        let mut x = vec![0.5f32; 300];
        assert_eq!((argmin(&x), argmax(&x)), (Some(0), Some(0)));
        (x[70], x[299]) = (f32::INFINITY, f32::INFINITY);
        assert_eq!((max(&x), argmax(&x)), (Some(f32::INFINITY), Some(70)));
    }
}
