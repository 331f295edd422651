//! Sections in fixed point, in direct form 1: one exact sum per section and sample, rounded once.
//!
//! A sample passes all sections before the next one starts: a section waits for its own last output
//! alone, so that a processor works on several at once.

use super::Section;
use crate::fixed::sum::{Accumulator, Exact};
use crate::simd::{Body, Lanes, Lanes16};

/// Sections over `io` in place; a state is `x[n - 1], x[n - 2], y[n - 1], y[n - 2]`.
pub(super) struct Direct<'a, Q> {
    pub(super) sections: &'a [Section<Q>],
    /// Whether narrow sums fit.
    pub(super) fits: bool,
    pub(super) states: &'a mut [[Q; 4]],
    pub(super) io: &'a mut [Q],
}

impl<Q: Exact> Body<f32> for Direct<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        if self.fits { self.cascade::<Q::Narrow>() } else { self.cascade::<Q::Wide>() }
    }
}

impl<Q: Exact> Direct<'_, Q> {
    #[inline(always)]
    fn cascade<A: Accumulator<Q>>(self) {
        let Self { sections, states, io, .. } = self;
        for sample in io {
            for (section, state) in sections.iter().zip(&mut *states) {
                let (x, [x1, x2, y1, y2]) = (*sample, *state);
                let [b0, b1, b2, a1, a2] = section.factors;
                let past = A::product(b0, x) + A::product(b1, x1) + A::product(b2, x2) - A::product(a2, y2);
                // Only the last product waits for the sample before.
                *sample = (past - A::product(a1, y1)).rounded(section.bits);
                *state = [x, x1, *sample, y1];
            }
        }
    }
}
