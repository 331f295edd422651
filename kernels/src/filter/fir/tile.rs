//! The float body: several taps in registers, each vector of input loaded once for all of them.
//!
//! Taps are grouped by the residue of their index modulo the samples per vector. All loads of
//! one residue are then whole vectors apart, and a tile of `R` output vectors and `T` taps takes
//! `R + T - 1` loads for `R * T` multiply-adds; one load each would stop at 40 % of the
//! arithmetic peak on AVX-512, since most unaligned loads cross a cache line.
//!
//! Every output sums its taps in the same order whatever tile it falls into, which makes results
//! independent of where a stream is split. Taps are never padded: a zero tap times infinity is
//! NaN.

use crate::filter::product::Product;
use crate::sample::Sample;
use crate::simd::{Body, Lanes, Lanes16};
use core::marker::PhantomData;

/// Where tap `index` of `len`, in the caller's order, stands in the layout for `lanes` samples
/// per vector: reversed, grouped by residue.
pub(crate) const fn position(index: usize, len: usize, lanes: usize) -> usize {
    let lanes = if lanes == 0 { 1 } else { lanes };
    let (row, residue) = ((len - 1 - index) / lanes, (len - 1 - index) % lanes);
    let longer = if residue < len % lanes { residue } else { len % lanes };
    residue * (len / lanes) + longer + row
}

/// `out[n] = sum taps[k] * window[n + len - 1 - k]` over components.
pub(crate) struct Direct<'a, P: Product<T>, T: Sample> {
    pub(crate) taps: &'a [P::Tap],
    pub(crate) window: &'a [T],
    pub(crate) out: &'a mut [T],
    pub(crate) product: PhantomData<P>,
}

/// Calls a macro for each literal index: loops of this size must not be left to the unroller,
/// which gives up and costs a factor of three.
macro_rules! each {
    ($macro:ident: $($i:literal)*) => { $($macro!($i);)* };
}

/// Adds `T` taps to `R` sums, `M = R + T - 1` vectors of input.
#[inline(always)]
fn tile<P: Product<E>, S: Lanes<E>, E: Sample, const R: usize, const T: usize, const M: usize>(
    s: S,
    taps: &[P::Tap; T],
    window: &[S::Array; M],
    sums: &mut [P::Sum<S>; R],
) {
    let mut c = [P::coefficient(s, taps[0]); T];
    for j in 1..T {
        c[j] = P::coefficient(s, taps[j]);
    }
    macro_rules! vector {
        ($m:literal) => {
            if $m < M {
                let x = s.load(&window[$m]);
                let first = if $m >= R { $m - R + 1 } else { 0 };
                let end = if $m < T { $m + 1 } else { T };
                for j in first..end {
                    sums[$m - j] = P::mul_add(s, c[j], x, sums[$m - j]);
                }
            }
        };
    }
    each!(vector: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
}

/// The sums of `R` vectors of outputs at the start of `window`.
#[inline(always)]
fn rows<
    P: Product<E>,
    S: Lanes<E>,
    E: Sample,
    const R: usize,
    const T: usize,
    const M: usize,
    const M4: usize,
    const M2: usize,
>(
    s: S,
    taps: &[P::Tap],
    window: &[E],
) -> Option<[P::Sum<S>; R]> {
    let lanes = S::WIDTH / P::STRIDE;
    let mut sums = [P::zero(s); R];
    let mut later = taps;
    for residue in 0..lanes.min(taps.len()) {
        let (mut taps, rest) = later.split_at_checked((taps.len() - residue).div_ceil(lanes))?;
        later = rest;
        let mut x = S::arrays(window.get(P::STRIDE * residue..)?);
        while let Some((head, tail)) = taps.split_first_chunk::<T>() {
            tile::<P, S, E, R, T, M>(s, head, x.first_chunk()?, &mut sums);
            (x, taps) = (x.get(T..)?, tail);
        }
        if T > 4
            && let Some((head, tail)) = taps.split_first_chunk::<4>()
        {
            tile::<P, S, E, R, 4, M4>(s, head, x.first_chunk()?, &mut sums);
            (x, taps) = (x.get(4..)?, tail);
        }
        if T > 2
            && let Some((head, tail)) = taps.split_first_chunk::<2>()
        {
            tile::<P, S, E, R, 2, M2>(s, head, x.first_chunk()?, &mut sums);
            (x, taps) = (x.get(2..)?, tail);
        }
        if let Some(head) = taps.first_chunk::<1>() {
            tile::<P, S, E, R, 1, R>(s, head, x.first_chunk()?, &mut sums);
        }
    }
    Some(sums)
}

impl<P: Product<E>, E: Sample> Body<E> for Direct<'_, P, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<E> + Lanes16>(self, s: S) {
        // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
        let _ = self.outputs(s);
    }
}

impl<P: Product<E>, E: Sample> Direct<'_, P, E> {
    #[inline(always)]
    fn outputs<S: Lanes<E>>(self, s: S) -> Option<()> {
        let Self { taps, mut window, out, .. } = self;
        let (mut blocks, rest) = P::blocks_mut::<S>(out);
        macro_rules! pass {
            ($r:literal x $t:literal: $m:literal $m4:literal $m2:literal) => {
                while let Some((_, _)) = blocks.split_first_chunk_mut::<$r>() {
                    let (head, tail) = core::mem::take(&mut blocks).split_first_chunk_mut::<$r>()?;
                    let sums = rows::<P, S, E, $r, $t, $m, $m4, $m2>(s, taps, window)?;
                    for i in 0..$r {
                        head[i] = P::store(s, sums[i]);
                    }
                    (blocks, window) = (tail, window.get($r * S::WIDTH..)?);
                }
            };
        }
        // Outputs x taps per tile, to fill the registers of the level: 32 of 64 bytes, or 16.
        match (S::WIDTH * size_of::<E>(), P::SUMS) {
            (64, 1) => {
                pass!(12 x 8: 19 15 13);
                pass!(8 x 8: 15 11 9);
                pass!(4 x 8: 11 7 5);
                pass!(1 x 8: 8 4 2);
            }
            (32, 1) => {
                pass!(10 x 4: 13 13 11);
                pass!(4 x 4: 7 7 5);
                pass!(1 x 4: 4 4 2);
            }
            (16, 1) | (64, _) => {
                pass!(8 x 4: 11 11 9);
                pass!(1 x 4: 4 4 2);
            }
            _ => {
                pass!(4 x 2: 5 7 5);
                pass!(1 x 2: 2 4 2);
            }
        }
        if !rest.is_empty() {
            let [sum] = rows::<P, S, E, 1, 4, 4, 4, 2>(s, taps, window)?;
            P::copy_start::<S>(&P::store(s, sum), rest);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn positions_are_a_permutation_grouped_by_residue() {
        for lanes in [1, 2, 4, 8, 16] {
            for len in 1..if cfg!(miri) { 10 } else { 70 } {
                let mut order: std::vec::Vec<_> =
                    (0..len).map(|i| (position(i, len, lanes), len - 1 - i)).collect();
                order.sort_unstable();
                let expected: std::vec::Vec<_> =
                    (0..lanes).flat_map(|r| (r..len).step_by(lanes)).enumerate().collect();
                assert_eq!(order, expected);
            }
        }
    }
}
