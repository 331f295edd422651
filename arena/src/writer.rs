//! The writing end of an arena.

use crate::endpoint::{Endpoint, Side};
use crate::error::{Blocker, Error, Limit, Result, TooLarge};
use crate::export::Export;
use crate::layout::INLINE;
use crate::record::{Descriptor, Extent, Kind, Place, Span, seal};
use crate::segment::{Attachment, CLOSED_HERE, Mapping, Source};
use crate::space::Space;
use crate::ticket::Ticket;
use crate::unit::OpenUnit;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A wait is cut into slices of this, between which signals and the other side are looked at.
pub const SLICE: Duration = Duration::from_millis(200);

/// Takes an envelope that has no room in the arena to the reader, by a way of its own.
///
/// It is called before the record can be seen, and what it refuses is not sent. It may wait for the
/// reader to take the bytes: see [`Reader::is_carried`].
///
/// [`Reader::is_carried`]: crate::Reader::is_carried
pub type Carrier<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

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
        let (patient, open, envelope) = (false, None, Vec::new());
        Ok(Self { endpoint, space, published, ahead, patient, pass, open, envelope })
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

    /// Waits for room, at most about `slice`; returns early when there may be some.
    ///
    /// # Errors
    ///
    /// [`Error::PeerDied`] where the reader's process has died; [`Error::Closed`].
    pub fn wait(&mut self, nbytes: usize, slice: Duration) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let ready = || {
            self.endpoint.is_over(&mapping)
                || !self.is_wanted(&mapping)
                || self.has_room(&mapping, nbytes)
                || self.blames_wrongly(&mapping)
        };
        let woken = sleep(&mapping, slice, ready);
        self.watch(&mapping, woken)
    }

    /// After a slice without news, looks whether the other side still lives.
    fn watch(&mut self, mapping: &Mapping, woken: bool) -> Result<()> {
        if woken { Ok(()) } else { self.endpoint.check_peer(mapping) }
    }

    /// The next slice of a wait that began so long ago; none when its time is over.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`], [`Error::Corrupt`].
    pub fn slice(&self, waited: Duration) -> Result<Option<Duration>> {
        let mapping = self.endpoint.mapping()?;
        let Some(limit) = mapping.options.acquire_timeout else { return Ok(Some(SLICE)) };
        if self.patient && !self.stands_in_its_own_way(&mapping)? {
            return Ok(Some(SLICE));
        }
        Ok(limit.checked_sub(waited).filter(|left| !left.is_zero()).map(|left| left.min(SLICE)))
    }

    /// The next slice of a wait; its first one looks at the clock, which who need not wait does not.
    fn next_slice(&mut self, since: &mut Option<Instant>, nbytes: usize) -> Result<Duration> {
        let waited = since.get_or_insert_with(Instant::now).elapsed();
        let slice = self.slice(waited)?;
        slice.ok_or_else(|| self.full(nbytes, waited))
    }

    /// The error of a wait of this length, which says what stands in the way: the reader's death too.
    #[must_use]
    pub fn full(&mut self, nbytes: usize, waited: Duration) -> Error {
        let Ok(mapping) = self.endpoint.mapping() else {
            return CLOSED_HERE;
        };
        if let Err(died) = self.endpoint.check_peer(&mapping) {
            return died;
        }
        let delivered = mapping.area.control().delivered.0.load();
        let undelivered = self.published.saturating_sub(delivered);
        let waited = if mapping.options.acquire_timeout.is_some_and(|limit| limit.is_zero()) {
            Duration::ZERO
        } else {
            waited
        };
        let behind = Blocker::Undelivered(undelivered);
        let other = self.space.blocker(&mapping, delivered).filter(|_| undelivered < self.ahead);
        Error::Full(self.space.full(waited, other.unwrap_or(behind), nbytes))
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

    /// Makes the open unit visible to the reader, together with a few bytes that say what it is.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] where the envelope has no room: the unit stays open;
    /// [`Error::Closed`], [`Error::Endpoint`] without an open unit.
    pub fn commit(&mut self, body: &[u8]) -> Result<Ticket> {
        self.publish_unit(body, None)
    }

    /// As [`Writer::commit`], but an envelope without room goes by the carrier.
    ///
    /// # Errors
    ///
    /// [`Error::Carrier`] for what the carrier refuses, [`Error::Closed`], [`Error::Endpoint`] without
    /// an open unit. The unit stays open.
    pub fn commit_by(&mut self, carrier: Carrier<'_>, body: &[u8]) -> Result<Ticket> {
        self.publish_unit(body, Some(carrier))
    }

    /// Sends a record without a unit, with a few bytes that say what it is. Waits for room as a unit does.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`].
    pub fn send(&mut self, kind: Kind, body: &[u8]) -> Result<Ticket> {
        let mut since = None;
        loop {
            if let Some(sent) = self.try_send(kind, body, None)? {
                return Ok(sent);
            }
            let slice = self.next_slice(&mut since, 0)?;
            self.wait_to_send(kind, slice)?;
        }
    }

    /// Sends a record without a unit if there is room for it now, by the carrier where it has many bytes.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`], but none for a full arena; [`Error::Carrier`] for what the carrier refuses.
    pub fn try_send(
        &mut self,
        kind: Kind,
        body: &[u8],
        carrier: Option<Carrier<'_>>,
    ) -> Result<Option<Ticket>> {
        let mapping = self.ready_for_unit()?;
        if self.published - self.delivered(&mapping)? >= self.ahead_of(kind, &mapping) {
            return Ok(None);
        }
        seal(&[], body, &mut self.envelope);
        let (needed, limit) = (self.envelope.len(), INLINE);
        let place = if needed <= limit { Place::Inline } else { Place::Aside };
        if place == Place::Aside {
            let too_large = || Error::TooLarge(TooLarge { needed, limit, limited_by: Limit::Record });
            self.carry(&mapping, carrier.ok_or_else(too_large)?)?;
        }
        Ok(Some(self.publish(&mapping, kind, None, 0, place)))
    }

    /// Waits until a record of this kind may be sent, at most about `slice`.
    ///
    /// # Errors
    ///
    /// As [`Writer::wait`].
    pub fn wait_to_send(&mut self, kind: Kind, slice: Duration) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let ahead = self.ahead_of(kind, &mapping);
        let ready = || {
            let delivered = mapping.area.control().delivered.0.load();
            self.endpoint.is_over(&mapping) || self.published.wrapping_sub(delivered) < ahead
        };
        let woken = sleep(&mapping, slice, ready);
        self.watch(&mapping, woken)
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

    /// Waits for the reader to want another pass than `pass`, at most about `slice`.
    ///
    /// # Errors
    ///
    /// [`Error::PeerDied`], [`Error::Closed`].
    pub fn wait_for_pass(&mut self, pass: u64, slice: Duration) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let ready = || self.endpoint.is_over(&mapping) || mapping.area.control().pass.0.load() != pass;
        let woken = sleep(&mapping, slice, ready);
        self.watch(&mapping, woken)?;
        if self.endpoint.peer_closed(&mapping) {
            return Err(Error::Closed("the reader was closed"));
        }
        Ok(())
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

    fn has_room(&self, mapping: &Mapping, nbytes: usize) -> bool {
        // An impossible cursor ends the wait too: the next step reports it.
        let Ok(delivered) = self.delivered(mapping) else { return true };
        self.published - delivered < self.ahead && self.space.has_room(mapping, delivered, nbytes)
    }

    /// Whether only this process can end a wait for room, by dropping arrays of its own.
    fn stands_in_its_own_way(&self, mapping: &Mapping) -> Result<bool> {
        let delivered = self.delivered(mapping)?;
        let may_send = self.published - delivered < self.ahead;
        Ok(may_send && matches!(self.space.blocker(mapping, delivered), Some(Blocker::Own { .. })))
    }

    /// Whether the reader was told that it holds what the writer waits for, and has let go of it since.
    fn blames_wrongly(&self, mapping: &Mapping) -> bool {
        let control = mapping.area.control();
        control.starved.0.load() == self.published + 1
            && !matches!(self.space.blocker(mapping, control.delivered.0.load()), Some(Blocker::Held { .. }))
    }

    /// Tells the reader whether the writer waits for a unit that it holds.
    fn starve(&self, mapping: &Mapping, held: bool) {
        let starved = &mapping.area.control().starved.0;
        let word = if held { self.published + 1 } else { 0 };
        if starved.load() != word {
            starved.store(word);
        }
    }

    fn unit(&mut self) -> Result<&mut OpenUnit> {
        self.open.as_mut().ok_or_else(no_unit)
    }

    fn publish_unit(&mut self, body: &[u8], carrier: Option<Carrier<'_>>) -> Result<Ticket> {
        let mapping = self.endpoint.mapping()?;
        let unit = self.open.as_mut().ok_or_else(no_unit)?;
        let (extents, whole) = (unit.extents().len(), unit.span());
        seal(unit.extents(), body, &mut self.envelope);
        let place = if self.envelope.len() <= INLINE {
            Place::Inline
        } else {
            match unit.write_envelope(&mapping, &self.envelope) {
                Ok(offset) => Place::Unit(offset),
                Err(Error::TooLarge(_)) if carrier.is_some() => Place::Aside,
                Err(error) => return Err(error),
            }
        };
        make_writable(&mapping, whole, false)?;
        if let (Place::Aside, Some(carrier)) = (place, carrier)
            && let Err(refused) = self.carry(&mapping, carrier)
        {
            make_writable(&mapping, whole, true)?;
            return Err(refused);
        }
        let Some((span, own)) = self.open.take().map(OpenUnit::close) else { return Err(no_unit()) };
        self.space.sent(&mapping, self.published, span, own);
        Ok(self.publish(&mapping, Kind::Item, Some(span), extents, place))
    }

    /// Has the envelope carried, before its record is published, which then cannot fail. The reader is
    /// told: a carrier may have less room than the envelope takes.
    fn carry(&self, mapping: &Mapping, carrier: Carrier<'_>) -> Result<()> {
        let control = mapping.area.control();
        control.carried.0.store(self.published + 1);
        control.reader_bell.0.ring();
        let carried = carrier(&self.envelope);
        control.carried.0.store(0);
        carried.map_err(Error::Carrier)
    }

    /// Stores the record, then that it is there.
    fn publish(
        &mut self,
        mapping: &Mapping,
        kind: Kind,
        span: Option<Span>,
        extents: usize,
        place: Place,
    ) -> Ticket {
        let (pass, number) = (self.pass, self.published);
        let checksum = mapping.id.checksum(number, &self.envelope);
        let envelope = self.envelope.len();
        let descriptor = Descriptor { kind, pass, number, span, place, envelope, extents, checksum };
        descriptor.store(mapping.area.record(number), mapping.id, &self.envelope);
        self.published += 1;
        mapping.area.control().published.0.store(self.published);
        mapping.area.control().reader_bell.0.ring();
        let nbytes = span.map_or(0, |span| span.nbytes);
        Ticket { arena: mapping.id, pass, unit: number, nbytes }
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

/// With `debug`, this process can write to a pool's segment only while its unit is open.
fn make_writable(mapping: &Mapping, span: Span, writable: bool) -> Result<()> {
    let watched = mapping.options.debug && !mapping.geometry.is_ring();
    if watched { mapping.protect(Some(span.segment), writable) } else { Ok(()) }
}

fn sleep(mapping: &Mapping, slice: Duration, ready: impl Fn() -> bool) -> bool {
    let control = mapping.area.control();
    control.writer_bell.0.wait(mapping.options.spin_for(&control.delivered.0), slice, ready)
}

fn no_unit() -> Error {
    Error::Endpoint("no unit is open: begin one first".into())
}
