//! What can go wrong, in words that say what to do.

use std::io;
use std::time::Duration;

/// An error of an arena; its text gives sizes, unit, age, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No room came free within the time allowed.
    #[error("{0}")]
    Full(Full),
    /// A unit that no state of the arena could hold.
    #[error("{0}")]
    TooLarge(TooLarge),
    /// A ticket that is not the one of the unit being read.
    #[error(
        "ticket of {given}, but the unit being read is {expected}: end units once each, in the order they came"
    )]
    Ticket {
        /// The unit being read.
        expected: String,
        /// What the ticket names.
        given: String,
    },
    /// The arena, or the other side's endpoint, was closed.
    #[error("the arena is closed: {0}")]
    Closed(&'static str),
    /// The reader has begun another pass: what belongs to the one before is not wanted any more.
    #[error("the reader has begun another pass")]
    Superseded,
    /// An endpoint that is taken, used up, or used in the wrong way.
    #[error("{0}")]
    Endpoint(String),
    /// The process at the other end has died.
    ///
    /// An end that nobody has opened yet is waited for: whoever made the arena may have handed it on
    /// and gone.
    #[error("the {side} of the arena, process {pid}, has died")]
    PeerDied {
        /// Which end it held: `writer` or `reader`.
        side: &'static str,
        /// Its process id.
        pid: u32,
    },
    /// The memory that was asked for is not there.
    #[error("cannot reserve {wanted} bytes of shared memory: {why}")]
    Memory {
        /// The size of the arena in bytes.
        wanted: u64,
        /// What was found, and what to do.
        why: String,
        /// The error of the system behind it.
        errno: i32,
    },
    /// Shared memory that says what cannot be.
    #[error("the arena is corrupt: {0}; close it and start anew")]
    Corrupt(&'static str),
    /// An argument outside what it may be.
    #[error("{argument}: expected {expected}, got {given}")]
    Argument {
        /// The name of the argument.
        argument: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it was.
        given: String,
    },
    /// Nothing can be pinned here: there is no CUDA driver, no device, or no support in this build.
    #[error("CUDA cannot be used here: {0}")]
    NoCuda(String),
    /// A process that was forked from one in which CUDA is in use.
    #[error(
        "CUDA is in use in process {pid}, from which this one was forked, and works in that one only: \
         start processes by spawn or forkserver, or pin nothing before the fork"
    )]
    ForkedCuda {
        /// The process that uses CUDA.
        pid: u32,
    },
    /// A call of the CUDA driver that failed.
    #[error("{0}")]
    Driver(Box<DriverError>),
    /// What carries envelopes without room in the arena refused one.
    #[error("the carrier of an envelope failed: {0}")]
    Carrier(Box<dyn std::error::Error + Send + Sync>),
    /// An error of the operating system.
    #[error("{what}: {error}")]
    System {
        /// What was attempted.
        what: &'static str,
        /// What the system said.
        error: io::Error,
    },
}

/// What a writer waited for in vain.
#[derive(Debug, Clone)]
pub struct Full {
    /// How long it waited.
    pub waited: Duration,
    /// What is in the way.
    pub blocker: Blocker,
    /// The bytes that the unit asked for, where that matters, and those that are free.
    pub ring: Option<(usize, usize)>,
}

/// What keeps a writer from starting a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocker {
    /// So many units are committed and not yet read.
    Undelivered(u64),
    /// The oldest unit that the reader still holds, and the seconds since it was committed.
    Held {
        /// Its number.
        unit: u64,
        /// Its age.
        age: Duration,
    },
    /// The writer's own arrays in a unit already sent, which only this process can let go.
    Own {
        /// Its number; none for an aborted unit.
        unit: Option<u64>,
    },
}

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ring {
            None => write!(f, "segment pool exhausted: no free segment ")?,
            Some((needed, free)) => {
                write!(f, "shared-memory arena full: need {needed} bytes but only {free} free ")?;
            }
        }
        match self.waited.as_secs_f64() {
            0.0 => write!(f, "and acquire_timeout=0")?,
            seconds => write!(f, "after waiting {seconds:.1} s")?,
        }
        match self.blocker {
            Blocker::Undelivered(units) => write!(f, "; {units} units wait to be read: read them"),
            Blocker::Held { unit, age } => write!(
                f,
                "; the reader holds unit {unit}, sent {:.1} s ago: drop what refers to it, \
                 make room for more units, or copy what is to be kept",
                age.as_secs_f64()
            ),
            Blocker::Own { unit: Some(unit) } => write!(
                f,
                "; this process still holds its own arrays in unit {unit}, which only it can end: \
                 drop them after they are sent"
            ),
            Blocker::Own { unit: None } => write!(
                f,
                "; this process still holds its own arrays in a unit that it gave up, \
                 which only it can end: drop them"
            ),
        }
    }
}

/// What cannot fit.
#[derive(Debug, Clone, Copy)]
pub struct TooLarge {
    /// The bytes that it would have.
    pub needed: usize,
    /// The bytes that it may have.
    pub limit: usize,
    /// What sets the limit.
    pub limited_by: Limit,
}

/// What limits the bytes of a unit, or of a record without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The segments of a pool.
    Segment,
    /// The capacity of a ring.
    Ring,
    /// What the unit itself was begun with.
    Begun,
    /// A record without a unit, whose envelope nothing carries.
    Record,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { needed, limit, limited_by } = self;
        match limited_by {
            Limit::Segment => write!(
                f,
                "unit exceeds segment_size ({limit}): it needs {needed} bytes; \
                 increase SharedMemorySegmentPool segment_size"
            ),
            Limit::Ring => write!(
                f,
                "unit would exceed ring capacity ({limit}): it needs {needed} bytes; \
                 increase SharedMemoryRingBuffer capacity"
            ),
            Limit::Begun => write!(
                f,
                "unit exceeds the nbytes that it was begun with ({limit}): it needs {needed} bytes; \
                 begin it with a larger nbytes"
            ),
            Limit::Record => write!(
                f,
                "record exceeds the {limit} bytes of an envelope without a unit: it needs {needed} bytes; \
                 give it a pipe"
            ),
        }
    }
}

/// What the CUDA driver said when it refused a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverError {
    /// What was attempted.
    pub doing: String,
    /// The call, by its C name.
    pub call: &'static str,
    /// What it answered.
    pub code: u32,
    /// The name of that code.
    pub name: String,
    /// What the driver says of it.
    pub text: String,
}

impl DriverError {
    /// The call and its answer.
    pub(crate) fn cause(&self) -> String {
        let Self { call, code, name, text, .. } = self;
        format!("{call} answered {code}, {name} ({text})")
    }
}

impl std::fmt::Display for DriverError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.doing, self.cause())
    }
}

/// A result of an arena.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn system(what: &'static str) -> impl Fn(rustix::io::Errno) -> Self {
        move |errno| Self::System { what, error: errno.into() }
    }

    pub(crate) fn random(error: getrandom::Error) -> Self {
        Self::System { what: "no random numbers", error: io::Error::other(error) }
    }
}
