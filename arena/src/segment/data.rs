//! The bytes of the segments, which the other process may change at any time: raw copies only.

use super::copy::copy;
use crate::error::{Error, Result};
use crate::sync::{Watch, crash_point};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

static COPIED: AtomicU64 = AtomicU64::new(0);

/// The bytes that this process has copied into and out of arenas so far.
///
/// What is placed in a unit and read where it lies adds nothing.
#[must_use]
pub fn bytes_copied() -> u64 {
    COPIED.load(Ordering::Relaxed)
}

/// Bytes to be copied into a unit, which others may be changing meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    start: NonNull<u8>,
    nbytes: usize,
    lifetime: std::marker::PhantomData<&'a [u8]>,
}

// SAFETY: the bytes are only read, by whoever has a source; others may change them at any time anyway.
unsafe impl Send for Source<'_> {}
// SAFETY: as above.
unsafe impl Sync for Source<'_> {}

impl Source<'_> {
    /// Bytes that need not be a slice's, such as those of another arena.
    ///
    /// # Safety
    ///
    /// `nbytes` bytes from `start` on are readable during `'a`.
    #[must_use]
    pub unsafe fn from_raw(start: NonNull<u8>, nbytes: usize) -> Self {
        Self { start, nbytes, lifetime: std::marker::PhantomData }
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }
}

impl<'a> From<&'a [u8]> for Source<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        // SAFETY: the slice is readable during its lifetime.
        unsafe { Self::from_raw(NonNull::from(bytes).cast(), bytes.len()) }
    }
}

/// All segments of an arena, one behind the other.
#[derive(Debug)]
pub(crate) struct Data {
    base: NonNull<u8>,
    len: usize,
    watch: Watch,
}

// SAFETY: the bytes are only ever copied raw; who may copy when is what the arena's protocol decides.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    /// # Safety
    ///
    /// `len` bytes from `base` on are mapped for reading and writing until the value is dropped, and are
    /// no Rust object's.
    pub(crate) unsafe fn new(base: NonNull<u8>, len: usize) -> Self {
        Self { base, len, watch: Watch::new(len) }
    }

    /// The address of an extent inside.
    pub(crate) fn address(&self, at: usize, nbytes: usize) -> Result<NonNull<u8>> {
        if at.checked_add(nbytes).is_none_or(|end| end > self.len) {
            return Err(Error::Corrupt("an extent outside the arena"));
        }
        // SAFETY: inside the mapping, as just checked.
        Ok(unsafe { self.base.add(at) })
    }

    /// Copies into the arena. With [`Data::read`] the only copy there is.
    #[track_caller]
    pub(crate) fn write(&self, at: usize, source: Source<'_>) -> Result<()> {
        let target = self.address(at, source.nbytes)?;
        self.watch.touch(at..at + source.nbytes, true);
        // Two stores, so that a crash can fall between them.
        let half = if cfg!(feature = "crash-points") { source.nbytes / 2 } else { 0 };
        for (from, to) in [(0, half), (half, source.nbytes)] {
            if from < to {
                crash_point();
            }
            // SAFETY: the source says that it is readable, `address` that the target is the mapping's.
            // They may be one arena's: then a unit that is being written and one that is being read.
            unsafe { copy(source.start.add(from).as_ptr(), target.add(from).as_ptr(), to - from) };
        }
        COPIED.fetch_add(source.nbytes as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Copies out of the arena.
    pub(crate) fn read(&self, at: usize, target: &mut [MaybeUninit<u8>]) -> Result<()> {
        let source = self.address(at, target.len())?;
        self.watch.touch(at..at + target.len(), false);
        // SAFETY: `address` says that the source is the mapping's; the target is nobody else's.
        unsafe {
            std::ptr::copy_nonoverlapping(source.as_ptr(), target.as_mut_ptr().cast(), target.len());
        }
        COPIED.fetch_add(target.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Copies out of the arena into a vector of exactly those bytes.
    pub(crate) fn read_vec(&self, at: usize, nbytes: usize, target: &mut Vec<u8>) -> Result<()> {
        target.clear();
        target.reserve(nbytes);
        self.read(at, &mut target.spare_capacity_mut()[..nbytes])?;
        // SAFETY: the bytes were just written.
        unsafe { target.set_len(nbytes) };
        Ok(())
    }

    /// Tells loom of bytes that are copied by their address.
    pub(crate) fn touch(&self, start: NonNull<u8>, nbytes: usize, write: bool) {
        let at = start.as_ptr() as usize - self.base.as_ptr() as usize;
        self.watch.touch(at..at + nbytes, write);
    }
}
