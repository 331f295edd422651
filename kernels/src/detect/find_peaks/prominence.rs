//! The last passes: bases, prominences and widths.

use super::scratch::{keep, kept, retain};
use super::{Peak, PeakConditions, at};

/// Measures prominence and width of each peak and keeps those that are wanted; how many there are.
pub(super) fn measure<T: Copy + Into<f64>>(
    x: &[T],
    conditions: &PeakConditions,
    peaks: &mut [Peak],
) -> usize {
    for number in 0..peaks.len() {
        let Extent { base, end } = extent(x, peaks, number, Side::Left, conditions.reach);
        if let Some(peak) = peaks.get_mut(number) {
            (peak.prominence, peak.width) = (keep(base), keep(end));
        }
    }
    for number in (0..peaks.len()).rev() {
        let Extent { base, end } = extent(x, peaks, number, Side::Right, conditions.reach);
        if let Some(peak) = peaks.get_mut(number) {
            (peak.height, peak.width) = (keep(base), keep(end));
        }
    }
    retain(peaks, |peak| {
        let (left, right) = (kept(peak.prominence), kept(peak.height));
        let index = peak.index as usize;
        peak.height = at(x, index);
        let bases = [at(x, left), at(x, right)];
        peak.prominence = peak.height - if bases[1] > bases[0] { bases[1] } else { bases[0] };
        if !conditions.prominence.allow(peak.prominence) {
            return false;
        }
        let level = peak.height - peak.prominence * conditions.rel_height;
        let (from, left) = crossing(x, index, left, Side::Left, level);
        let (to, right) = crossing(x, index, right, Side::Right, level);
        peak.width = (to as f64 - right) - (from as f64 + left);
        conditions.width.allow(peak.width)
    })
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Side {
    /// The index `count` further on this side; left of 0 there is none in any array.
    #[inline(always)]
    fn by(self, index: usize, count: usize) -> usize {
        match self {
            Self::Left => index.wrapping_sub(count),
            Self::Right => index.wrapping_add(count),
        }
    }

    #[inline(always)]
    fn next(self, index: usize) -> usize {
        self.by(index, 1)
    }

    /// The first index that is more than `reach` away.
    fn reached(self, index: usize, reach: usize) -> usize {
        match self {
            Self::Left => index.checked_sub(reach).map_or(usize::MAX, |last| last.wrapping_sub(1)),
            Self::Right => index.saturating_add(reach).saturating_add(1),
        }
    }

    /// The one of two indices that comes first on this side.
    #[inline(always)]
    fn nearer(self, a: usize, b: usize) -> usize {
        match self {
            // One before 0 is the farthest.
            Self::Left => a.wrapping_add(1).max(b.wrapping_add(1)).wrapping_sub(1),
            Self::Right => a.min(b),
        }
    }

    #[inline(always)]
    fn previous(self, index: usize) -> usize {
        self.by(index, usize::MAX)
    }
}

/// Where to one side of a peak no sample is higher than it.
struct Extent {
    /// The lowest sample, the nearest of equal ones.
    base: usize,
    /// The first sample past it.
    end: usize,
}

/// The extent of a peak, with the help of those already known of the peaks on that side.
///
/// The extent of a neighbour that is not higher lies within that of the peak and need not be looked at
/// again, so that each sample is looked at about once, unless `reach` ends within it.
#[inline(always)]
fn extent<T: Copy + Into<f64>>(x: &[T], peaks: &[Peak], number: usize, side: Side, reach: usize) -> Extent {
    let Some(start) = peaks.get(number).map(|peak| peak.index as usize) else {
        return Extent { base: number, end: number };
    };
    let height = at(x, start);
    let farthest = side.reached(start, reach);
    let (mut base, mut lowest) = (start, height);
    let (mut end, mut neighbour) = (side.next(start), side.next(number));
    loop {
        let known = peaks.get(neighbour);
        let stop = known.map_or(farthest, |peak| side.nearer(peak.index as usize, farthest));
        while end != stop {
            let value = at(x, end);
            // Not true outside of the array and at NaN.
            if value <= height {
                (base, lowest) = if value < lowest { (end, value) } else { (base, lowest) };
                end = side.next(end);
            } else {
                return Extent { base, end };
            }
        }
        let Some(known) = known.filter(|_| end != farthest && at(x, end) <= height) else {
            return Extent { base, end };
        };
        let within = Extent { base: known_base(known, side), end: kept(known.width) };
        if side.nearer(within.end, farthest) == within.end {
            let value = at(x, within.base);
            (base, lowest) = if value < lowest { (within.base, value) } else { (base, lowest) };
            end = within.end;
            neighbour = beyond(peaks, neighbour, end, side);
        } else {
            end = side.next(end);
            neighbour = side.next(neighbour);
        }
    }
}

/// Where the pass over one side keeps bases.
fn known_base(peak: &Peak, side: Side) -> usize {
    kept(match side {
        Side::Left => peak.prominence,
        Side::Right => peak.height,
    })
}

/// The number of the nearest peak at `index` or beyond it; that of `number` is not.
///
/// Looks twice as far each time, and then back, since most extents hold few peaks.
#[inline(always)]
fn beyond(peaks: &[Peak], number: usize, index: usize, side: Side) -> usize {
    let before = |number: usize| {
        let index_of = |peak: &Peak| peak.index as usize;
        peaks.get(number).map(index_of).is_some_and(|peak| match side {
            Side::Left => peak > index,
            Side::Right => peak < index,
        })
    };
    let (mut number, mut stride) = (number, 1);
    while before(side.by(number, stride)) {
        number = side.by(number, stride);
        stride *= 2;
    }
    while stride > 1 {
        stride /= 2;
        if before(side.by(number, stride)) {
            number = side.by(number, stride);
        }
    }
    side.next(number)
}

/// Where the signal falls to `level` between a peak and its base: the last sample on the way, and by
/// what part of a sample the crossing lies before it.
#[inline(always)]
fn crossing<T: Copy + Into<f64>>(x: &[T], peak: usize, base: usize, side: Side, level: f64) -> (usize, f64) {
    let mut index = peak;
    while index != base && level < at(x, index) {
        index = side.next(index);
    }
    let value = at(x, index);
    let part = if value < level { (level - value) / (at(x, side.previous(index)) - value) } else { 0.0 };
    (index, part)
}
