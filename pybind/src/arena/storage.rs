//! What an export of Python's stands for: bytes of a unit, or pinned ones.

use passband_arena::Export;
use passband_arena::pin::{PinnedBlock, Registered};
use std::ptr::NonNull;

/// Bytes, and what keeps them. Dropping it blocks nobody and runs no Python.
pub(crate) enum Storage {
    Unit(Export),
    Block(PinnedBlock),
    Registered(Registered),
}

impl Storage {
    pub(super) fn start(&self) -> NonNull<u8> {
        match self {
            Self::Unit(export) => export.as_ptr(),
            Self::Block(block) => block.as_ptr(),
            Self::Registered(registered) => registered.as_ptr(),
        }
    }

    pub(super) fn nbytes(&self) -> usize {
        match self {
            Self::Unit(export) => export.nbytes(),
            Self::Block(block) => block.nbytes(),
            Self::Registered(registered) => registered.nbytes(),
        }
    }

    pub(super) fn is_readonly(&self) -> bool {
        matches!(self, Self::Unit(export) if export.is_readonly())
    }
}

impl From<Export> for Storage {
    fn from(export: Export) -> Self {
        Self::Unit(export)
    }
}

impl From<PinnedBlock> for Storage {
    fn from(block: PinnedBlock) -> Self {
        Self::Block(block)
    }
}

impl From<Registered> for Storage {
    fn from(registered: Registered) -> Self {
        Self::Registered(registered)
    }
}
