//! The name of a unit.

use crate::record::ArenaId;
use std::fmt;

/// Names a unit: its arena, its pass, its number, and the bytes that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The arena.
    pub arena: ArenaId,
    /// The pass that it belongs to.
    pub pass: u64,
    /// Its number in the stream, which never comes again.
    pub unit: u64,
    /// The bytes that it takes.
    pub nbytes: usize,
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unit {} of pass {} of arena {}", self.unit, self.pass, self.arena)
    }
}
