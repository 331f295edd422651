//! Numbered places to die at: one before every store to shared memory.
//!
//! A test counts the points that a process passes, then runs the process once for each, killed there.

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};

static PASSED: AtomicU64 = AtomicU64::new(0);
static FATAL: AtomicU64 = AtomicU64::new(u64::MAX);

/// Counts from here on, and kills the process with SIGKILL at the point of this number.
///
/// `u64::MAX` kills at none.
pub fn arm(fatal: u64) {
    PASSED.store(0, Ordering::SeqCst);
    FATAL.store(fatal, Ordering::SeqCst);
}

/// How many points were passed since [`arm`].
#[must_use]
pub fn passed() -> u64 {
    PASSED.load(Ordering::SeqCst)
}

/// Passes a point, or dies at it, its place in the source on standard error.
#[track_caller]
pub(crate) fn point() {
    let number = PASSED.fetch_add(1, Ordering::SeqCst);
    if number == FATAL.load(Ordering::SeqCst) {
        eprintln!("crash point {number} at {}", Location::caller());
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}
