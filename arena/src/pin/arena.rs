//! What is pinned of an arena, in the process that reads.

use super::blocks::PinnedBlocks;
use super::cuda::Cuda;
use super::memory::HostRange;
use crate::error::Result;
use crate::segment::Mapping;

/// Refuses to pin anything where there is no CUDA.
pub(crate) fn require() -> Result<()> {
    Cuda::get().map(drop)
}

/// What pins the bytes that a reader hands out.
#[derive(Debug)]
pub(crate) enum Pinned {
    /// A pool's mapping, which holds its registration itself: exports outlive the reader.
    Pool,
    /// What is copied out of a ring.
    Ring(PinnedBlocks),
}

impl Pinned {
    pub(crate) fn of(mapping: &Mapping) -> Result<Self> {
        let device = Cuda::get()?.default_device()?;
        if mapping.geometry.is_ring() {
            return Ok(Self::Ring(device.pinned_blocks(mapping.geometry.segment_size)));
        }
        mapping.pin(|start, nbytes, owner| {
            let what = format!("the mapping of arena {}, {nbytes} bytes", mapping.id);
            // SAFETY: the owner keeps the bytes mapped, and they are no Rust object's.
            device.register_as(what, unsafe { HostRange::from_raw(start, nbytes, owner) })
        })?;
        Ok(Self::Pool)
    }
}
