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
//! With the feature `cuda`, units can be pinned for copies to and from a CUDA device, and are kept until
//! those are complete: see the module `pin`.
//!
//! The crate knows nothing of signal processing. A kernel of `passband-kernels` meets it only where the
//! kernel's `out` slice lies in a unit of the arena.
//!
//! Two processes: the child is the same program, and gets the arena as its standard input.
//!
//! ```standalone_crate
//! use passband_arena::{Arena, Error, Options, SharedMemorySegmentPool};
//! use std::os::fd::AsFd;
//! use std::process::{Command, Stdio};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     if std::env::var_os("EXAMPLE_WRITER").is_some() {
//!         return write();
//!     }
//!     let pool = SharedMemorySegmentPool::new(4096, 2, Options::default())?;
//!     let mut reader = pool.open_reader()?;
//!     let mut child = Command::new(std::env::current_exe()?)
//!         .env("EXAMPLE_WRITER", "1")
//!         .stdin(Stdio::from(pool.descriptor()?))
//!         .spawn()?;
//!     let mut received = Vec::new();
//!     let end = loop {
//!         match reader.next(None) {
//!             Ok(Some(delivery)) => {
//!                 // Its own bytes, where the child wrote them. They stay as they are for as long as this lives.
//!                 let samples = reader.export(reader.extents()[0])?;
//!                 reader.end_unit(delivery.ticket)?;
//!                 received.push(samples.to_vec());
//!             }
//!             Ok(None) => unreachable!("it waits for ever"),
//!             Err(end) => break end,
//!         }
//!     };
//!     assert!(matches!(end, Error::Closed(_)), "{end}");
//!     assert!(child.wait()?.success());
//!     assert_eq!(received, (0..10).map(|block| vec![block; 4096]).collect::<Vec<_>>());
//!     Ok(())
//! }
//!
//! fn write() -> Result<(), Box<dyn std::error::Error>> {
//!     let pool = Arena::attach(std::io::stdin().as_fd().try_clone_to_owned()?)?;
//!     let mut writer = pool.open_writer()?;
//!     for block in 0..10 {
//!         writer.begin(4096)?;
//!         // A kernel's `out` could be here. A full pool makes the writer wait.
//!         let (_, mut samples) = writer.place(4096)?;
//!         samples.fill(&[block; 4096]);
//!         writer.commit(b"what the samples are")?;
//!     }
//!     Ok(())
//! }
//! ```
//!
//! One process, with both ends:
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
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
#[expect(unsafe_code, reason = "overlays words on shared memory")]
mod layout;
mod lease;
#[cfg(all(test, loom))]
mod models;
mod options;
#[cfg(feature = "cuda")]
#[expect(unsafe_code, reason = "gives addresses to the CUDA driver")]
pub mod pin;
#[cfg(not(feature = "cuda"))]
#[path = "unpinned.rs"]
mod pin;
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
pub use error::{Blocker, DriverError, Error, Full, Limit, Result, TooLarge};
pub use export::Export;
pub use layout::Carried;
pub use options::Options;
pub use reader::{Delivery, HeldUnit, Reader};
pub use record::{ArenaId, Extent, Kind, envelope_in_unit};
pub use segment::{Source, bytes_copied, sweep};
pub use ticket::Ticket;
pub use writer::{Carrier, SLICE, Writer};
