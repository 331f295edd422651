//! The arithmetic of outputs between samples.

use crate::resample::lagrange::{Lagrange, Real};
use crate::simd::{Body, Lanes, Lanes16};

/// Outputs at a time, whole vectors of every type.
const BLOCK: usize = 32;

/// Consecutive outputs, each by the polynomial through the `P` samples around its time.
pub(in crate::resample) struct Polynomials<'a, T, const STRIDE: usize, const P: usize> {
    /// When the first output is due after the last of `past` samples, and from each to the next, in
    /// 2^-64 of an input.
    pub(in crate::resample) due: u128,
    pub(in crate::resample) step: u128,
    pub(in crate::resample) past: usize,
    pub(in crate::resample) window: &'a [T],
    pub(in crate::resample) out: &'a mut [T],
}

impl<E: Real, const STRIDE: usize, const P: usize> Body<E> for Polynomials<'_, E, STRIDE, P> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<E> + Lanes16>(self, s: S) {
        // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
        let _ = self.outputs(s);
    }
}

impl<E: Real, const STRIDE: usize, const P: usize> Polynomials<'_, E, STRIDE, P> {
    #[inline(always)]
    fn outputs<S: Lanes<E>>(self, s: S) -> Option<()> {
        let Self { mut due, step, past, window, out } = self;
        let samples = window.as_chunks::<STRIDE>().0;
        // The first samples of all outputs, the second ones and so on, with an output per lane.
        let mut points = [[[E::ZERO; STRIDE]; BLOCK]; P];
        let mut times = [[E::ZERO; STRIDE]; BLOCK];
        for out in out.chunks_mut(BLOCK * STRIDE) {
            for (lane, time) in times.iter_mut().take(out.len() / STRIDE).enumerate() {
                let end = past + (due >> 64) as usize;
                let around: &[_; P] = samples.get(end.checked_sub(P)?..)?.first_chunk()?;
                for (point, sample) in points.iter_mut().zip(around) {
                    *point.get_mut(lane)? = *sample;
                }
                *time = [E::from_double((due as u64 >> 11) as f64 / (1u64 << 53) as f64); STRIDE];
                due += step;
            }
            let (vectors, rest) = S::arrays_mut(out);
            let mut times = S::arrays(times.as_flattened()).iter().enumerate();
            for (y, (index, time)) in vectors.iter_mut().zip(&mut times) {
                s.store(y, Self::vector(s, &points, index, time)?);
            }
            if let Some((index, time)) = times.next()
                && !rest.is_empty()
            {
                let mut last = S::zeroed();
                s.store(&mut last, Self::vector(s, &points, index, time)?);
                rest.iter_mut().zip(last.as_ref()).for_each(|(y, last)| *y = *last);
            }
        }
        Some(())
    }

    /// A vector of outputs: each coefficient by its branch, and the polynomial by Horner's rule.
    #[inline(always)]
    fn vector<S: Lanes<E>>(
        s: S,
        points: &[[[E; STRIDE]; BLOCK]; P],
        index: usize,
        time: &S::Array,
    ) -> Option<S::Vector> {
        let time = s.load(time);
        let mut x = [time; P];
        for (x, point) in x.iter_mut().zip(points) {
            *x = s.load(S::arrays(point.as_flattened()).get(index)?);
        }
        // No operation is fused, so that every level gives the same bits.
        let mut y = s.splat(E::ZERO);
        for branch in Lagrange::<P>::BRANCHES.iter().skip(1).rev() {
            for (x, weight) in x.iter().zip(branch) {
                y = s.add(y, s.mul(*x, s.splat(E::from_double(*weight))));
            }
            y = s.mul(y, time);
        }
        // The coefficient of power 0 is the sample at time 0.
        Some(s.add(y, *x.get(P / 2 - 1)?))
    }
}
