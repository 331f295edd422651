//! What stands for pinned memory in a build without it.

use crate::error::{Error, Result};
use crate::segment::Mapping;

#[inline(always)]
pub(crate) fn nudge() {}

/// Refuses to pin anything.
pub(crate) fn require() -> Result<()> {
    Err(absent())
}

fn absent() -> Error {
    Error::NoCuda("passband-arena was built without its feature `cuda`".into())
}

/// What pins a mapping: nothing.
#[derive(Debug)]
pub(crate) enum Registered {}

/// What pins the bytes that a reader hands out: nothing.
#[derive(Debug)]
pub(crate) enum Pinned {}

impl Pinned {
    pub(crate) fn of(mapping: &Mapping) -> Result<Self> {
        mapping.pin(|_, _, _| Err(absent())).and_then(|()| Err(absent()))
    }
}
