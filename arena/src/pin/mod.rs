//! Pinned memory, and copies between it and CUDA devices.
//!
//! The driver is loaded when [`Cuda::get`] is called first; nothing here needs it, or any other part of CUDA,
//! to be built. A [`Device`] pins memory, allocates it, and makes [`Stream`]s, in which copies are made while
//! the caller goes on:
//!
//! ```no_run
//! use passband_arena::{Options, SharedMemorySegmentPool, pin::Cuda};
//!
//! let device = Cuda::get()?.default_device()?;
//! let stream = device.stream()?;
//! let options = Options { pin_memory: true, ..Options::default() };
//! let pool = SharedMemorySegmentPool::new(1 << 20, 4, options)?;
//! // The process that reads has the units pinned.
//! let mut reader = pool.open_reader()?;
//! let delivery = reader.next(None)?.expect("it waits for ever");
//! let samples = reader.export(reader.extents()[0])?;
//! reader.end_unit(delivery.ticket)?;
//! let buffer = device.allocate(samples.nbytes())?;
//! let mut transfer = stream.copy_to_device(samples.into(), buffer.range(0, buffer.nbytes())?)?;
//! // Here is time for other things: the unit is not used again before the copy is complete.
//! transfer.wait(None)?;
//! # Ok::<(), passband_arena::Error>(())
//! ```
//!
//! # What is kept
//!
//! A copy owns its source and its destination, and what is pinned owns its bytes, until the driver has said
//! that it is done with them. No drop calls the driver: a thread of its own, the *cleaner*, asks it
//! whether a transfer is complete, and unregisters and frees. What the driver refuses, and what nobody knows the
//! end of, stays where it is: [`pending`] tells of it, and [`retry_cleanup`] has it tried again, as does each
//! operation of an arena. When the process ends with something pending, it stays mapped to the last.

mod arena;
mod blocks;
mod cleaner;
mod cuda;
mod driver;
mod inbox;
mod kept;
mod library;
mod memory;
mod transfer;

pub(crate) use arena::{Pinned, require};
pub use blocks::{PinnedBlock, PinnedBlocks};
pub(crate) use cuda::nudge;
pub use cuda::{Cuda, Device, pending, retry_cleanup};
pub use kept::{Owner, Pending, State};
pub use memory::{DeviceBuffer, DeviceRange, HostRange, Registered};
pub use transfer::{Stream, Transfer};
