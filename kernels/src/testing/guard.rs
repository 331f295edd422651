//! Buffers that show what a kernel wrote and what it must not have written.

use bytemuck::Pod;
use std::vec;
use std::vec::Vec;

/// Not-a-number in every float, -1 in every integer.
const UNWRITTEN: u8 = 0xff;
const CANARY: u8 = 0xa5;
const MARGIN: usize = 64;

/// An output buffer of unwritten elements between canaries, `offset` elements off alignment.
pub struct Guarded<T> {
    cells: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Pod> Guarded<T> {
    /// A buffer of `len` unwritten elements.
    #[must_use]
    pub fn new(len: usize, offset: usize) -> Self {
        let start = MARGIN + offset;
        let mut cells = vec![T::zeroed(); start + len + MARGIN];
        bytemuck::cast_slice_mut::<T, u8>(&mut cells).fill(CANARY);
        bytemuck::cast_slice_mut::<T, u8>(&mut cells[start..start + len]).fill(UNWRITTEN);
        Self { cells, start, len }
    }

    /// The buffer to give to a kernel.
    pub fn out(&mut self) -> &mut [T] {
        &mut self.cells[self.start..self.start + self.len]
    }

    /// The first `produced` elements.
    ///
    /// # Panics
    /// When anything else was written.
    #[must_use]
    pub fn written(&self, produced: usize) -> &[T] {
        assert!(produced <= self.len, "reported {produced} outputs with room for {}", self.len);
        let bytes = |range| bytemuck::cast_slice::<T, u8>(&self.cells[range]);
        let end = self.start + self.len;
        let intact = bytes(0..self.start).iter().chain(bytes(end..self.cells.len())).all(|b| *b == CANARY);
        assert!(intact, "wrote outside of out");
        let untouched = bytes(self.start + produced..end).iter().all(|b| *b == UNWRITTEN);
        assert!(untouched, "wrote past the {produced} outputs that it reported");
        &self.cells[self.start..self.start + produced]
    }
}

/// A copy of `x` that starts `offset` elements into an allocation; slice it by the range.
#[must_use]
pub fn misaligned<T: Pod>(x: &[T], offset: usize) -> (Vec<T>, core::ops::Range<usize>) {
    let mut cells = vec![T::zeroed(); offset];
    cells.extend_from_slice(x);
    (cells, offset..offset + x.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_where_none_belong_are_found() {
        let fault = |poke: fn(&mut Guarded<f32>)| {
            let mut guarded = Guarded::<f32>::new(8, 3);
            guarded.out()[..4].fill(1.0);
            poke(&mut guarded);
            std::panic::catch_unwind(|| guarded.written(4).len()).is_err()
        };
        assert!(!fault(|_| ()));
        assert!(fault(|guarded| guarded.out()[4] = 0.0));
        assert!(fault(|guarded| guarded.cells[MARGIN + 2] = 0.0));
        assert!(fault(|guarded| guarded.cells[MARGIN + 11] = 0.0));
    }
}
