//! Everything the driver knows, behind one lock.

use crate::control::{Failure, obey};
use crate::memory::Allocation;
use crate::streams::{Event, Stream};
use crate::{NO_DEVICE, NOT_INITIALIZED};
use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A device by its number, and its primary context.
pub(crate) type Device = usize;
pub(crate) type Outcome<T = ()> = Result<T, c_uint>;

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) devices: usize,
    pub(crate) delay: Duration,
    pub(crate) hold: bool,
    pub(crate) failures: Vec<Failure>,
    /// How many calls have failed on demand.
    pub(crate) failed: u64,
    pub(crate) calls: BTreeMap<&'static str, u64>,
    pub(crate) faults: Vec<String>,
    pub(crate) initialized_by: Option<u32>,
    /// What others have allocated and registered.
    pub(crate) registered: BTreeMap<usize, usize>,
    pub(crate) allocated: BTreeMap<usize, Allocation>,
    /// What was freed. It stays mapped, with other bytes in it.
    pub(crate) freed: Vec<(usize, usize)>,
    pub(crate) streams: BTreeMap<usize, Stream>,
    pub(crate) events: BTreeMap<usize, Event>,
    pub(crate) handles: usize,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| {
    let mut state = State { devices: 2, ..State::default() };
    let commands = std::env::var("PASSBAND_TEST_DRIVER").unwrap_or_default();
    obey(&mut state, &commands).expect("commands as the test driver knows them");
    Mutex::new(state)
});
/// Tells of each change.
static CHANGED: Condvar = Condvar::new();

pub(crate) fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn notify() {
    CHANGED.notify_all();
}

/// Waits for a change, or for some time to pass.
pub(crate) fn wait(state: MutexGuard<'static, State>, time: Duration) -> MutexGuard<'static, State> {
    CHANGED.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
}

impl State {
    pub(crate) fn initialize(&mut self) -> Outcome {
        if self.devices == 0 {
            return Err(NO_DEVICE);
        }
        // In a forked child, the driver of its parent is out of reach.
        let pid = std::process::id();
        let first = *self.initialized_by.get_or_insert(pid);
        if first == pid { Ok(()) } else { Err(NOT_INITIALIZED) }
    }

    pub(crate) fn fault(&mut self, what: String) {
        self.faults.push(what);
    }

    /// The same, unless a call has failed on demand: who calls may be in doubt from then on.
    pub(crate) fn misuse(&mut self, what: String) {
        if self.failed == 0 {
            self.fault(what);
        }
    }

    pub(crate) fn handle(&mut self) -> usize {
        self.handles += 1;
        // Small numbers, which no memory has.
        self.handles * 16
    }

    /// What was made and not given back.
    pub(crate) fn live(&self) -> [(&'static str, usize); 6] {
        let (host, device): (Vec<_>, Vec<_>) =
            self.allocated.values().partition(|allocation| allocation.device.is_none());
        [
            ("registered", self.registered.len()),
            ("pinned", host.len()),
            ("device", device.len()),
            ("streams", self.streams.values().filter(|stream| !stream.destroyed).count()),
            ("events", self.events.len()),
            ("queued", self.streams.values().map(|stream| stream.work.len()).sum()),
        ]
    }
}
