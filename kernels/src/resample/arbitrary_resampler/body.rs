//! The arithmetic of outputs at any time between two inputs.

use super::design::{BLOCK, Grid};
use crate::filter::dot::write;
use crate::filter::product::{RealTaps, repeat};
use crate::resample::lagrange::Real;
use crate::simd::{Body, Lanes, Lanes16};

/// Consecutive outputs: taps by the polynomials of a piece, then their dot product with the window.
pub(super) struct Interpolated<'a, T, const STRIDE: usize, const POINTS: usize> {
    pub(super) table: &'a [T],
    pub(super) grid: Grid,
    /// When the first output is due after the last of `past` samples, and from each to the next, in
    /// 2^-64 of an input.
    pub(super) due: u128,
    pub(super) step: u128,
    pub(super) past: usize,
    pub(super) window: &'a [T],
    pub(super) out: &'a mut [T],
}

impl<E: Real, const STRIDE: usize, const POINTS: usize> Body<E> for Interpolated<'_, E, STRIDE, POINTS> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<E> + Lanes16>(self, s: S) {
        // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
        let _ = if STRIDE == 1 { self.outputs::<S, 4, 1>(s) } else { self.outputs::<S, 4, 2>(s) };
    }
}

impl<E: Real, const STRIDE: usize, const POINTS: usize> Interpolated<'_, E, STRIDE, POINTS> {
    /// `R` outputs per tile, `V` vectors of input per vector of taps.
    #[inline(always)]
    fn outputs<S: Lanes<E>, const R: usize, const V: usize>(mut self, s: S) -> Option<()> {
        let mut tiles = core::mem::take(&mut self.out).chunks_exact_mut(R * STRIDE);
        for here in &mut tiles {
            let sums = self.sums::<S, R, V>(s)?;
            write::<RealTaps<STRIDE>, S, E, R>(s, &sums, here);
        }
        for here in tiles.into_remainder().chunks_exact_mut(STRIDE) {
            let sum = self.sums::<S, 1, V>(s)?;
            write::<RealTaps<STRIDE>, S, E, 1>(s, &sum, here);
        }
        Some(())
    }

    /// The sums of the next `R` outputs.
    #[inline(always)]
    fn sums<S: Lanes<E>, const R: usize, const V: usize>(&mut self, s: S) -> Option<[S::Vector; R]> {
        let Self { table, grid: Grid { taps, pieces, .. }, window, .. } = *self;
        let count = taps / BLOCK;
        let mut times = [s.splat(E::ZERO); R];
        let mut blocks: [&[[[E; BLOCK]; POINTS]]; R] = [&[]; R];
        let mut xs: [&[[[E; BLOCK]; STRIDE]]; R] = [&[]; R];
        for i in 0..R {
            // The piece, and how far the output is on the way to the next one.
            let position = u128::from(self.due as u64) * pieces as u128;
            let (piece, between) = ((position >> 64) as usize, position as u64);
            times[i] = s.splat(E::from_double((between >> 11) as f64 / (1u64 << 53) as f64));
            let end = self.past + (self.due >> 64) as usize;
            xs[i] =
                window.get(end.checked_sub(taps)? * STRIDE..)?.as_chunks().0.as_chunks().0.get(..count)?;
            blocks[i] = table.get(piece * taps * POINTS..)?.as_chunks().0.as_chunks().0.get(..count)?;
            self.due += self.step;
        }
        let mut sums = [s.splat(E::ZERO); R];
        for block in 0..count {
            for i in 0..R {
                let (powers, x) = (blocks[i].get(block)?, xs[i].get(block)?);
                for lane in 0..BLOCK / S::WIDTH {
                    let of = |power: usize| s.load(&S::arrays(&powers[power])[lane]);
                    let mut c = of(POINTS - 1);
                    for power in (0..POINTS - 1).rev() {
                        c = s.mul_add(c, times[i], of(power));
                    }
                    let c = repeat::<E, S, V>(s, c);
                    for (v, c) in c.into_iter().enumerate() {
                        let at = lane * V + v;
                        let x = &S::arrays(&x[at * S::WIDTH / BLOCK])[at % (BLOCK / S::WIDTH)];
                        sums[i] = s.mul_add(c, s.load(x), sums[i]);
                    }
                }
            }
        }
        Some(sums)
    }
}
