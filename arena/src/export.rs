//! Exports: bytes of an arena that are handed out and stay good for as long as the export lives.

use crate::lease::Lease;
use crate::sync::Counted;
use std::ptr::NonNull;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of one unit. While an export lives they are neither unmapped nor given to another unit,
/// whatever is closed, unlinked or dropped beside it.
///
/// Whoever shows the bytes to others must keep the export for as long as they look.
#[derive(Debug)]
pub struct Export {
    start: NonNull<u8>,
    nbytes: usize,
    readonly: bool,
    lease: Counted<Lease>,
}

// SAFETY: the pointer leads to shared memory that outlives the export, and is only handed out.
unsafe impl Send for Export {}
// SAFETY: as above.
unsafe impl Sync for Export {}

impl Export {
    pub(crate) fn new(lease: Counted<Lease>, start: NonNull<u8>, nbytes: usize, readonly: bool) -> Self {
        Self { start, nbytes, readonly, lease }
    }

    /// The first byte. The other process may change the bytes: copy from them, or read them as memory
    /// that others write.
    #[must_use]
    pub fn as_ptr(&self) -> NonNull<u8> {
        self.start
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// Whether writing to the bytes is refused by the memory itself.
    #[must_use]
    pub fn is_readonly(&self) -> bool {
        self.readonly
    }

    /// The bytes as they are now, copied.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.nbytes];
        self.lease.data().touch(self.start, self.nbytes, false);
        // SAFETY: the export keeps `nbytes` bytes mapped; the vector is this function's own.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), bytes.as_mut_ptr(), self.nbytes) };
        bytes
    }

    /// Copies bytes to the start of an export of a unit that is being written.
    ///
    /// # Panics
    ///
    /// Where the bytes are more than the export has, or it is read-only.
    pub fn fill(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= self.nbytes && !self.readonly, "room for the bytes");
        self.lease.data().touch(self.start, bytes.len(), true);
        // SAFETY: the export keeps `nbytes` bytes mapped, and `bytes` is no memory of an arena.
        unsafe { std::ptr::copy(bytes.as_ptr(), self.start.as_ptr(), bytes.len()) };
    }
}

static FORKS: AtomicU32 = AtomicU32::new(0);

/// How often the line of processes has forked since the first call: it tells a child from its parent
/// without a system call.
#[inline]
pub(crate) fn forks() -> u32 {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        extern "C" fn count() {
            FORKS.fetch_add(1, Ordering::Relaxed);
        }
        if cfg!(not(miri)) {
            // SAFETY: the handler stays for the life of the program and only adds to an atomic.
            unsafe { libc::pthread_atfork(None, None, Some(count)) };
        }
    });
    FORKS.load(Ordering::Relaxed)
}
