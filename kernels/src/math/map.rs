//! Functions over slices, sample by sample, compiled for a level.

use crate::simd::{Body, Lanes, Lanes16};

/// A function of one sample, or of a tuple of samples, free of branches so that a loop over it
/// vectorises.
///
/// `apply` is `#[inline(always)]` and plain arithmetic: nothing fuses, and every level gives the
/// same bits.
pub(crate) trait Function<X> {
    type Output;
    fn apply(&self, x: X) -> Self::Output;
}

/// The slices that a function takes its samples from: one, or a tuple of them side by side.
pub(crate) trait Inputs {
    type Sample;
    /// How many samples every slice has.
    fn len(&self) -> usize;
    fn samples(self) -> impl Iterator<Item = Self::Sample>;
}

impl<X: Copy> Inputs for &[X] {
    type Sample = X;

    #[inline(always)]
    fn len(&self) -> usize {
        <[X]>::len(self)
    }
    #[inline(always)]
    fn samples(self) -> impl Iterator<Item = X> {
        self.iter().copied()
    }
}

impl<A: Copy, B: Copy> Inputs for (&[A], &[B]) {
    type Sample = (A, B);

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len().min(self.1.len())
    }
    #[inline(always)]
    fn samples(self) -> impl Iterator<Item = (A, B)> {
        self.0.iter().copied().zip(self.1.iter().copied())
    }
}

/// `out[n] = function(x[n])` over the shortest length, which it returns.
pub(crate) struct Map<'a, F, X, Y> {
    pub(crate) function: F,
    pub(crate) x: X,
    pub(crate) out: &'a mut [Y],
}

impl<F: Function<X::Sample, Output = Y>, X: Inputs, Y> Body<f32> for Map<'_, F, X, Y> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> usize {
        let n = self.x.len().min(self.out.len());
        for (y, x) in self.out.iter_mut().zip(self.x.samples()) {
            *y = self.function.apply(x);
        }
        n
    }
}
