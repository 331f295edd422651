//! Functions over slices, sample by sample, compiled for a level.

use crate::simd::{Body, Lanes, Lanes16};

/// A function of one sample, free of branches so that a loop over it vectorises.
///
/// `apply` is `#[inline(always)]` and plain arithmetic: nothing fuses, and every level gives the
/// same bits.
pub(crate) trait Function<X> {
    type Output;
    fn apply(&self, x: X) -> Self::Output;
}

/// `out[n] = function(x[n])` over the shorter length.
pub(crate) struct Map<'a, F, X, Y> {
    pub(crate) function: F,
    pub(crate) x: &'a [X],
    pub(crate) out: &'a mut [Y],
}

impl<F: Function<X, Output = Y>, X: Copy, Y> Body<f32> for Map<'_, F, X, Y> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        for (y, x) in self.out.iter_mut().zip(self.x) {
            *y = self.function.apply(*x);
        }
    }
}
