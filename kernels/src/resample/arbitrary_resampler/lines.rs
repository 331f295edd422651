//! Values in a box that starts on a cache line.

use crate::filter::Taps;
use crate::sample::Sample;
use alloc::boxed::Box;
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;

/// Values in a box that starts on a cache line, so that no vector of them lies across two: reading
/// one that does takes twice as long.
#[derive(Clone, Debug)]
pub struct Lines<T> {
    memory: Box<[Line]>,
    len: usize,
    values: PhantomData<T>,
}

/// A cache line, which is also the widest vector.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl<T: Sample> Lines<T> {
    /// So many zeros.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let memory = alloc::vec![Line::zeroed(); len.div_ceil(T::MAX_LANES)].into_boxed_slice();
        Self { memory, len, values: PhantomData }
    }
}

impl<T: Sample> AsRef<[T]> for Lines<T> {
    fn as_ref(&self) -> &[T] {
        bytemuck::must_cast_slice(&self.memory).get(..self.len).unwrap_or_default()
    }
}

impl<T: Sample> AsMut<[T]> for Lines<T> {
    fn as_mut(&mut self) -> &mut [T] {
        bytemuck::must_cast_slice_mut(&mut self.memory).get_mut(..self.len).unwrap_or_default()
    }
}

impl<T: Sample> Taps for Lines<T> {
    type Tap = T;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_on_a_line_also_in_a_clone() {
        for len in [0, 1, 15, 16, 17, 1000] {
            let mut values = Lines::<f32>::new(len);
            assert_eq!(values.as_ref(), std::vec![0.0; len]);
            values.as_mut().fill(1.0);
            let clone = values.clone();
            assert_eq!(clone.as_ref(), std::vec![1.0; len]);
            assert!([&values, &clone].iter().all(|lines| lines.as_ref().as_ptr().addr() % 64 == 0));
        }
    }
}
