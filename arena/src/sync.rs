//! The words that two processes share, and how one waits for the other: real, or loom's.
//!
//! Every store to shared memory goes through this facade or through [`crate::segment::Data`]: with the
//! feature `crash-points` each is a place where a test can kill the process.

#[cfg(loom)]
pub(crate) mod model;

#[cfg(loom)]
pub(crate) use model::{
    AtomicBool, AtomicU32, AtomicU64, Counted, CountedWeak, Mutex, MutexGuard, Plain, Processor, Watch, fence,
};
pub(crate) use std::sync::atomic::Ordering;
/// What counts the exports of a unit: the end of the last one comes after all that was done with any.
#[cfg(not(loom))]
pub(crate) use std::sync::{Arc as Counted, Weak as CountedWeak};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU32, AtomicU64, fence},
};

use std::time::{Duration, Instant};

/// A word of shared memory. Loads acquire and stores release.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct Word(AtomicU64);

impl Word {
    #[inline]
    pub(crate) fn load(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    #[inline]
    #[track_caller]
    pub(crate) fn store(&self, value: u64) {
        crash_point();
        self.0.store(value, Ordering::Release);
    }

    /// Replaces `from` by `to`; false, and nothing changed, where another value stands.
    #[track_caller]
    pub(crate) fn replace(&self, from: u64, to: u64) -> bool {
        crash_point();
        self.0.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// A word of shared memory that a [`Word`] publishes: nobody loads it while it may be stored.
#[cfg(not(loom))]
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct Plain(AtomicU64);

#[cfg(not(loom))]
impl Plain {
    #[inline]
    pub(crate) fn load(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    #[track_caller]
    pub(crate) fn store(&self, value: u64) {
        crash_point();
        self.0.store(value, Ordering::Relaxed);
    }
}

/// The processor that one side was on when it last went on: who shares it cannot see it work.
#[cfg(not(loom))]
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct Processor(AtomicU64);

#[cfg(not(loom))]
impl Processor {
    #[inline]
    #[track_caller]
    pub(crate) fn note(&self) {
        crash_point();
        self.0.store(Self::this(), Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_this(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::this()
    }

    fn this() -> u64 {
        if cfg!(miri) { 0 } else { rustix::thread::sched_getcpu() as u64 }
    }
}

/// How many records one side is done with.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Cursor {
    count: Word,
    processor: Processor,
}

impl Cursor {
    #[inline]
    pub(crate) fn load(&self) -> u64 {
        self.count.load()
    }

    #[inline]
    #[track_caller]
    pub(crate) fn store(&self, count: u64) {
        self.processor.note();
        self.count.store(count);
    }

    /// The count as a word, which anybody could write.
    #[cfg(feature = "fuzzing")]
    pub(crate) fn word(&self) -> &Word {
        &self.count
    }

    /// Whether the side that this belongs to was on this processor when it last went on.
    pub(crate) fn is_here(&self) -> bool {
        self.processor.is_this()
    }
}

/// Tells loom which bytes are copied, and nobody else.
#[cfg(not(loom))]
#[derive(Debug)]
pub(crate) struct Watch;

#[cfg(not(loom))]
impl Watch {
    pub(crate) fn new(_: usize) -> Self {
        Self
    }

    #[inline(always)]
    #[expect(clippy::unused_self, reason = "loom's has cells")]
    pub(crate) fn touch(&self, _: std::ops::Range<usize>, _: bool) {}
}

/// Where one side sleeps until the other rings.
///
/// The sleeper says that it waits and then looks once more; the ringer changes what is looked at and
/// then looks whether someone waits. A full fence between the two steps of each lets no ring get lost.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Bell {
    waiting: AtomicU32,
    rings: AtomicU32,
    #[cfg(loom)]
    bed: model::Bed,
}

impl Bell {
    /// Wakes who waits. No loop, no lock, no allocation: good anywhere.
    #[inline]
    #[track_caller]
    pub(crate) fn ring(&self) {
        // Whether it rings or not, so that a process passes the same points each time.
        crash_point();
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::Relaxed) != 0 {
            self.rings.fetch_add(1, Ordering::Release);
            self.wake();
        }
    }

    /// Waits until `ready`, at most about a `slice`; spins for `spin` of it before it sleeps.
    #[track_caller]
    pub(crate) fn wait(&self, spin: Duration, slice: Duration, ready: impl Fn() -> bool) -> bool {
        let spin = spin.min(slice);
        if spin_until(spin, &ready) {
            return true;
        }
        let rings = self.rings.load(Ordering::Acquire);
        crash_point();
        self.waiting.store(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        if !ready() {
            self.sleep(rings, slice.saturating_sub(spin));
        }
        crash_point();
        self.waiting.store(0, Ordering::Relaxed);
        ready()
    }

    #[cfg(not(loom))]
    fn wake(&self) {
        use rustix::thread::futex;
        // An error would mean an address that is not mapped: the reference says that it is.
        let _ = futex::wake(&self.rings, futex::Flags::empty(), 1);
    }

    #[cfg(not(loom))]
    fn sleep(&self, rings: u32, slice: Duration) {
        use rustix::thread::futex;
        let time = futex::Timespec {
            tv_sec: slice.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: slice.subsec_nanos().into(),
        };
        // Rung already, timed out, or interrupted by a signal: the caller looks in every case.
        let _ = futex::wait(&self.rings, futex::Flags::empty(), rings, Some(&time));
    }
}

/// A moment, to within some milliseconds: what tells an age in a message must cost nothing to note.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since(Duration);

impl Since {
    pub(crate) fn now() -> Self {
        let rustix::time::Timespec { tv_sec, tv_nsec } =
            rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
        Self(Duration::new(tv_sec.unsigned_abs(), u32::try_from(tv_nsec).unwrap_or_default()))
    }

    pub(crate) fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

fn spin_until(spin: Duration, ready: impl Fn() -> bool) -> bool {
    if ready() {
        return true;
    }
    if spin.is_zero() || cfg!(loom) {
        return false;
    }
    let start = Instant::now();
    loop {
        // The clock costs as much as some glances.
        for _ in 0..32 {
            if ready() {
                return true;
            }
            std::hint::spin_loop();
        }
        if start.elapsed() >= spin {
            return false;
        }
    }
}

#[cfg(not(feature = "crash-points"))]
#[inline(always)]
pub(crate) fn crash_point() {}
#[cfg(feature = "crash-points")]
pub(crate) use crate::crash::point as crash_point;

#[cfg(all(test, not(loom), not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_its_slice_however_long_it_spins() {
        let bell = Bell::default();
        for spin in [Duration::ZERO, Duration::from_millis(1), Duration::MAX] {
            assert!(!bell.wait(spin, Duration::from_millis(2), || false));
        }
    }
}
