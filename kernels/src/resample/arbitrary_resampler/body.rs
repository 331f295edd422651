//! The arithmetic of outputs between rows of the filter.

use super::design::POINTS;
use crate::filter::dot::write;
use crate::filter::product::{RealTaps, repeat};
use crate::resample::lagrange::{Lagrange, Real};
use crate::simd::{Body, Lanes, Lanes16};

/// Consecutive outputs: taps by a cubic through four rows, then their dot product with the window.
pub(super) struct Interpolated<'a, T, const STRIDE: usize> {
    /// Rows of `taps` samples of the filter.
    pub(super) table: &'a [T],
    pub(super) taps: usize,
    /// Rows from an input to the next.
    pub(super) rows: usize,
    /// When the first output is due after the last of `past` samples, and from each to the next, in
    /// 2^-64 of an input.
    pub(super) due: u128,
    pub(super) step: u128,
    pub(super) past: usize,
    pub(super) window: &'a [T],
    pub(super) out: &'a mut [T],
}

impl<E: Real, const STRIDE: usize> Body<E> for Interpolated<'_, E, STRIDE> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<E> + Lanes16>(self, s: S) {
        // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
        let _ = if STRIDE == 1 { self.outputs::<S, 8, 1>(s) } else { self.outputs::<S, 4, 2>(s) };
    }
}

impl<E: Real, const STRIDE: usize> Interpolated<'_, E, STRIDE> {
    /// `R` outputs per tile, `V` vectors of input per vector of taps.
    #[inline(always)]
    fn outputs<S: Lanes<E>, const R: usize, const V: usize>(mut self, s: S) -> Option<()> {
        let mut tiles = core::mem::take(&mut self.out).chunks_exact_mut(R * STRIDE);
        for here in &mut tiles {
            let mut sums = [s.splat(E::ZERO); R];
            for sum in &mut sums {
                *sum = self.next::<S, V>(s)?;
            }
            write::<RealTaps<STRIDE>, S, E, R>(s, &sums, here);
        }
        for here in tiles.into_remainder().chunks_exact_mut(STRIDE) {
            let sum = self.next::<S, V>(s)?;
            write::<RealTaps<STRIDE>, S, E, 1>(s, &[sum], here);
        }
        Some(())
    }

    /// The sums of the next output.
    #[inline(always)]
    fn next<S: Lanes<E>, const V: usize>(&mut self, s: S) -> Option<S::Vector> {
        let Self { table, taps, rows, due, .. } = *self;
        // The row before the output, and how far it is on the way to the next one.
        let position = u128::from(due as u64) * rows as u128;
        let (row, between) = ((position >> 64) as usize, position as u64);
        let time = E::from_double((between >> 11) as f64 / (1u64 << 53) as f64);
        let w = Lagrange::<POINTS>::weights(time).map(|w| s.splat(w));
        let end = self.past + (due >> 64) as usize;
        let x = self.window.get(end.checked_sub(taps)? * STRIDE..)?.get(..taps * STRIDE)?;
        let row = |i: usize| Some(S::arrays(table.get((row + i) * taps..)?.get(..taps)?));
        let rows = row(0)?.iter().zip(row(1)?).zip(row(2)?).zip(row(3)?);
        let mut sum = s.splat(E::ZERO);
        for (x, (((a, b), c), d)) in S::arrays(x).as_chunks::<V>().0.iter().zip(rows) {
            let near = s.mul_add(w[1], s.load(b), s.mul(w[0], s.load(a)));
            let far = s.mul_add(w[3], s.load(d), s.mul(w[2], s.load(c)));
            let c = repeat::<E, S, V>(s, s.add(near, far));
            for v in 0..V {
                sum = s.mul_add(c[v], s.load(&x[v]), sum);
            }
        }
        self.due += self.step;
        Some(sum)
    }
}
