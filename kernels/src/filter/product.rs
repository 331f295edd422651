//! How samples and taps multiply, over interleaved components.

use crate::sample::Sample;
use crate::simd::Lanes;
use core::ops::{Add, Neg, Sub};
use num_complex::Complex;

/// Hands each pairing of samples and taps to a macro: the types of a sample, a tap and an output, of
/// their components, and of the product.
macro_rules! each_pairing {
    ($then:ident) => {
        $then! {
            f32, f32 => f32: f32, $crate::filter::product::RealTaps<1>;
            f64, f64 => f64: f64, $crate::filter::product::RealTaps<1>;
            num_complex::Complex<f32>, f32
                => num_complex::Complex<f32>: f32, $crate::filter::product::RealTaps<2>;
            num_complex::Complex<f64>, f64
                => num_complex::Complex<f64>: f64, $crate::filter::product::RealTaps<2>;
            num_complex::Complex<f32>, num_complex::Complex<f32>
                => num_complex::Complex<f32>: f32, $crate::filter::product::ComplexTaps;
            num_complex::Complex<f64>, num_complex::Complex<f64>
                => num_complex::Complex<f64>: f64, $crate::filter::product::ComplexTaps;
            f32, num_complex::Complex<f32>
                => num_complex::Complex<f32>: f32, $crate::filter::product::ComplexTapsOfReal;
            f64, num_complex::Complex<f64>
                => num_complex::Complex<f64>: f64, $crate::filter::product::ComplexTapsOfReal;
        }
    };
}
pub(crate) use each_pairing;

/// One pairing of real or complex samples with real or complex taps.
pub(crate) trait Product<T: Sample> {
    type Tap: Copy;
    /// Components per input sample.
    const STRIDE: usize;
    /// Vectors of sums per vector of input.
    const SUMS: usize;
    /// The components of one output.
    type Output: Copy + AsRef<[T]>;
    /// A tap in registers.
    type Coefficient<S: Lanes<T>>: Copy;
    /// The sums over one vector of input.
    type Sum<S: Lanes<T>>: Copy;
    /// The output components of one [`Self::Sum`].
    type Block<S: Lanes<T>>: Copy;

    fn coefficient<S: Lanes<T>>(s: S, tap: Self::Tap) -> Self::Coefficient<S>;
    /// The next `count` taps, at most a vector's width of them, and zeros, as they meet the next `V`
    /// vectors of input; what follows the taps may be anything.
    fn coefficients<S: Lanes<T>, const V: usize>(
        s: S,
        taps: &[Self::Tap],
        count: usize,
    ) -> [Self::Coefficient<S>; V];
    fn zero<S: Lanes<T>>(s: S) -> Self::Sum<S>;
    fn mul_add<S: Lanes<T>>(s: S, c: Self::Coefficient<S>, x: S::Vector, sum: Self::Sum<S>) -> Self::Sum<S>;
    fn store<S: Lanes<T>>(s: S, sum: Self::Sum<S>) -> Self::Block<S>;
    fn blocks_mut<S: Lanes<T>>(out: &mut [T]) -> (&mut [Self::Block<S>], &mut [T]);
    /// Outputs: the lanes of each sum added up, in the order of [`totals`].
    fn totals<S: Lanes<T>, const R: usize>(s: S, sums: &[Self::Sum<S>; R]) -> [Self::Output; R];
    /// Copies the start of a block.
    fn copy_start<S: Lanes<T>>(block: &Self::Block<S>, out: &mut [T]);
}

/// Real taps on real (`STRIDE` 1) or complex (2) samples.
pub(crate) struct RealTaps<const STRIDE: usize>;
/// Complex taps on complex samples: two sums, joined at the end.
pub(crate) struct ComplexTaps;
/// Complex taps on real samples: two sums, interleaved at the end.
pub(crate) struct ComplexTapsOfReal;

impl<T: Sample + Add<Output = T>, const STRIDE: usize> Product<T> for RealTaps<STRIDE> {
    type Tap = T;
    type Output = [T; STRIDE];
    const STRIDE: usize = STRIDE;
    const SUMS: usize = 1;
    type Coefficient<S: Lanes<T>> = S::Vector;
    type Sum<S: Lanes<T>> = S::Vector;
    type Block<S: Lanes<T>> = S::Array;

    #[inline(always)]
    fn coefficient<S: Lanes<T>>(s: S, tap: T) -> S::Vector {
        s.splat(tap)
    }
    #[inline(always)]
    fn coefficients<S: Lanes<T>, const V: usize>(s: S, taps: &[T], count: usize) -> [S::Vector; V] {
        repeat::<T, S, V>(s, load_first(s, taps, count))
    }
    #[inline(always)]
    fn zero<S: Lanes<T>>(s: S) -> S::Vector {
        s.splat(T::ZERO)
    }
    #[inline(always)]
    fn mul_add<S: Lanes<T>>(s: S, c: S::Vector, x: S::Vector, sum: S::Vector) -> S::Vector {
        s.mul_add(c, x, sum)
    }
    #[inline(always)]
    fn store<S: Lanes<T>>(s: S, sum: S::Vector) -> S::Array {
        let mut block = S::zeroed();
        s.store(&mut block, sum);
        block
    }
    #[inline(always)]
    fn totals<S: Lanes<T>, const R: usize>(s: S, sums: &[S::Vector; R]) -> [[T; STRIDE]; R] {
        totals(s, *sums)
    }
    #[inline(always)]
    fn blocks_mut<S: Lanes<T>>(out: &mut [T]) -> (&mut [S::Array], &mut [T]) {
        S::arrays_mut(out)
    }
    #[inline(always)]
    fn copy_start<S: Lanes<T>>(block: &S::Array, out: &mut [T]) {
        out.iter_mut().zip(block.as_ref()).for_each(|(to, from)| *to = *from);
    }
}

/// A vector of the first values; zeros where there are fewer.
#[inline(always)]
pub(crate) fn load<T: Sample, S: Lanes<T>>(s: S, values: &[T]) -> S::Vector {
    match S::arrays(values) {
        [array, ..] => s.load(array),
        [] => s.load(&S::partial(values)),
    }
}

/// A vector of the first `count` values and zeros; what follows the values may be anything, infinity
/// included.
#[inline(always)]
pub(crate) fn load_first<T: Sample, S: Lanes<T>>(s: S, values: &[T], count: usize) -> S::Vector {
    match S::arrays(values) {
        [array, ..] => {
            // Becomes a load under a mask, where copying so many would be a loop and a stall.
            let mut array = *array;
            for (i, value) in array.as_mut().iter_mut().enumerate() {
                *value = if i < count { *value } else { T::ZERO };
            }
            s.load(&array)
        }
        [] => s.load(&S::partial(values.get(..count).unwrap_or(values))),
    }
}

/// Each element of `v` as often as a sample has components, over `V` vectors.
#[inline(always)]
pub(crate) fn repeat<T: Sample, S: Lanes<T>, const V: usize>(s: S, v: S::Vector) -> [S::Vector; V] {
    let twice = s.interleave(v, v);
    core::array::from_fn(|i| if V == 1 { v } else { twice[i] })
}

/// The lanes of each vector added up to `N` components, halving until so many are left.
///
/// Vectors are halved two at a time, interleaved, which takes a shuffle for both; the order of
/// additions is that of halving one alone.
#[inline(always)]
fn totals<T, S, const R: usize, const N: usize>(s: S, mut v: [S::Vector; R]) -> [[T; N]; R]
where
    T: Sample + Add<Output = T>,
    S: Lanes<T>,
{
    // Vectors left, and sums in each.
    let (mut count, mut group) = (R, 1);
    while count > 1 && S::WIDTH >= 2 * N * group {
        count /= 2;
        group *= 2;
        for i in 0..count {
            let [low, high] = s.interleave(v[i], v[i + count]);
            v[i] = s.add(low, high);
        }
    }
    let mut out = [[T::ZERO; N]; R];
    for i in 0..count {
        let mut array = S::zeroed();
        s.store(&mut array, v[i]);
        let mut half = S::WIDTH / 2;
        while half >= N * group {
            let (low, high) = array.as_mut().split_at_mut_checked(half).unwrap_or_default();
            low.iter_mut().zip(high).for_each(|(low, high)| *low = *low + *high);
            half /= 2;
        }
        for (j, part) in array.as_ref().chunks_exact(group).take(N).enumerate() {
            for (o, total) in part.iter().enumerate() {
                out[i + count * o][j] = *total;
            }
        }
    }
    out
}

/// The first and the second vectors of pairs.
#[inline(always)]
fn unzip<V: Copy, const R: usize>(pairs: &[(V, V); R]) -> ([V; R], [V; R]) {
    let (mut a, mut b) = ([pairs[0].0; R], [pairs[0].1; R]);
    for i in 1..R {
        (a[i], b[i]) = pairs[i];
    }
    (a, b)
}

/// The sums `(re taps * x, im taps * x)` of a vector.
macro_rules! two_sums {
    () => {
        const SUMS: usize = 2;
        type Coefficient<S: Lanes<T>> = (S::Vector, S::Vector);
        type Sum<S: Lanes<T>> = (S::Vector, S::Vector);

        #[inline(always)]
        fn coefficient<S: Lanes<T>>(s: S, tap: Complex<T>) -> Self::Coefficient<S> {
            (s.splat(tap.re), s.splat(tap.im))
        }
        #[inline(always)]
        fn coefficients<S: Lanes<T>, const V: usize>(
            s: S,
            taps: &[Complex<T>],
            count: usize,
        ) -> [Self::Coefficient<S>; V] {
            let low: &[T] = bytemuck::must_cast_slice(taps);
            let (high, count) = (low.get(S::WIDTH..).unwrap_or(&[]), 2 * count);
            let (low, high) =
                (load_first(s, low, count), load_first(s, high, count.saturating_sub(S::WIDTH)));
            let [re, im] = s.deinterleave(low, high);
            let (re, im) = (repeat::<T, S, V>(s, re), repeat::<T, S, V>(s, im));
            core::array::from_fn(|i| (re[i], im[i]))
        }
        #[inline(always)]
        fn zero<S: Lanes<T>>(s: S) -> Self::Sum<S> {
            (s.splat(T::ZERO), s.splat(T::ZERO))
        }
        #[inline(always)]
        fn mul_add<S: Lanes<T>>(
            s: S,
            c: Self::Coefficient<S>,
            x: S::Vector,
            sum: Self::Sum<S>,
        ) -> Self::Sum<S> {
            (s.mul_add(c.0, x, sum.0), s.mul_add(c.1, x, sum.1))
        }
    };
}

impl<T> Product<T> for ComplexTaps
where
    T: Sample + Add<Output = T> + Sub<Output = T> + Neg<Output = T> + From<i8>,
{
    type Tap = Complex<T>;
    type Output = [T; 2];
    const STRIDE: usize = 2;
    two_sums!();
    type Block<S: Lanes<T>> = S::Array;

    #[inline(always)]
    fn store<S: Lanes<T>>(s: S, (a, b): Self::Sum<S>) -> S::Array {
        // j times b: the parts swapped, the new real part negative.
        let [re, im] = s.deinterleave(b, b);
        let [turned, _] = s.interleave(s.mul_add(im, s.splat(T::from(-1)), s.splat(-T::ZERO)), re);
        let mut block = S::zeroed();
        s.store(&mut block, s.add(a, turned));
        block
    }
    #[inline(always)]
    fn totals<S: Lanes<T>, const R: usize>(s: S, sums: &[Self::Sum<S>; R]) -> [[T; 2]; R] {
        let (a, b) = unzip::<S::Vector, R>(sums);
        let (mut re_taps, im_taps): ([[T; 2]; R], [[T; 2]; R]) = (totals(s, a), totals(s, b));
        for ([re, im], [x, y]) in re_taps.iter_mut().zip(im_taps) {
            (*re, *im) = (*re - y, *im + x);
        }
        re_taps
    }
    #[inline(always)]
    fn blocks_mut<S: Lanes<T>>(out: &mut [T]) -> (&mut [S::Array], &mut [T]) {
        S::arrays_mut(out)
    }
    #[inline(always)]
    fn copy_start<S: Lanes<T>>(block: &S::Array, out: &mut [T]) {
        out.iter_mut().zip(block.as_ref()).for_each(|(to, from)| *to = *from);
    }
}

impl<T: Sample + Add<Output = T>> Product<T> for ComplexTapsOfReal {
    type Tap = Complex<T>;
    type Output = [T; 2];
    const STRIDE: usize = 1;
    two_sums!();
    type Block<S: Lanes<T>> = [S::Array; 2];

    #[inline(always)]
    fn store<S: Lanes<T>>(s: S, (a, b): Self::Sum<S>) -> [S::Array; 2] {
        let [first, second] = s.interleave(a, b);
        let mut block = [S::zeroed(); 2];
        s.store(&mut block[0], first);
        s.store(&mut block[1], second);
        block
    }
    #[inline(always)]
    fn totals<S: Lanes<T>, const R: usize>(s: S, sums: &[Self::Sum<S>; R]) -> [[T; 2]; R] {
        let (a, b) = unzip::<S::Vector, R>(sums);
        let (re, im): ([[T; 1]; R], [[T; 1]; R]) = (totals(s, a), totals(s, b));
        let mut out = [[T::ZERO; 2]; R];
        for ((out, [re]), [im]) in out.iter_mut().zip(re).zip(im) {
            *out = [re, im];
        }
        out
    }
    #[inline(always)]
    fn blocks_mut<S: Lanes<T>>(out: &mut [T]) -> (&mut [[S::Array; 2]], &mut [T]) {
        let whole = out.len() / (2 * S::WIDTH) * (2 * S::WIDTH);
        let (arrays, rest) = out.split_at_mut_checked(whole).unwrap_or_default();
        (S::arrays_mut(arrays).0.as_chunks_mut().0, rest)
    }
    #[inline(always)]
    fn copy_start<S: Lanes<T>>(block: &[S::Array; 2], out: &mut [T]) {
        out.iter_mut().zip(block.iter().flat_map(AsRef::as_ref)).for_each(|(to, from)| *to = *from);
    }
}
