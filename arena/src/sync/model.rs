//! Loom's side of the facade, and the faults that show what the models would notice.

use super::Bell;
use loom::cell::{Cell, UnsafeCell};
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32};
use loom::sync::{Condvar, atomic};
pub(crate) use loom::sync::{Mutex, MutexGuard};
use std::ops::{Deref, Range};
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What the environment variable `PASSBAND_PLANTED` can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing stands between the two steps of who sleeps, and of who rings.
    NoFence,
    /// What is stored before a word is not seen after it.
    Unpublished,
    /// The last share of a lease goes without having seen the others go.
    Uncounted,
    /// A unit is released while it is read.
    EarlyRelease,
}

const FAULTS: [Fault; 4] = [Fault::NoFence, Fault::Unpublished, Fault::Uncounted, Fault::EarlyRelease];

pub(crate) fn is_planted(fault: Fault) -> bool {
    static PLANTED: LazyLock<Option<Fault>> = LazyLock::new(|| {
        let name = std::env::var("PASSBAND_PLANTED").ok()?;
        Some(FAULTS.into_iter().find(|fault| format!("{fault:?}") == name).expect("a fault of this name"))
    });
    *PLANTED == Some(fault)
}

fn unless(fault: Fault, order: Ordering) -> Ordering {
    if is_planted(fault) { Ordering::Relaxed } else { order }
}

pub(crate) fn fence(order: Ordering) {
    if !is_planted(Fault::NoFence) {
        atomic::fence(order);
    }
}

#[derive(Debug, Default)]
pub(crate) struct AtomicU64(atomic::AtomicU64);

impl AtomicU64 {
    pub(crate) fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    pub(crate) fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, unless(Fault::Unpublished, order));
    }

    pub(crate) fn compare_exchange(
        &self,
        from: u64,
        to: u64,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u64, u64> {
        self.0.compare_exchange(from, to, success, failure)
    }
}

/// No atomic: loom reports a load beside a store.
#[derive(Debug, Default)]
pub(crate) struct Plain(Cell<u64>);

impl Plain {
    pub(crate) fn load(&self) -> u64 {
        self.0.get()
    }

    pub(crate) fn store(&self, value: u64) {
        self.0.set(value);
    }
}

/// Loom has no processors, and nobody spins.
#[derive(Debug, Default)]
pub(crate) struct Processor;

impl Processor {
    #[expect(clippy::unused_self, reason = "the real one is a word")]
    pub(crate) fn note(&self) {}

    #[expect(clippy::unused_self, reason = "the real one is a word")]
    pub(crate) fn is_this(&self) -> bool {
        false
    }
}

/// What one cell of a [`Watch`] stands for.
const CELL: usize = 64;

/// The bytes of the segments as loom sees them.
#[derive(Debug)]
pub(crate) struct Watch(Vec<UnsafeCell<()>>);

impl Watch {
    pub(crate) fn new(nbytes: usize) -> Self {
        Self((0..nbytes.div_ceil(CELL)).map(|_| UnsafeCell::new(())).collect())
    }

    pub(crate) fn touch(&self, bytes: Range<usize>, write: bool) {
        for cell in &self.0[bytes.start / CELL..bytes.end.div_ceil(CELL)] {
            if write { cell.with_mut(|_| ()) } else { cell.with(|_| ()) }
        }
    }
}

/// An `Arc` whose count loom sees; its own has no `Weak`.
#[derive(Debug)]
pub(crate) struct Counted<T>(std::sync::Arc<Count<T>>);

#[derive(Debug)]
pub(crate) struct CountedWeak<T>(std::sync::Weak<Count<T>>);

#[derive(Debug)]
struct Count<T> {
    shares: atomic::AtomicUsize,
    value: T,
}

impl<T> Counted<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(std::sync::Arc::new(Count { shares: atomic::AtomicUsize::new(1), value }))
    }

    pub(crate) fn downgrade(this: &Self) -> CountedWeak<T> {
        CountedWeak(std::sync::Arc::downgrade(&this.0))
    }

    pub(crate) fn strong_count(this: &Self) -> usize {
        this.0.shares.load(Ordering::Relaxed)
    }
}

impl<T> Clone for Counted<T> {
    fn clone(&self) -> Self {
        self.0.shares.fetch_add(1, Ordering::Relaxed);
        Self(self.0.clone())
    }
}

impl<T> Deref for Counted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        self.0.shares.fetch_sub(1, unless(Fault::Uncounted, Ordering::AcqRel));
    }
}

impl<T> CountedWeak<T> {
    pub(crate) fn strong_count(&self) -> usize {
        self.0.strong_count()
    }
}

/// What a [`Bell`] has in place of the system's futex.
#[derive(Debug, Default)]
pub(crate) struct Bed(Mutex<()>, Condvar);

impl Bell {
    pub(super) fn wake(&self) {
        drop(self.bed.0.lock().unwrap());
        self.bed.1.notify_one();
    }

    /// Loom has no time: who sleeps here unrung sleeps for ever, and loom reports it.
    pub(super) fn sleep(&self, rings: u32, _: Duration) {
        let guard = self.bed.0.lock().unwrap();
        if self.rings.load(Ordering::Acquire) == rings {
            drop(self.bed.1.wait(guard).unwrap());
        }
    }
}
