//! Dot products.

#[cfg(feature = "testing")]
mod cases;
mod products;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::{Float, Sample};
use crate::simd::SimdLevel;
use num_complex::Complex;
use products::Products;

/// A sample type that has dot products: `f32`, `f64` and `Complex` of them.
pub trait Dot: Sample {
    #[doc(hidden)]
    fn dot(level: SimdLevel, a: &[Self], b: &[Self], conjugating: bool) -> Self;
}

/// Gives the dot product of two slices, `sum a[n] b[n]`, over the shorter length; 0 of none.
///
/// Complex samples are not conjugated; [`vdot`] does that.
///
/// * **Order**: products of components are added in 16 lanes, component `n` in lane `n mod 16`, in
///   double precision; after 64 additions each lane goes into a compensated sum.
/// * **Accuracy**: within one rounding of the result and 1e-14 of `sum |a[n]| |b[n]|`, however many
///   samples there are. The same bits at every level and on every target.
/// * **NaN and infinity**: NaN gives NaN, infinity infinity, infinities of both signs NaN, as does
///   infinity times zero. A sum of `f64` whose parts are beyond its range is not finite.
/// * **Cost**: two operations per real and eight per complex sample; no allocation.
///
/// A. Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*, ZAMM 54
/// (1974).
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::math::dot;
///
/// assert_eq!(dot(&[1.0f32, 2.0, 3.0], &[0.5, -1.0, 2.0]), 4.5);
/// let j = Complex::new(0.0, 1.0);
/// assert_eq!(dot(&[j, j], &[j, j]), Complex::new(-2.0, 0.0));
/// ```
#[must_use]
pub fn dot<X: Dot>(a: &[X], b: &[X]) -> X {
    dot_with(SimdLevel::best(), a, b)
}

/// [`dot`] at a level.
#[must_use]
pub fn dot_with<X: Dot>(level: SimdLevel, a: &[X], b: &[X]) -> X {
    X::dot(level, a, b, false)
}

/// Gives the dot product of the conjugate of a slice with another, `sum conj(a[n]) b[n]`, over the
/// shorter length; 0 of none.
///
/// Of real samples that is [`dot`]; of a slice with itself it is the energy. Order, accuracy, NaN
/// and cost are those of [`dot`].
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::math::vdot;
///
/// let x = [Complex::new(3.0f32, -4.0); 2];
/// assert_eq!(vdot(&x, &x), Complex::new(50.0, 0.0));
/// ```
#[must_use]
pub fn vdot<X: Dot>(a: &[X], b: &[X]) -> X {
    vdot_with(SimdLevel::best(), a, b)
}

/// [`vdot`] at a level.
#[must_use]
pub fn vdot_with<X: Dot>(level: SimdLevel, a: &[X], b: &[X]) -> X {
    X::dot(level, a, b, true)
}

macro_rules! dots {
    ($($t:ty)*) => {$(
        impl Dot for $t {
            fn dot(level: SimdLevel, a: &[Self], b: &[Self], _: bool) -> Self {
                let [[even, odd]] = level.run::<f64, _>(Products::<_, 1> { a, b });
                Self::from_double(even + odd)
            }
        }

        impl Dot for Complex<$t> {
            fn dot(level: SimdLevel, a: &[Self], b: &[Self], conjugating: bool) -> Self {
                let (a, b) = (Self::components(a), Self::components(b));
                let [[rr, ii], [ri, ir]] = level.run::<f64, _>(Products::<_, 2> { a, b });
                Self::from_double(if conjugating {
                    Complex::new(rr + ii, ri - ir)
                } else {
                    Complex::new(rr - ii, ri + ir)
                })
            }
        }
    )*};
}
dots!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn what_cancels_is_not_lost() {
        // Products of single precision are exact.
        assert_eq!(dot(&[1e8f32, 1.0, -1e8, 0.5], &[1e8, 1.0, 1e8, 2.0]), 2.0);
        // A block between blocks that cancel, and beside whose sums it is nothing.
        let (large, block) = (if cfg!(miri) { 4096 } else { 1 << 19 }, 1024);
        let x: Vec<f64> =
            [(1e20, large), (1.0, block), (-1e20, large)].iter().flat_map(|(x, n)| vec![*x; *n]).collect();
        assert_eq!(dot(&x, &vec![1.0; x.len()]), block as f64);
    }

    #[test]
    fn many_samples_neither_stagnate_nor_drift() {
        let x = vec![0.1f32; if cfg!(miri) { 100 } else { 20_000_000 }];
        let exact = f64::from(0.1f32).powi(2) * x.len() as f64;
        assert_eq!(dot(&x, &x), exact as f32);
    }

    #[test]
    fn complex_samples_are_conjugated_by_one_of_the_two() {
        let (a, b) = (Complex::new(1.0f64, 2.0), Complex::new(-3.0, 0.5));
        for n in [1, 7, 8, 9, 33] {
            let (x, y, n) = (vec![a; n], vec![b; n], n as f64);
            assert_eq!((dot(&x, &y), vdot(&x, &y)), (a * b * n, a.conj() * b * n));
        }
        assert_eq!((vdot(&[2.0f32, -1.0], &[3.0, 5.0]), dot::<Complex<f32>>(&[], &[])), (1.0, Complex::ZERO));
    }

    #[test]
    fn the_shorter_slice_counts_whatever_lies_behind() {
        for n in 0..40 {
            let (mut long, short) = (vec![1.0f32; 100], vec![2.0; n]);
            long[n..].fill(f32::NAN);
            assert_eq!([dot(&long, &short), dot(&short, &long)], [2.0 * n as f32; 2]);
        }
    }

    #[test]
    fn infinity_passes_and_nan_spoils() {
        const INF: f64 = f64::INFINITY;
        assert_eq!((dot(&[1.0, INF], &[1.0, -2.0]), dot(&[1e200; 2], &[1e200; 2])), (-INF, INF));
        for (a, b) in [([INF, 1.0], [0.0, 1.0]), ([INF, INF], [1.0, -1.0]), ([f64::NAN, 1.0], [0.0, 1.0])] {
            assert!(dot(&a, &b).is_nan() && vdot(&a, &b).is_nan());
        }
        let y = dot(&[Complex::new(INF, 1.0)], &[Complex::new(1.0, 2.0)]);
        assert_eq!((y.re, y.im), (INF, INF));
        assert_eq!(dot(&[3e38f32; 2], &[3e38, -3e38]), 0.0);
    }
}
