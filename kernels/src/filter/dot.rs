//! Dot products with the lanes along the taps, several outputs at a time.
//!
//! Outputs of one tile may share each load of taps. The lanes are summed at the end by halving, in
//! an order that does not depend on where the output stands. Taps that do not fill a vector meet
//! zeros in both operands, so that nothing outside of the window can reach the sum.

use super::product::{Product, load_first};
use crate::sample::Sample;
use crate::simd::{Body, Lanes, Lanes16};
use core::marker::PhantomData;

/// `out[m] = sum taps[k] * window[m * factor + k]`, taps reversed.
pub(crate) struct Dot<'a, P: Product<T>, T: Sample> {
    pub(crate) taps: &'a [P::Tap],
    pub(crate) factor: usize,
    pub(crate) window: &'a [T],
    pub(crate) out: &'a mut [T],
    pub(crate) product: PhantomData<P>,
}

impl<P: Product<E>, E: Sample> Body<E> for Dot<'_, P, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<E> + Lanes16>(self, s: S) {
        // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
        let _ = match (P::SUMS, P::STRIDE) {
            (1, 1) => self.outputs::<S, 8, 1>(s),
            (1, _) => self.outputs::<S, 8, 2>(s),
            (_, 1) => self.outputs::<S, 4, 1>(s),
            (_, _) => self.outputs::<S, 4, 2>(s),
        };
    }
}

impl<P: Product<E>, E: Sample> Dot<'_, P, E> {
    /// `R` outputs per tile, `V` vectors of input per vector of taps.
    #[inline(always)]
    fn outputs<S: Lanes<E>, const R: usize, const V: usize>(self, s: S) -> Option<()> {
        let Self { taps, factor, mut window, out, .. } = self;
        let stride = factor * P::STRIDE;
        let components = size_of::<P::Output>() / size_of::<E>();
        let mut rest = out;
        while rest.len() >= R * components {
            let (here, later) = core::mem::take(&mut rest).split_at_mut_checked(R * components)?;
            let sums = strided::<P, S, E, R, V>(s, taps, window, stride)?;
            write::<P, S, E, R>(s, &sums, here);
            (rest, window) = (later, window.get(R * stride..).unwrap_or(&[]));
        }
        for y in rest.chunks_exact_mut(components) {
            let sums = strided::<P, S, E, 1, V>(s, taps, window, stride)?;
            write::<P, S, E, 1>(s, &sums, y);
            window = window.get(stride..).unwrap_or(&[]);
        }
        Some(())
    }
}

/// Writes the outputs of a tile.
#[inline(always)]
pub(crate) fn write<P: Product<E>, S: Lanes<E>, E: Sample, const R: usize>(
    s: S,
    sums: &[P::Sum<S>; R],
    out: &mut [E],
) {
    let totals = P::totals(s, sums);
    for (y, total) in out.chunks_exact_mut(out.len() / R).zip(&totals) {
        y.iter_mut().zip(total.as_ref()).for_each(|(y, total)| *y = *total);
    }
}

/// One output, `sum taps[k] * window[k]`; nothing where the window is shorter than the taps.
#[inline(always)]
pub(crate) fn dot<P: Product<E>, S: Lanes<E>, E: Sample, const V: usize>(
    s: S,
    taps: &[P::Tap],
    window: &[E],
) -> Option<P::Output> {
    Some(P::totals(s, &strided::<P, S, E, 1, V>(s, taps, window, 0)?)[0])
}

/// The sums of `R` outputs that lie `stride` components apart.
#[inline(always)]
fn strided<P: Product<E>, S: Lanes<E>, E: Sample, const R: usize, const V: usize>(
    s: S,
    taps: &[P::Tap],
    window: &[E],
    stride: usize,
) -> Option<[P::Sum<S>; R]> {
    let mut windows: [&[E]; R] = [&[]; R];
    for (i, x) in windows.iter_mut().enumerate() {
        *x = window.get(i * stride..)?;
    }
    tile::<P, S, E, R, 1, V>(s, [(taps, taps.len())], windows, taps.len())
}

/// The taps of an output and whatever follows them, and how many they are.
pub(crate) type Branch<'a, H> = (&'a [H], usize);

/// The sums of `R` outputs, each over a window of its own, with taps that they share (`T` is 1) or
/// each its own (`T` is `R`); `shortest` is the least number of taps. Windows may go on after the last
/// sample that taps meet.
#[inline(always)]
pub(crate) fn tile<P: Product<E>, S: Lanes<E>, E: Sample, const R: usize, const T: usize, const V: usize>(
    s: S,
    taps: [Branch<'_, P::Tap>; T],
    windows: [&[E]; R],
    shortest: usize,
) -> Option<[P::Sum<S>; R]> {
    let groups = shortest / S::WIDTH;
    // Slices of one length, which the compiler then need not check in the loop.
    let mut hs: [&[P::Tap]; T] = [&[]; T];
    for (h, taps) in hs.iter_mut().zip(&taps) {
        *h = taps.0.get(..groups * S::WIDTH)?;
    }
    let mut xs: [&[[S::Array; V]]; R] = [&[]; R];
    for i in 0..R {
        // A window shorter than its taps.
        windows[i].get(..taps[i % T].1 * P::STRIDE)?;
        xs[i] = S::arrays(windows[i]).as_chunks().0.get(..groups)?;
    }
    let mut sums = [P::zero(s); R];
    for group in 0..groups {
        let range = group * S::WIDTH..(group + 1) * S::WIDTH;
        let mut c = [P::coefficients::<S, V>(s, hs[0].get(range.clone())?, S::WIDTH); T];
        for t in 1..T {
            c[t] = P::coefficients::<S, V>(s, hs[t].get(range.clone())?, S::WIDTH);
        }
        for i in 0..R {
            let x = xs[i].get(group)?;
            for v in 0..V {
                sums[i] = P::mul_add(s, c[i % T][v], s.load(&x[v]), sums[i]);
            }
        }
    }
    let done = groups * S::WIDTH;
    if taps.iter().all(|(_, count)| *count == done) {
        return Some(sums);
    }
    let mut c = [P::coefficients::<S, V>(s, taps[0].0.get(done..)?, taps[0].1 - done); T];
    for t in 1..T {
        c[t] = P::coefficients::<S, V>(s, taps[t].0.get(done..)?, taps[t].1 - done);
    }
    for i in 0..R {
        let mut left = (taps[i % T].1 - done) * P::STRIDE;
        let mut x = windows[i].get(V * done..)?;
        for c in c[i % T] {
            sums[i] = P::mul_add(s, c, load_first(s, x, left), sums[i]);
            (x, left) = (x.get(S::WIDTH..).unwrap_or(&[]), left.saturating_sub(S::WIDTH));
        }
    }
    Some(sums)
}
