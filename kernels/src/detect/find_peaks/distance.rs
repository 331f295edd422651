//! The second pass: of peaks that are too close, the highest remain.

use super::Peak;
use super::scratch::{keep, kept, retain};

/// Removes peaks that are closer than `distance` to a higher one that remains; the number that do.
///
/// A peak remains when no undecided one within `distance` is higher. Climbing from the first undecided
/// peak over higher and higher ones ends at such a peak; on the way back down, each that is far enough
/// from the last that remained has lost all higher neighbours, and remains as well. Then all up to
/// there are decided, so that each peak is looked at twice.
pub(super) fn select(peaks: &mut [Peak], distance: u64) -> usize {
    if distance < 2 {
        return peaks.len();
    }
    let mut first = 0;
    while let Some(mut top) = peaks.get(first).copied() {
        let (mut number, mut climbed) = (first, first);
        come_from(peaks, first, NONE);
        loop {
            number += 1;
            let Some(peak) = peaks.get(number).copied().filter(|peak| apart(peak, &top) < distance) else {
                break;
            };
            // Of equal ones the later remains.
            if peak.height >= top.height {
                come_from(peaks, number, climbed);
                (top, climbed) = (peak, number);
            }
        }
        first = number;
        let mut last = None;
        while let Some(peak) = peaks.get_mut(climbed) {
            climbed = kept(peak.width);
            if last.is_none_or(|last| apart(peak, &last) >= distance) {
                peak.prominence = REMAINS;
                last = Some(*peak);
            }
        }
    }
    retain(peaks, |peak| peak.prominence == REMAINS)
}

/// The mark of a peak that remains, in the field `prominence`; it is 0 at first.
const REMAINS: f64 = 1.0;

/// The number of no peak.
const NONE: usize = usize::MAX;

/// Keeps the number of the peak climbed from in the field `width`.
fn come_from(peaks: &mut [Peak], number: usize, from: usize) {
    if let Some(peak) = peaks.get_mut(number) {
        peak.width = keep(from);
    }
}

fn apart(a: &Peak, b: &Peak) -> u64 {
    a.index.abs_diff(b.index)
}
