//! Numbered places to die at: one before every store to shared memory.
//!
//! A test lists the points that a process passes, then runs the process once for each, killed there.

use std::panic::Location;
use std::sync::{Mutex, PoisonError};

static PASSED: Mutex<Passed> = Mutex::new(Passed { fatal: usize::MAX, places: Vec::new() });

struct Passed {
    fatal: usize,
    places: Vec<&'static Location<'static>>,
}

/// Counts from here on, and kills the process with SIGKILL at the point of this number.
///
/// `usize::MAX` kills at none.
pub fn arm(fatal: usize) {
    *PASSED.lock().unwrap_or_else(PoisonError::into_inner) = Passed { fatal, places: Vec::new() };
}

/// The points passed since [`arm`], each as the file and line of its store.
#[must_use]
pub fn passed() -> Vec<String> {
    let passed = PASSED.lock().unwrap_or_else(PoisonError::into_inner);
    passed.places.iter().map(|place| format!("{}:{}", place.file(), place.line())).collect()
}

/// Passes a point, or dies at it, its number and place on standard error.
#[track_caller]
pub(crate) fn point() {
    let mut passed = PASSED.lock().unwrap_or_else(PoisonError::into_inner);
    let (number, place) = (passed.places.len(), Location::caller());
    if number == passed.fatal {
        eprintln!("crash point {number} at {}:{}", place.file(), place.line());
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
    passed.places.push(place);
}
