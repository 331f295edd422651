//! The two ends of an arena: who holds them, and whether that process still lives.

use crate::error::{Error, Result};
use crate::segment::{Attachment, CLOSED_HERE, FOREIGN, Mapping};
use crate::sync::{Word, fence};
use rustix::event::{PollFd, PollFlags};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags};
use std::fs;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// The claim of an end that was closed, for good.
pub(crate) const CLOSED: u64 = u64::MAX;
/// A claim is a process's start time in ticks and its id, which together never come again.
const PID_BITS: u32 = 22;

/// One of the two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Writer,
    Reader,
}

impl Side {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Writer => "writer",
            Self::Reader => "reader",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Writer => Self::Reader,
            Self::Reader => Self::Writer,
        }
    }

    pub(crate) fn claim(self, mapping: &Mapping) -> &Word {
        let control = mapping.area.control();
        match self {
            Self::Writer => &control.writer.0,
            Self::Reader => &control.reader.0,
        }
    }
}

/// How many forks lie between this process and the first one that used the crate.
pub(crate) fn generation() -> u32 {
    crate::export::forks()
}

/// The claim of this process.
pub(crate) fn this_process() -> u64 {
    // Read once in each process: 0 and the generation of a parent mean that it is to be read.
    static CLAIM: AtomicU64 = AtomicU64::new(0);
    static GENERATION: AtomicU32 = AtomicU32::new(0);
    let generation = generation();
    // The generation is stored last and loaded first: the claim is at least as new.
    let known = GENERATION.load(Ordering::Acquire);
    let claim = CLAIM.load(Ordering::Acquire);
    if claim != 0 && known == generation {
        return claim;
    }
    let pid = std::process::id();
    let claim = start_time(pid).unwrap_or_default() << PID_BITS | u64::from(pid);
    CLAIM.store(claim, Ordering::Release);
    GENERATION.store(generation, Ordering::Release);
    claim
}

pub(crate) fn pid_of(claim: u64) -> u32 {
    (claim & ((1 << PID_BITS) - 1)) as u32
}

/// When a process started, in ticks since the system did.
fn start_time(pid: u32) -> Option<u64> {
    if cfg!(any(miri, loom)) {
        return None;
    }
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything. The start is field 22 of all.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// The pid namespace of this process; 0 where there is none.
pub(crate) fn pid_namespace() -> u64 {
    use std::os::unix::fs::MetadataExt;
    if cfg!(any(miri, loom)) { 0 } else { fs::metadata("/proc/self/ns/pid").map_or(0, |data| data.ino()) }
}

/// An end of an arena that this process holds, and what it knows of the other.
#[derive(Debug)]
pub(crate) struct Endpoint {
    attachment: Arc<Attachment>,
    // Weak, so that a close can unmap: each operation holds an owner of its own.
    mapping: Weak<Mapping>,
    side: Side,
    generation: u32,
    peer: Peer,
}

/// The process at the other end, watched by a descriptor of its own.
#[derive(Debug, Default)]
struct Peer {
    claim: u64,
    pidfd: Option<OwnedFd>,
}

impl Endpoint {
    /// Takes a free end, or that of a dead process.
    pub(crate) fn claim(attachment: Arc<Attachment>, side: Side) -> Result<Self> {
        let mapping = attachment.mapping()?;
        let word = side.claim(&mapping);
        let name = side.name();
        let before = word.load();
        if mapping.is_shut_down() {
            return Err(Error::Closed("it was shut down: make another"));
        }
        if before == CLOSED {
            return Err(Error::Closed(match side {
                Side::Writer => "its writer was closed or dropped, and it has one only: make another arena",
                Side::Reader => "its reader was closed or dropped, and it has one only: make another arena",
            }));
        }
        // A process enters another namespace by being forked into it, with all that its parent has mapped.
        if mapping.namespace != pid_namespace() {
            return Err(Error::Endpoint(FOREIGN.into()));
        }
        if before != 0 && is_alive(before) {
            return Err(Error::Endpoint(format!(
                "process {} is the {name} of this arena: it has one {name} only",
                pid_of(before)
            )));
        }
        if mapping.options.readonly && is_here(&mapping, side.other()) {
            return Err(Error::Endpoint(
                "the units of a read-only arena are read in another process than they are written in".into(),
            ));
        }
        if !word.replace(before, this_process()) {
            return Err(Error::Endpoint(format!("another {name} of this arena was opened just now")));
        }
        // A close on another thread sees the claim, or is seen here.
        fence(Ordering::SeqCst);
        if mapping.is_closed() {
            close(&mapping, side);
            return Err(CLOSED_HERE);
        }
        let (mapping, generation) = (Arc::downgrade(&mapping), generation());
        Ok(Self { attachment, mapping, side, generation, peer: Peer::default() })
    }

    /// The arena, for one operation: none for a forked child, or after a close in this process.
    #[inline]
    pub(crate) fn mapping(&self) -> Result<Arc<Mapping>> {
        crate::pin::nudge();
        if self.generation != generation() {
            return Err(Error::Endpoint(format!(
                "this {} was opened in the process that this one was forked from; open one here",
                self.side.name()
            )));
        }
        match self.mapping.upgrade() {
            Some(mapping) if !mapping.is_closed() => Ok(mapping),
            _ => Err(CLOSED_HERE),
        }
    }

    /// Whether this process has the other end, too.
    pub(crate) fn has_both(&self, mapping: &Mapping) -> bool {
        is_here(mapping, self.side.other())
    }

    /// Whether the other end was closed, or the whole arena shut down.
    #[inline]
    pub(crate) fn peer_closed(&self, mapping: &Mapping) -> bool {
        self.side.other().claim(mapping).load() == CLOSED || mapping.is_shut_down()
    }

    /// Whether anything happened that ends every wait.
    #[inline]
    pub(crate) fn is_over(&self, mapping: &Mapping) -> bool {
        self.peer_closed(mapping) || mapping.is_closed()
    }

    /// An error where the process at the other end has died. Nobody dies at an end that nobody has
    /// claimed: who made the arena may have handed it to two others and gone.
    pub(crate) fn check_peer(&mut self, mapping: &Mapping) -> Result<()> {
        let side = self.side.other();
        let claim = side.claim(mapping).load();
        if claim == 0 || claim == CLOSED || claim == this_process() {
            return Ok(());
        }
        if claim != self.peer.claim {
            self.peer = Peer { claim, pidfd: watch(claim) };
        }
        match &self.peer.pidfd {
            Some(pidfd) if !has_ended(pidfd) => Ok(()),
            _ => Err(Error::PeerDied { side: side.name(), pid: pid_of(claim) }),
        }
    }
}

impl Drop for Endpoint {
    /// Closes this end, for good. The other side sees closed, not died.
    fn drop(&mut self) {
        if self.generation == generation()
            && let Ok(mapping) = self.attachment.mapping()
        {
            close(&mapping, self.side);
        }
    }
}

/// Whether this process holds an end.
fn is_here(mapping: &Mapping, side: Side) -> bool {
    side.claim(mapping).load() == this_process()
}

/// Closes an end if this process holds it.
pub(crate) fn close(mapping: &Mapping, side: Side) -> bool {
    let word = side.claim(mapping);
    let claim = this_process();
    let mine = word.load() == claim && word.replace(claim, CLOSED);
    if mine {
        mapping.ring_both();
    }
    mine
}

/// Whether the process behind a claim lives.
pub(crate) fn is_alive(claim: u64) -> bool {
    claim == this_process() || watch(claim).is_some_and(|pidfd| !has_ended(&pidfd))
}

/// A descriptor of the very process that made a claim; none where it is gone.
fn watch(claim: u64) -> Option<OwnedFd> {
    let pid = Pid::from_raw(pid_of(claim).cast_signed())?;
    let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()?;
    // The id may have passed to a later process; the descriptor was opened first, so this tells.
    (start_time(pid_of(claim))? == claim >> PID_BITS).then_some(pidfd)
}

/// A process that ended is readable, reaped or not.
fn has_ended(pidfd: &OwnedFd) -> bool {
    let mut polled = [PollFd::new(pidfd, PollFlags::IN)];
    rustix::event::poll(&mut polled, Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 }))
        .is_ok_and(|ready| ready > 0)
}
