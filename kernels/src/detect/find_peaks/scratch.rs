//! The records as working storage, until they hold results.

use super::Peak;
use core::cell::Cell;

/// An index, or that before 0, kept in a field that has no value yet.
#[inline(always)]
pub(super) fn keep(index: usize) -> f64 {
    f64::from_bits(index.wrapping_add(1) as u64)
}

/// The index kept in a field.
#[inline(always)]
pub(super) fn kept(field: f64) -> usize {
    (field.to_bits() as usize).wrapping_sub(1)
}

/// Moves the records that `test` wants, and may change, to the start; how many there are.
pub(super) fn retain(peaks: &mut [Peak], mut test: impl FnMut(&mut Peak) -> bool) -> usize {
    let cells = Cell::from_mut(peaks).as_slice_of_cells();
    let mut free = cells.iter();
    for cell in cells {
        let mut peak = cell.get();
        if test(&mut peak)
            && let Some(to) = free.next()
        {
            to.set(peak);
        }
    }
    cells.len() - free.len()
}
