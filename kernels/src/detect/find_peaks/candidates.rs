//! The first pass: local maxima of the wanted height and threshold.

use super::{Peak, PeakConditions, at};
use crate::simd::{Body, Lanes, Lanes16};

/// Finds the local maxima, as many as `out` holds.
pub(super) struct Candidates<'a, T> {
    pub(super) x: &'a [T],
    pub(super) conditions: &'a PeakConditions,
    pub(super) out: &'a mut [Peak],
}

/// Samples that are tested at once; a byte of a `u64` each.
const BLOCK: usize = 8;

impl<T: PartialOrd + Copy + Into<f64>> Body<f32> for Candidates<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> usize {
        let Self { x, conditions, out } = self;
        let room = out.len();
        let mut out = out.iter_mut();
        let lowest = conditions.height.min;
        let mut first = 0;
        // Each block with a sample before and one after it.
        while let Some(window) = x.get(first..).and_then(<[T]>::first_chunk::<{ BLOCK + 2 }>) {
            let mut flags = [0; BLOCK];
            for (flag, [before, x, after]) in flags.iter_mut().zip(window.array_windows()) {
                let high = (*x).into() >= lowest;
                // Without branches, so that it vectorises.
                *flag = u8::from(before < x) & u8::from(after <= x) & u8::from(high);
            }
            let mut flags = u64::from_le_bytes(flags);
            while flags != 0 {
                let index = first + 1 + flags.trailing_zeros() as usize / 8;
                flags &= flags - 1;
                if let Some(peak) = peak_from(x, index, conditions) {
                    let Some(slot) = out.next() else { return room };
                    *slot = peak;
                }
            }
            first += BLOCK;
        }
        for index in first + 1..x.len().saturating_sub(1) {
            if at(x, index - 1) < at(x, index)
                && let Some(peak) = peak_from(x, index, conditions)
            {
                let Some(slot) = out.next() else { break };
                *slot = peak;
            }
        }
        room - out.len()
    }
}

/// The peak whose first sample is at `index`, above the one before, if it is one and wanted.
#[inline(always)]
fn peak_from<T: PartialOrd + Copy + Into<f64>>(
    x: &[T],
    index: usize,
    conditions: &PeakConditions,
) -> Option<Peak> {
    let height = at(x, index);
    let mut after = index + 1;
    while at(x, after) == height {
        after += 1;
    }
    let middle = usize::midpoint(index, after - 1);
    let drops = [height - at(x, middle - 1), height - at(x, middle + 1)];
    let wanted = at(x, after) < height
        && conditions.height.allow(height)
        && drops.iter().all(|drop| conditions.threshold.allow(*drop));
    wanted.then_some(Peak { index: middle as i64, height, prominence: 0.0, width: 0.0 })
}
