//! A polyphase bank: the taps of a filter at L times the input's rate, as L branches at that rate.
//!
//! Between two inputs lie L ticks. The output at tick `n L + r` is `sum_j h[r + j L] x[n - j]`, the
//! taps of branch `r` over the inputs up to `n`. Branches differ in length by at most one tap and
//! are never padded: zero times infinity is NaN.

use crate::filter::Filter;
use crate::filter::dot::{Branch, tile as sums, write};
use crate::filter::fir::tile;
use crate::filter::product::Product;
use crate::sample::Sample;
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use core::marker::PhantomData;

/// Where tap `index` of `len`, in the caller's order, stands: branch by branch, each in the order
/// of [`tile::position`].
pub(crate) const fn position(index: usize, len: usize, branches: usize, lanes: usize) -> usize {
    let branches = if branches == 0 { 1 } else { branches };
    let (branch, row) = (index % branches, index / branches);
    let (start, count) = span(branch, len, branches);
    start + tile::position(row, count, lanes)
}

/// The start and the length of a branch.
const fn span(branch: usize, len: usize, branches: usize) -> (usize, usize) {
    let (short, longer) = (len / branches, len % branches);
    if branch < longer { (branch * (short + 1), short + 1) } else { (branch * short + longer, short) }
}

/// The taps of each branch.
#[derive(Clone, Copy)]
pub(crate) struct Bank<'a, H> {
    pub(crate) taps: &'a [H],
    pub(crate) branches: usize,
}

impl<'a, H> Bank<'a, H> {
    /// The taps of a branch.
    #[inline(always)]
    pub(crate) fn branch(self, branch: usize) -> &'a [H] {
        let (taps, count) = self.from(branch);
        taps.get(..count).unwrap_or(&[])
    }

    #[inline(always)]
    fn from(self, branch: usize) -> Branch<'a, H> {
        let (start, count) = span(branch, self.taps.len(), self.branches.max(1));
        (self.taps.get(start..).unwrap_or(&[]), count)
    }
}

/// Consecutive outputs, each by the dot product of its branch.
pub(crate) struct Polyphase<'a, P: Product<T>, T: Sample> {
    /// Each branch reversed.
    pub(crate) bank: Bank<'a, P::Tap>,
    /// Ticks from an output to the next.
    pub(crate) down: usize,
    /// The tick of the first output, past the last of the `past` samples.
    pub(crate) due: usize,
    /// Samples of the window before the first that is new.
    pub(crate) past: usize,
    pub(crate) window: &'a [T],
    pub(crate) out: &'a mut [T],
    pub(crate) product: PhantomData<P>,
}

impl<P: Product<E>, E: Sample> Body<E> for Polyphase<'_, P, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<E> + Lanes16>(self, s: S) {
        // A window too short gives `None` and leaves outputs unwritten; the driver's never are.
        let _ = match (P::SUMS, P::STRIDE) {
            (1, 1) => self.outputs::<S, 8, 1>(s),
            (1, _) => self.outputs::<S, 4, 2>(s),
            (_, 1) => self.outputs::<S, 4, 1>(s),
            (_, _) => self.outputs::<S, 4, 2>(s),
        };
    }
}

impl<P: Product<E>, E: Sample> Polyphase<'_, P, E> {
    /// `R` outputs per tile, `V` vectors of input per vector of taps.
    #[inline(always)]
    fn outputs<S: Lanes<E>, const R: usize, const V: usize>(self, s: S) -> Option<()> {
        let Self { bank, down, due, past, window, out, .. } = self;
        let up = bank.branches.max(1);
        let shortest = bank.taps.len() / up;
        let mut cursor = Cursor { end: past + due / up, branch: due % up, step: down / up, turn: down % up };
        let components = size_of::<P::Output>() / size_of::<E>();
        let mut tiles = out.chunks_exact_mut(R * components);
        for here in &mut tiles {
            let mut taps: [Branch<'_, P::Tap>; R] = [(&[], 0); R];
            let mut windows: [&[E]; R] = [&[]; R];
            for i in 0..R {
                (taps[i], windows[i]) = cursor.next::<P, E>(bank, window)?;
            }
            write::<P, S, E, R>(s, &sums::<P, S, E, R, R, V>(s, taps, windows, shortest)?, here);
        }
        for here in tiles.into_remainder().chunks_exact_mut(components) {
            let (taps, x) = cursor.next::<P, E>(bank, window)?;
            write::<P, S, E, 1>(s, &sums::<P, S, E, 1, 1, V>(s, [taps], [x], shortest)?, here);
        }
        Some(())
    }
}

/// Where the next output is.
struct Cursor {
    /// Samples of the window up to that of the output.
    end: usize,
    branch: usize,
    /// What an output moves the two on by.
    step: usize,
    turn: usize,
}

impl Cursor {
    /// The taps of the next output, and what they meet.
    #[inline(always)]
    fn next<'a, P: Product<E>, E: Sample>(
        &mut self,
        bank: Bank<'a, P::Tap>,
        window: &'a [E],
    ) -> Option<(Branch<'a, P::Tap>, &'a [E])> {
        let taps = bank.from(self.branch);
        let start = self.end.checked_sub(taps.1)?;
        let x = window.get(start * P::STRIDE..)?;
        (self.end, self.branch) = (self.end + self.step, self.branch + self.turn);
        if self.branch >= bank.branches {
            (self.end, self.branch) = (self.end + 1, self.branch - bank.branches);
        }
        Some((taps, x))
    }
}

/// The outputs at every tick from `due` on: each branch filters all inputs, and their outputs take
/// turns.
pub(crate) fn interpolate<X: Filter<H>, H: Sample>(
    level: SimdLevel,
    bank: Bank<'_, H>,
    due: usize,
    past: usize,
    window: &[X],
    out: &mut [X::Output],
) {
    /// Outputs of a branch at a time, whole vectors of every type.
    const BLOCK: usize = 256;
    let up = bank.branches.max(1);
    let mut filtered = [X::Output::ZERO; BLOCK];
    for (block, out) in out.chunks_mut(BLOCK.saturating_mul(up).max(1)).enumerate() {
        for first in 0..up.min(out.len()) {
            let tick = due + first;
            let taps = bank.branch(tick % up);
            let start = (past + block * BLOCK + tick / up).saturating_sub(taps.len());
            let (Some(window), Some(filtered)) =
                (window.get(start..), filtered.get_mut(..(out.len() - first).div_ceil(up)))
            else {
                return;
            };
            X::filter(level, taps, X::fits(taps), window, filtered);
            let turns = out.iter_mut().skip(first).step_by(up);
            turns.zip(filtered).for_each(|(y, filtered)| *y = *filtered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn a_bank_holds_each_tap_once_branch_by_branch_and_reversed() {
        for (len, branches) in [(1, 1), (7, 3), (9, 3), (2, 5), (64, 8), (65, 8)] {
            let mut taps: Vec<_> = (0..len).collect();
            (0..len).for_each(|index| taps[position(index, len, branches, 1)] = index);
            let bank = Bank { taps: &taps, branches };
            for branch in 0..branches {
                let expected: Vec<_> = (branch..len).step_by(branches).rev().collect();
                assert_eq!(bank.branch(branch), expected);
            }
        }
    }
}
