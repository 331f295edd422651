//! Shared memory for blocks of samples, whose bytes outlive every wrapper.
//!
//! One process writes a block of samples into an arena, and another reads it where it lies. Bytes that
//! somebody still uses are never overwritten and never unmapped: not when a view's first wrapper is
//! gone, not after a close or an unlink, and not when a process dies.
//!
//! * A **pool** ([`SharedMemorySegmentPool`]) gives each unit a segment of its own. The reader sees the
//!   unit's own bytes, and the segment is used again when the last [`Export`] of it is dropped.
//! * A **ring** ([`SharedMemoryRingBuffer`]) is one queue of bytes. The reader copies each unit once,
//!   and its span is free at once.
//!
//! Both are an [`Arena`] with one [`Writer`] and one [`Reader`], usually in two processes. There is no
//! lock and no helper thread between them: they exchange aligned words, spin for a moment, and sleep on a
//! futex. A dead process is noticed by its pidfd. Nothing has a name unless it is asked for, so that
//! nothing can be left behind. Linux only.
//!
//! The crate knows nothing of signal processing. A kernel of `passband-kernels` meets it only where the
//! kernel's `out` slice lies in a unit of the arena.
//!
//! ```
//! use passband_arena::{Options, SharedMemorySegmentPool};
//!
//! let pool = SharedMemorySegmentPool::new(4096, 2, Options::default())?;
//! let (mut writer, mut reader) = (pool.open_writer()?, pool.open_reader()?);
//!
//! writer.begin(5)?;
//! writer.write(b"hello".as_slice())?;
//! writer.commit(b"a greeting")?;
//!
//! let delivery = reader.next(None)?.expect("a unit");
//! assert_eq!(reader.body(), b"a greeting");
//! let hello = reader.export(reader.extents()[0])?;
//! reader.end_unit(delivery.ticket)?;
//! pool.close();
//! pool.unlink();
//! assert_eq!(hello.to_vec(), b"hello");
//! # Ok::<(), passband_arena::Error>(())
//! ```

#[cfg(not(target_os = "linux"))]
compile_error!("passband-arena needs Linux: memfd, futex and pidfd");

mod arena;
#[cfg(feature = "crash-points")]
pub mod crash;
mod endpoint;
mod error;
#[expect(unsafe_code, reason = "hands out addresses of shared memory")]
mod export;
#[expect(unsafe_code, reason = "overlays words on shared memory")]
mod layout;
mod lease;
#[cfg(all(test, loom))]
mod models;
mod options;
mod pool;
mod reader;
mod record;
mod recover;
mod ring;
#[expect(unsafe_code, reason = "maps and copies shared memory")]
mod segment;
mod space;
mod sync;
mod ticket;
mod unit;
mod writer;

pub use arena::{Arena, SharedMemoryRingBuffer, SharedMemorySegmentPool};
pub use error::{Blocker, Error, Full, Result, TooLarge};
pub use export::Export;
pub use options::Options;
pub use reader::{Delivery, HeldUnit, Reader};
pub use record::{ArenaId, Extent, Kind};
pub use segment::{Source, bytes_copied, sweep};
pub use ticket::Ticket;
pub use writer::{SLICE, Writer};
