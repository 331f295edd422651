//! What the driver has still to be asked before bytes may be let go.
//!
//! A pinned range is *registered* while anybody has it, *draining* while only transfers do, *unregistering*
//! until the driver has let go of it, and unmapped after that. Each step is a duty that can be tried
//! again; what a duty guards is dropped when it is done, and brings its own duties with it: a finished
//! transfer lets go of its unit, the last unit of the mapping, and the mapping is unregistered.

use super::cuda::Device;
use super::driver::{Answer, Driver, EventId, Refusal, StreamId, code};
use super::inbox::Parcel;
use crate::endpoint::generation;
use std::fmt;

/// What keeps bytes where they are for as long as it is not dropped.
pub type Owner = Box<dyn Send>;

/// Something that this process still owes the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// What is kept.
    pub what: String,
    /// Its size; 0 for what has none.
    pub nbytes: usize,
    /// What is to happen next.
    pub state: State,
    /// Why that has not happened.
    pub why: String,
    /// How often it was tried.
    pub attempts: u64,
}

impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, state, why, attempts, .. } = self;
        write!(f, "{what}: {state}, after {attempts} attempts: {why}")
    }
}

/// What is to happen next with something that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// A transfer may still read or write it.
    Draining,
    /// It is still pinned.
    Unregistering,
    /// It is to be given back to the driver.
    Freeing,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draining => "draining",
            Self::Unregistering => "unregistering",
            Self::Freeing => "freeing",
        })
    }
}

/// One thing to be asked of the driver, until it has said yes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Duty {
    /// To see an event come, which was recorded behind a transfer.
    AwaitEvent(EventId),
    /// To see all of a stream come: no event could be recorded.
    AwaitStream(StreamId),
    Unregister(usize),
    FreeHost(usize),
    FreeDevice(u64),
    DestroyStream(StreamId),
    DestroyEvent(EventId),
}

impl Duty {
    fn attempt(self, driver: &dyn Driver) -> Answer<bool> {
        // SAFETY: a duty has what the driver gave or was given, and ends when it was given back.
        unsafe {
            match self {
                Self::AwaitEvent(event) => return driver.query_event(event),
                Self::AwaitStream(stream) => return driver.query_stream(stream),
                Self::Unregister(start) => driver.unregister(start),
                Self::FreeHost(start) => driver.free_host(start),
                Self::FreeDevice(address) => driver.free_device(address),
                Self::DestroyStream(stream) => driver.destroy_stream(stream),
                Self::DestroyEvent(event) => driver.destroy_event(event),
            }
        }
        .map(|()| true)
    }

    /// The code by which the driver says that there is nothing to give back.
    fn nothing_there(self) -> Option<u32> {
        match self {
            Self::AwaitEvent(_) | Self::AwaitStream(_) => None,
            Self::Unregister(_) => Some(code::NOT_REGISTERED),
            Self::FreeHost(_) | Self::FreeDevice(_) => Some(code::INVALID_VALUE),
            Self::DestroyStream(_) | Self::DestroyEvent(_) => Some(code::INVALID_HANDLE),
        }
    }

    fn state(self) -> State {
        match self {
            Self::AwaitEvent(_) | Self::AwaitStream(_) => State::Draining,
            Self::Unregister(_) => State::Unregistering,
            Self::FreeHost(_) | Self::FreeDevice(_) | Self::DestroyStream(_) | Self::DestroyEvent(_) => {
                State::Freeing
            }
        }
    }
}

/// A duty, and what may go when it is done.
pub(super) struct Kept {
    device: Device,
    duty: Duty,
    what: String,
    nbytes: usize,
    attempts: u64,
    /// Whether an earlier call may have done it, whatever it answered.
    doubtful: bool,
    refusal: Option<Refusal>,
    // Dropped in this order.
    owners: Vec<Owner>,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Done,
    NotYet,
    Refused,
}

impl Kept {
    pub(super) fn attempt(&mut self) -> Progress {
        let mut asked = false;
        let answer = self.device.within(|driver| {
            asked = true;
            self.duty.attempt(driver)
        });
        self.attempts += 1;
        self.refusal = answer.err();
        match answer {
            Ok(true) => Progress::Done,
            Ok(false) => Progress::NotYet,
            Err(refusal) if asked && self.doubtful && self.duty.nothing_there() == Some(refusal.code) => {
                Progress::Done
            }
            Err(_) => {
                self.doubtful |= asked;
                Progress::Refused
            }
        }
    }

    /// Whether it waits for the device, rather than for another attempt.
    pub(super) fn is_waiting(&self) -> bool {
        self.refusal.is_none()
    }

    pub(super) fn take_owners(&mut self) -> Vec<Owner> {
        std::mem::take(&mut self.owners)
    }

    pub(super) fn pending(&self) -> Pending {
        let why = match (self.refusal, self.attempts) {
            (Some(refusal), _) => self.device.cuda().explain(refusal),
            (None, 0) => "not tried yet".into(),
            (None, _) => "the device has not come to its end".into(),
        };
        let Self { what, nbytes, attempts, .. } = self;
        Pending { what: what.clone(), nbytes: *nbytes, state: self.duty.state(), why, attempts: *attempts }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, duty, .. } = self;
        f.debug_struct("Kept").field("what", what).field("duty", duty).finish_non_exhaustive()
    }
}

/// Holds what is kept while somebody uses it, and hands it to the cleaner after that.
///
/// Dropping it calls no driver, takes no lock, and allocates nothing. In a forked child, where the driver
/// is out of reach, it only lets the owners go.
pub(super) struct Keep {
    kept: Option<Parcel<Kept>>,
    /// Whether there is nothing to ask the driver for.
    free: bool,
    generation: u32,
}

// SAFETY: nobody gets at the owners by a shared reference; they are only ever dropped.
unsafe impl Sync for Keep {}

impl Keep {
    pub(super) fn new(
        device: Device,
        duty: Duty,
        what: impl Into<String>,
        nbytes: usize,
        owners: Vec<Owner>,
    ) -> Self {
        let (what, attempts, doubtful, refusal) = (what.into(), 0, false, None);
        let kept = Kept { device, duty, what, nbytes, attempts, doubtful, refusal, owners };
        Self { kept: Some(Parcel::new(kept)), free: false, generation: generation() }
    }

    /// Sees to it that the owners go when this is dropped, wherever that is.
    pub(super) fn release(&mut self) {
        self.free = true;
    }

    /// From here on it is an event that tells.
    pub(super) fn await_event(&mut self, event: EventId) {
        if let Some(kept) = &mut self.kept {
            kept.duty = Duty::AwaitEvent(event);
        }
    }

    /// An earlier call may have done what is to be asked for, whatever it answered.
    pub(super) fn doubt(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.doubtful = true;
        }
    }
}

impl Drop for Keep {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take()
            && !self.free
            && self.generation == generation()
        {
            kept.device.cuda().cleaner.put(kept);
        }
    }
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keep").field(&self.kept).finish()
    }
}
