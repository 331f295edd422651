//! The thread that gives back to the driver what nobody uses any more.

use super::inbox::{Inbox, Parcel};
use super::kept::{Kept, Pending, Progress};
use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How soon it looks again for the end of a transfer: at first, and at last.
const SOON: Duration = Duration::from_micros(100);
const LATE: Duration = Duration::from_millis(10);
/// How soon after a refusal an operation of an arena leads to another attempt.
const RESPITE: Duration = Duration::from_millis(10);

/// Whether an operation of an arena should wake the cleaner.
static NUDGE: AtomicBool = AtomicBool::new(false);

/// Whether some duty was refused, and may be tried again.
#[inline]
pub(super) fn wants_nudge() -> bool {
    NUDGE.load(Ordering::Relaxed) && NUDGE.swap(false, Ordering::Relaxed)
}

#[derive(Debug, Default)]
pub(super) struct Cleaner {
    inbox: Inbox<Kept>,
    thread: OnceLock<Thread>,
    /// How often somebody asked for a pass.
    asked: AtomicU64,
    /// Whether the next pass is to try what was refused, too.
    again: AtomicBool,
    board: Mutex<Board>,
    posted: Condvar,
    /// Whether the process ends. Held during each call of the driver.
    exiting: Mutex<bool>,
}

/// What others can see of the cleaner's list.
#[derive(Debug, Default)]
struct Board {
    pending: Vec<Pending>,
    /// How many of those who asked were answered.
    answered: u64,
}

impl Cleaner {
    pub(super) fn is_running(&self) -> bool {
        self.thread.get().is_some()
    }

    /// Starts the thread, which ends with the process; again, it does nothing.
    pub(super) fn start(&'static self) -> Result<()> {
        if self.is_running() {
            return Ok(());
        }
        let started = thread::Builder::new().name("passband-pin".into()).spawn(|| self.run());
        let handle = started.map_err(|error| Error::System { what: "cannot start the cleaner", error })?;
        self.thread.get_or_init(|| handle.thread().clone());
        Ok(())
    }

    /// Takes over what nobody uses any more: no lock, no allocation, no call of the driver.
    pub(super) fn put(&self, kept: Parcel<Kept>) {
        self.inbox.put(kept);
        self.wake();
    }

    fn wake(&self) {
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }

    /// Has what was refused tried again, without waiting for that.
    pub(super) fn nudge(&self) {
        self.again.store(true, Ordering::Release);
        self.wake();
    }

    /// What is left after one more pass; what was left before it, where that takes too long.
    pub(super) fn ask(&self, again: bool, limit: Duration) -> Vec<Pending> {
        if again {
            self.again.store(true, Ordering::Release);
        }
        let mine = self.asked.fetch_add(1, Ordering::AcqRel) + 1;
        self.wake();
        let board = lock(&self.board);
        let answered = self.posted.wait_timeout_while(board, limit, |board| board.answered < mine);
        answered.unwrap_or_else(PoisonError::into_inner).0.pending.clone()
    }

    /// No call of the driver begins after this: the process ends, and its memory with it.
    pub(super) fn stop(&self) {
        // One that is under way is waited for, unless it hangs.
        for _ in 0..1000 {
            if let Ok(mut exiting) = self.exiting.try_lock() {
                *exiting = true;
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn run(&self) {
        let mut list = Vec::new();
        let (mut pause, mut tried) = (SOON, Instant::now());
        loop {
            let asked = self.asked.load(Ordering::Acquire);
            let again = self.again.swap(false, Ordering::AcqRel);
            let changed = self.pass(&mut list, again);
            let pending = list.iter().map(|kept| kept.pending()).collect();
            *lock(&self.board) = Board { pending, answered: asked };
            self.posted.notify_all();
            if again || changed {
                tried = Instant::now();
            }
            pause = if changed { SOON } else { LATE.min(2 * pause) };
            let is_waiting = |kept: &Parcel<Kept>| kept.is_waiting();
            let refused = !list.iter().all(is_waiting);
            if list.iter().any(is_waiting) {
                thread::park_timeout(pause);
            } else if refused && !NUDGE.load(Ordering::Relaxed) {
                thread::park_timeout(RESPITE);
            } else {
                thread::park();
            }
            NUDGE.store(refused && tried.elapsed() >= RESPITE, Ordering::Relaxed);
        }
    }

    /// Tries what is due, and what comes meanwhile: what is let go may bring duties of its own. Whether
    /// the list is another one after that.
    fn pass(&self, list: &mut Vec<Parcel<Kept>>, again: bool) -> bool {
        let before = list.len();
        list.retain_mut(|kept| !((again || kept.is_waiting()) && self.finish(kept)));
        let mut changed = list.len() != before;
        while !self.inbox.is_empty() {
            changed = true;
            list.extend(self.inbox.take().into_iter().filter_map(|mut kept| {
                let done = self.finish(&mut kept);
                (!done).then_some(kept)
            }));
        }
        changed
    }

    /// Tries to do a duty, and lets the owners go if it is done.
    fn finish(&self, kept: &mut Kept) -> bool {
        let exiting = lock(&self.exiting);
        let done = !*exiting && kept.attempt() == Progress::Done;
        // An owner may take its time, and may want to hand something over itself.
        drop(exiting);
        if done {
            let owners = kept.take_owners();
            // The next one is not to suffer from an owner that panics.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(owners)));
        }
        done
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
