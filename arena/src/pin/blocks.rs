//! Pinned memory that is used again, for copies out of a ring.

use super::cuda::{Device, retry_cleanup};
use super::driver::code;
use super::inbox::{Inbox, Parcel};
use super::kept::{Duty, Keep};
use super::memory::{HostRange, part};
use crate::error::{Error, Result};
use std::mem::MaybeUninit;
use std::ptr::{NonNull, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The least that is allocated: the driver pins whole pages.
const PAGE: usize = 4096;

/// Pinned blocks, each used again when nobody has it any more.
///
/// To pin memory takes much longer than to copy it, so that blocks come back here rather than to the driver.
/// What is free beyond a limit is given back, and all of it when this is dropped.
#[derive(Debug)]
pub struct PinnedBlocks {
    device: Device,
    /// The most bytes that are kept free.
    keep: usize,
    free: Mutex<Vec<Parcel<Block>>>,
    returned: Arc<Returned>,
}

/// Where blocks come to when nobody has them any more.
#[derive(Debug, Default)]
struct Returned {
    blocks: Inbox<Block>,
    /// Whether nobody will allocate from here any more.
    closed: AtomicBool,
}

/// A block; dropped, it goes to the cleaner.
#[derive(Debug)]
struct Block {
    start: usize,
    capacity: usize,
    _keep: Keep,
}

impl Device {
    /// Pinned blocks, of which at most `keep` bytes wait to be used again.
    #[must_use]
    pub fn pinned_blocks(&self, keep: usize) -> PinnedBlocks {
        PinnedBlocks { device: *self, keep, free: Mutex::default(), returned: Arc::default() }
    }
}

impl PinnedBlocks {
    /// A block of at least `nbytes`, with whatever bytes are in it.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] where no more can be pinned.
    pub fn allocate(&self, nbytes: usize) -> Result<PinnedBlock> {
        let block = self.block(capacity_for(nbytes))?;
        let (start, home) = (block.start, self.returned.clone());
        let start = NonNull::new(with_exposed_provenance_mut(start)).unwrap_or(NonNull::dangling());
        Ok(PinnedBlock { start, nbytes, lent: Arc::new(Lent { block: Some(block), home }) })
    }

    /// A block of bytes that `fill` writes; after an error the block is free again.
    pub(crate) fn filled(
        &self,
        nbytes: usize,
        fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<()>,
    ) -> Result<PinnedBlock> {
        let block = self.allocate(nbytes)?;
        // SAFETY: the block has so many bytes, and nobody else knows of it yet.
        fill(unsafe { std::slice::from_raw_parts_mut(block.start.as_ptr().cast(), nbytes) })?;
        Ok(block)
    }

    fn block(&self, capacity: usize) -> Result<Parcel<Block>> {
        self.device.check()?;
        let mut free = self.free();
        free.extend(self.returned.blocks.take());
        // The one that came back last is still in the caches.
        if let Some(at) = free.iter().rposition(|block| block.capacity == capacity) {
            return Ok(free.remove(at));
        }
        Self::trim(&mut free, self.keep);
        drop(free);
        match self.pin(capacity) {
            Err(Error::Driver(error)) if error.code == code::OUT_OF_MEMORY => {
                // What was let go may be pinned still.
                Self::trim(&mut self.free(), 0);
                retry_cleanup();
                self.pin(capacity)
            }
            pinned => pinned,
        }
    }

    fn pin(&self, capacity: usize) -> Result<Parcel<Block>> {
        let doing = || format!("cannot allocate {capacity} bytes of pinned memory");
        let start = self.device.call(doing, |driver| driver.allocate_host(capacity))?;
        let what = format!("a block of {capacity} bytes of pinned memory");
        let keep = Keep::new(self.device, Duty::FreeHost(start), what, capacity, Vec::new());
        Ok(Parcel::new(Block { start, capacity, _keep: keep }))
    }

    /// Gives back the blocks that have been free longest, until no more than `keep` bytes are.
    fn trim(free: &mut Vec<Parcel<Block>>, keep: usize) {
        let mut total: usize = free.iter().map(|block| block.capacity).sum();
        free.retain(|block| {
            let stays = total <= keep;
            if !stays {
                total -= block.capacity;
            }
            stays
        });
    }

    fn free(&self) -> MutexGuard<'_, Vec<Parcel<Block>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PinnedBlocks {
    fn drop(&mut self) {
        self.returned.closed.store(true, Ordering::Release);
        self.returned.blocks.take();
    }
}

/// The size of the block for so many bytes: one of four to an octave, so that few sizes serve all.
fn capacity_for(nbytes: usize) -> usize {
    let least = nbytes.max(PAGE);
    let step = (least.checked_next_power_of_two().unwrap_or(0) / 8).max(PAGE);
    least.checked_next_multiple_of(step).unwrap_or(least)
}

/// Pinned memory that is nobody else's. When no clone of this, no range of it, and no transfer has it any
/// more, it is used again for another.
#[derive(Debug, Clone)]
pub struct PinnedBlock {
    start: NonNull<u8>,
    nbytes: usize,
    lent: Arc<Lent>,
}

// SAFETY: the pointer is only handed out.
unsafe impl Send for PinnedBlock {}
// SAFETY: as above.
unsafe impl Sync for PinnedBlock {}

/// A block in use.
#[derive(Debug)]
struct Lent {
    block: Option<Parcel<Block>>,
    home: Arc<Returned>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(block) = self.block.take()
            && !self.home.closed.load(Ordering::Acquire)
        {
            self.home.blocks.put(block);
        }
    }
}

impl PinnedBlock {
    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> NonNull<u8> {
        self.start
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// The bytes as they are now, copied.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.nbytes];
        // SAFETY: the block has so many bytes; the vector is this function's own.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), bytes.as_mut_ptr(), self.nbytes) };
        bytes
    }

    /// A part of it, which keeps the whole.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] outside.
    pub fn range(&self, offset: usize, nbytes: usize) -> Result<HostRange> {
        part(&self.lent, self.start, self.nbytes, offset, nbytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_waste_a_quarter_at_most_beyond_their_pages() {
        for nbytes in (0..100_000).chain([1 << 30, (1 << 30) + 1, usize::MAX]) {
            let capacity = capacity_for(nbytes);
            assert!(capacity >= nbytes && capacity - nbytes <= (nbytes / 4).max(PAGE));
            assert_eq!(capacity_for(capacity), capacity);
        }
    }
}
