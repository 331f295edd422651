//! Leases: the count of a unit's exports in this process, and what happens when the last is gone.

use crate::endpoint::generation;
use crate::segment::{Data, Mapping};
use crate::sync::{AtomicBool, Counted, Ordering};
use std::sync::Arc;

/// The exports of one unit: each has a share, and dropping the last one releases the unit.
///
/// Dropping cannot block: a few stores, and a wake-up where the writer sleeps. It takes no lock, allocates
/// nothing, and is right on any thread, inside a garbage collection, and after a close. In a forked
/// child it changes nothing.
#[derive(Debug)]
pub(crate) struct Lease {
    mapping: Arc<Mapping>,
    generation: u32,
    held: Held,
}

/// Whose arrays a lease counts.
#[derive(Debug)]
pub(crate) enum Held {
    /// The reader's, in a unit that it was given.
    Unit { segment: usize, unit: u64 },
    /// The writer's own, in a unit that it is writing or has sent.
    Own(Arc<Released>),
}

/// Whether the writer's own arrays of a unit are gone.
#[derive(Debug, Default)]
pub(crate) struct Released(AtomicBool);

impl Released {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Lease {
    pub(crate) fn new(mapping: Arc<Mapping>, held: Held) -> Counted<Self> {
        Counted::new(Self { mapping, generation: generation(), held })
    }

    /// The bytes among which the unit lies; the lease keeps them mapped.
    pub(crate) fn data(&self) -> &Data {
        &self.mapping.data
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.generation != generation() {
            return;
        }
        match &self.held {
            Held::Unit { segment, unit } => self.mapping.area.unit(*segment).released.store(unit + 1),
            Held::Own(released) => released.0.store(true, Ordering::Release),
        }
        self.mapping.area.control().writer_bell.0.ring();
    }
}
