//! The two kinds of arena as their users see them.

use crate::error::{Error, Result};
use crate::options::Options;
use crate::reader::Reader;
use crate::record::ArenaId;
use crate::segment::{Attachment, File, Mapping};
use crate::writer::Writer;
use rustix::fd::{OwnedFd, RawFd};
use std::sync::Arc;

/// A pool or a ring of shared memory, as far as this process has to do with it.
///
/// Clones are the same arena. What was exported from it stays readable after every close and unlink.
#[derive(Debug, Clone)]
pub struct Arena {
    pub(crate) attachment: Arc<Attachment>,
    id: ArenaId,
    segment_size: usize,
    count: usize,
    options: Options,
}

impl Arena {
    fn new(mapping: Arc<Mapping>, file: Option<File>) -> Self {
        let (id, geometry, options) = (mapping.id, mapping.geometry, mapping.options);
        let attachment = Attachment::new(mapping, file);
        let (segment_size, count) = (geometry.segment_size, geometry.count);
        Self { attachment, id, segment_size, count, options }
    }

    fn in_shared_memory((mapping, file): (Arc<Mapping>, File)) -> Self {
        Self::new(mapping, Some(file))
    }

    /// Attaches the arena behind a descriptor from [`Arena::descriptor`] of another process.
    ///
    /// A process maps an arena once, however often it attaches it.
    ///
    /// # Errors
    ///
    /// [`Error::Endpoint`] for what is no arena, one of another layout, or one that was unlinked or made
    /// in another pid namespace; [`Error::Memory`]; [`Error::Closed`] after a close in this process.
    pub fn attach(descriptor: OwnedFd) -> Result<Self> {
        Mapping::attach(descriptor).map(Self::in_shared_memory)
    }

    /// Attaches the arena of this name, which another process made with [`Options::named`].
    ///
    /// # Errors
    ///
    /// [`Error::System`] where there is none, and as [`Arena::attach`].
    pub fn open(name: &str) -> Result<Self> {
        Mapping::open(name).map(Self::in_shared_memory)
    }

    /// Opens the one endpoint that writes.
    ///
    /// # Errors
    ///
    /// [`Error::Endpoint`] where a living process has it, or where this one was forked into another pid
    /// namespace; [`Error::Closed`].
    pub fn open_writer(&self) -> Result<Writer> {
        Writer::open(self.attachment.clone())
    }

    /// Opens the one endpoint that reads.
    ///
    /// With [`Options::pin_memory`], this process pins what it reads.
    ///
    /// # Errors
    ///
    /// As [`Arena::open_writer`]; and to pin: [`Error::NoCuda`], [`Error::ForkedCuda`], [`Error::Driver`].
    pub fn open_reader(&self) -> Result<Reader> {
        Reader::open(self.attachment.clone())
    }

    /// Ends this process's use of the arena; again, it does nothing.
    ///
    /// Whoever waits is woken. The other side sees its peer closed, and both ends are closed where the
    /// process that made the arena closes it. The memory is unmapped when the last export is gone.
    pub fn close(&self) {
        self.attachment.close();
    }

    /// Lets no further process attach: a name is removed, and the descriptor given back. Again, or after
    /// a close, it does no harm.
    pub fn unlink(&self) {
        self.attachment.unlink();
    }

    /// Ends the stream for both sides, from any process and any number of times.
    pub fn shut_down(&self) {
        if let Ok(mapping) = self.attachment.mapping() {
            mapping.shut_down();
        }
    }

    /// Whether this process closed the arena.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.attachment.mapping().is_err()
    }

    /// A descriptor by which another process can [`attach`](Arena::attach) the arena: send it over a
    /// Unix socket, or let a child inherit it.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] after a close or unlink.
    pub fn descriptor(&self) -> Result<OwnedFd> {
        self.attachment.descriptor()
    }

    /// The descriptor that the arena itself has, for a child to inherit: good until it is unlinked.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] after a close or unlink.
    pub fn raw_descriptor(&self) -> Result<RawFd> {
        self.attachment.raw_descriptor()
    }

    /// The name, if the arena has one and was not unlinked.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.attachment.name()
    }

    /// Which arena it is.
    #[must_use]
    pub fn id(&self) -> ArenaId {
        self.id
    }

    /// The bytes of the largest unit: a pool's `segment_size`, a ring's `capacity`.
    #[must_use]
    pub fn segment_size(&self) -> usize {
        self.segment_size
    }

    /// The number of segments; 0 for a ring.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How it behaves.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// How many records were committed.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`].
    pub fn published(&self) -> Result<u64> {
        Ok(self.attachment.mapping()?.area.control().published.0.load())
    }
}

/// An arena in which each unit has a segment to itself, and is read where it lies.
///
/// A segment is used again when every export of its unit is gone, in the order of the units. Memory:
/// `count` segments, rounded up to pages, and about 64 KiB.
#[derive(Debug, Clone)]
pub struct SharedMemorySegmentPool;

impl SharedMemorySegmentPool {
    /// Makes a pool: `count` segments, each of which holds a unit of up to `segment_size` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a size or count of 0, [`Error::Memory`] for more than there is,
    /// [`Error::NoCuda`] where it is to be pinned and cannot be.
    #[expect(clippy::new_ret_no_self, reason = "both kinds are used as an arena")]
    pub fn new(segment_size: usize, count: usize, options: Options) -> Result<Arena> {
        positive("segment_size", segment_size)?;
        positive("count", count)?;
        Mapping::create(segment_size, count, options).map(Arena::in_shared_memory)
    }

    /// The same on this process's heap, for tests under tools that know no shared memory.
    ///
    /// # Errors
    ///
    /// As [`SharedMemorySegmentPool::new`].
    pub fn on_heap(segment_size: usize, count: usize, options: Options) -> Result<Arena> {
        positive("segment_size", segment_size)?;
        positive("count", count)?;
        Ok(Arena::new(Mapping::on_heap(segment_size, count, options)?, None))
    }
}

/// An arena that is one queue of bytes: the reader copies each unit out, and its span is free at once.
///
/// What is read is the reader's own, and survives everything. Memory: the capacity and about 256 KiB.
#[derive(Debug, Clone)]
pub struct SharedMemoryRingBuffer;

impl SharedMemoryRingBuffer {
    /// Makes a ring of `capacity` bytes, in which a unit has one contiguous span.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a capacity of 0, [`Error::Memory`] for more than there is,
    /// [`Error::NoCuda`] where what is read is to be pinned and cannot be.
    #[expect(clippy::new_ret_no_self, reason = "both kinds are used as an arena")]
    pub fn new(capacity: usize, options: Options) -> Result<Arena> {
        positive("capacity", capacity)?;
        Mapping::create(capacity, 0, options).map(Arena::in_shared_memory)
    }

    /// The same on this process's heap, for tests under tools that know no shared memory.
    ///
    /// # Errors
    ///
    /// As [`SharedMemoryRingBuffer::new`].
    pub fn on_heap(capacity: usize, options: Options) -> Result<Arena> {
        positive("capacity", capacity)?;
        Ok(Arena::new(Mapping::on_heap(capacity, 0, options)?, None))
    }
}

fn positive(argument: &'static str, given: usize) -> Result<()> {
    let refused =
        || Error::Argument { argument, expected: "a positive number of them", given: given.to_string() };
    (given > 0).then_some(()).ok_or_else(refused)
}
