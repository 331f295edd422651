//! The kinds of arena that the conformance suite runs on.

use passband_arena::{Arena, Options, SharedMemoryRingBuffer, SharedMemorySegmentPool};
use std::ops::Deref;
use std::time::Duration;

/// Where the bytes of an arena lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    Memfd,
    Named,
    Heap,
}

/// One kind of arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) memory: Memory,
    pub(crate) ring: bool,
}

impl Subject {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let memories = [Memory::Memfd, Memory::Named, Memory::Heap];
        memories.into_iter().flat_map(|memory| [false, true].map(|ring| Self { memory, ring }))
    }

    pub(crate) fn name(self) -> String {
        let kind = if self.ring { "ring" } else { "pool" };
        format!("{:?}_{kind}", self.memory).to_lowercase()
    }

    /// An arena with room for `count` units of `size` bytes.
    pub(crate) fn arena(self, size: usize, count: usize, options: Options) -> Made {
        Made(self.make(size, count, options))
    }

    /// The same, for a test that closes and unlinks it itself.
    pub(crate) fn make(self, size: usize, count: usize, options: Options) -> Arena {
        let options = Options { named: self.memory == Memory::Named, ..options };
        let (pool, ring) = (SharedMemorySegmentPool::new, SharedMemoryRingBuffer::new);
        let arena = match (self.memory, self.ring) {
            (Memory::Heap, false) => SharedMemorySegmentPool::on_heap(size, count, options),
            (Memory::Heap, true) => SharedMemoryRingBuffer::on_heap(size * count, options),
            (_, false) => pool(size, count, options),
            (_, true) => ring(size * count, options),
        };
        arena.unwrap()
    }
}

/// An arena that leaves nothing behind, whatever happens in its test.
#[derive(Debug)]
pub(crate) struct Made(pub(crate) Arena);

impl Deref for Made {
    type Target = Arena;

    fn deref(&self) -> &Arena {
        &self.0
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        self.0.close();
        self.0.unlink();
    }
}

/// Waits for room as long as a test may last.
pub(crate) fn patient() -> Options {
    within(Duration::from_secs(20))
}

/// Never waits for room.
pub(crate) fn hasty() -> Options {
    within(Duration::ZERO)
}

pub(crate) fn within(time: Duration) -> Options {
    Options { acquire_timeout: Some(time), ..Options::default() }
}
