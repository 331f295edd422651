//! The writing end of an arena.

mod publish;
mod wait;

use crate::endpoint::{Endpoint, Side};
use crate::error::{Blocker, Error, Result, TooLarge};
use crate::export::Export;
use crate::record::{Extent, Kind};
use crate::segment::{Attachment, Mapping, Source};
use crate::space::Space;
use crate::unit::OpenUnit;
pub use publish::Carrier;
use publish::make_writable;
use std::sync::Arc;
pub use wait::SLICE;

/// The one endpoint that puts units into an arena.
///
/// A unit is begun, filled, and committed, and is visible to the reader from then on, or it is given
/// up. Dropping the writer closes its end of the arena: the reader drains it and stops.
#[derive(Debug)]
pub struct Writer {
    endpoint: Endpoint,
    space: Space,
    /// How many records were committed, by this writer and those before it.
    published: u64,
    /// How many units and items may wait to be read.
    ahead: u64,
    /// Whether the reader's process keeps the time of what it holds.
    patient: bool,
    pass: u64,
    /// How many envelopes were given to a carrier.
    attempts: u64,
    open: Option<OpenUnit>,
    envelope: Vec<u8>,
}

impl Writer {
    pub(crate) fn open(attachment: Arc<Attachment>) -> Result<Self> {
        let endpoint = Endpoint::claim(attachment, Side::Writer)?;
        let mapping = endpoint.mapping()?;
        if mapping.options.readonly {
            // The mapping may come from a reader, by a fork.
            mapping.protect(None, true)?;
        }
        // A writer may have died while an envelope was carried.
        mapping.area.control().carried.0.store(0);
        let (published, space) = crate::recover::writer(&mapping)?;
        let records = mapping.geometry.records as u64;
        // A pool's units are few; a ring is bounded by its bytes.
        let ahead = if mapping.geometry.is_ring() {
            records
        } else {
            (mapping.options.max_ahead.max(1) as u64).min(records)
        };
        let pass = mapping.area.control().pass.0.load();
        let (patient, attempts, open, envelope) = (false, 0, None, Vec::new());
        Ok(Self { endpoint, space, published, ahead, patient, pass, attempts, open, envelope })
    }

    /// Lets at most `items` wait to be read, if that is fewer than the arena allows.
    pub fn limit_ahead(&mut self, items: usize) {
        self.ahead = self.ahead.min(items.max(1) as u64);
    }

    /// Waits for the reader as long as it takes, and leaves it to [`Reader::starves_writer`] to keep the
    /// time. `acquire_timeout` still limits a wait that only this process can end.
    ///
    /// [`Reader::starves_writer`]: crate::Reader::starves_writer
    pub fn be_patient(&mut self) {
        self.patient = true;
    }

    /// Begins a unit of at most `nbytes` bytes, those of an envelope that has to lie in it included.
    ///
    /// Waits for room as long as the arena's `acquire_timeout` says.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] without room in time, [`Error::TooLarge`] for what can never fit,
    /// [`Error::Closed`], [`Error::PeerDied`], and [`Error::Endpoint`] while another unit is open.
    pub fn begin(&mut self, nbytes: usize) -> Result<()> {
        let mut since = None;
        while !self.try_begin(nbytes)? {
            let slice = self.next_slice(&mut since, nbytes)?;
            self.wait(nbytes, slice)?;
        }
        Ok(())
    }

    /// Begins a unit if there is room for it now.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`], but false for a full arena.
    pub fn try_begin(&mut self, nbytes: usize) -> Result<bool> {
        let mapping = self.ready_for_unit()?;
        let limit = mapping.geometry.segment_size;
        if nbytes > limit {
            let limited_by = mapping.geometry.largest_unit();
            return Err(Error::TooLarge(TooLarge { needed: nbytes, limit, limited_by }));
        }
        let delivered = self.delivered(&mapping)?;
        if self.published - delivered >= self.ahead {
            return Ok(false);
        }
        let Some(span) = self.space.take(&mapping, delivered, nbytes) else {
            let held = matches!(self.space.blocker(&mapping, delivered), Some(Blocker::Held { .. }));
            self.starve(&mapping, held);
            return Ok(false);
        };
        self.starve(&mapping, false);
        make_writable(&mapping, span, true)?;
        self.open = Some(OpenUnit::new(span));
        Ok(true)
    }

    /// Copies a binary into the open unit, where it begins at a multiple of 64 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] for more than the unit has room for, [`Error::Closed`], [`Error::Endpoint`]
    /// without an open unit.
    pub fn write<'a>(&mut self, binary: impl Into<Source<'a>>) -> Result<Extent> {
        let mapping = self.endpoint.mapping()?;
        self.unit()?.write(&mapping, binary.into())
    }

    /// Reserves bytes in the open unit for this process to write in place, 64-byte aligned.
    ///
    /// The segment is not used again before the reader has released the unit and all of the exports
    /// made here are dropped as well.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`]; [`Error::Endpoint`] for a ring, where an array could reach a later unit,
    /// and for a pool of one segment, which could never be written twice.
    pub fn place(&mut self, nbytes: usize) -> Result<(Extent, Export)> {
        let mapping = self.endpoint.mapping()?;
        allow_placement(&mapping)?;
        self.unit()?.place(&mapping, nbytes)
    }

    /// Whether [`Writer::place`] is possible in this arena.
    ///
    /// # Errors
    ///
    /// As for [`Writer::place`].
    pub fn check_placement(&self) -> Result<()> {
        allow_placement(&*self.endpoint.mapping()?)
    }

    /// The offset in the open unit of an address inside it.
    #[must_use]
    pub fn offset_of(&self, address: usize, nbytes: usize) -> Option<usize> {
        self.open.as_ref()?.offset_of(&*self.endpoint.mapping().ok()?, address, nbytes)
    }

    /// Tells the reader of these parts of the open unit, instead of all that was written and placed.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a part outside what is in use, [`Error::Endpoint`] without an open unit.
    pub fn tell_of(&mut self, extents: Vec<Extent>) -> Result<()> {
        self.unit()?.tell_of(extents)
    }

    /// Whether a unit is open.
    #[must_use]
    pub fn has_unit(&self) -> bool {
        self.open.is_some()
    }

    /// Gives the open unit up; without one, does nothing.
    pub fn abort(&mut self) {
        let Some(unit) = self.open.take() else { return };
        let (span, own) = unit.close();
        self.space.give_back(span, own);
    }

    /// The pass that the reader wants: it begins at 0, and a new one puts an end to that before.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`].
    pub fn wanted_pass(&self) -> Result<u64> {
        Ok(self.endpoint.mapping()?.area.control().pass.0.load())
    }

    /// Takes up a pass: what is sent from here on belongs to it.
    pub fn begin_pass(&mut self, pass: u64) {
        self.abort();
        if let Ok(mapping) = self.endpoint.mapping() {
            mapping.area.control().starved.0.store(0);
        }
        self.pass = pass;
    }

    /// How many records were committed so far.
    #[must_use]
    pub fn published(&self) -> u64 {
        self.published
    }

    /// The oldest unit whose bytes may not be reused yet, or the number of the next unit.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`], [`Error::Corrupt`].
    pub fn reclaimed(&mut self) -> Result<u64> {
        let mapping = self.endpoint.mapping()?;
        let delivered = self.delivered(&mapping)?;
        Ok(self.space.watermark(&mapping, delivered, self.published))
    }

    fn ready_for_unit(&self) -> Result<Arc<Mapping>> {
        let mapping = self.endpoint.mapping()?;
        if self.open.is_some() {
            return Err(Error::Endpoint("a unit is open: commit it or abort it first".into()));
        }
        if self.endpoint.peer_closed(&mapping) {
            return Err(Error::Closed("the reader was closed"));
        }
        if !self.is_wanted(&mapping) {
            return Err(Error::Superseded);
        }
        Ok(mapping)
    }

    fn is_wanted(&self, mapping: &Mapping) -> bool {
        mapping.area.control().pass.0.load() == self.pass
    }

    fn ahead_of(&self, kind: Kind, mapping: &Mapping) -> u64 {
        if kind == Kind::Item { self.ahead } else { mapping.geometry.records as u64 }
    }

    /// What the reader says it is done with, if it can be true.
    fn delivered(&self, mapping: &Mapping) -> Result<u64> {
        let delivered = mapping.area.control().delivered.0.load();
        let waiting = self.published.checked_sub(delivered);
        if waiting.is_none_or(|waiting| waiting > mapping.geometry.records as u64) {
            return Err(Error::Corrupt("the reader's cursor"));
        }
        Ok(delivered)
    }

    fn unit(&mut self) -> Result<&mut OpenUnit> {
        self.open.as_mut().ok_or_else(no_unit)
    }
}

fn allow_placement(mapping: &Mapping) -> Result<()> {
    if mapping.geometry.count >= 2 {
        return Ok(());
    }
    let kind = if mapping.geometry.is_ring() { "a ring" } else { "a pool of one segment" };
    let text = format!("nothing can be placed in {kind}: use a SharedMemorySegmentPool with count >= 2");
    Err(Error::Endpoint(text))
}

fn no_unit() -> Error {
    Error::Endpoint("no unit is open: begin one first".into())
}
