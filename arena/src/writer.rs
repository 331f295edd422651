//! The writing end of an arena.

use crate::endpoint::{Endpoint, Side};
use crate::error::{Blocker, Error, Full, Result, TooLarge};
use crate::export::Export;
use crate::layout::{BINARY_ALIGNMENT, INLINE};
use crate::lease::{Held, Lease, Released};
use crate::pool::{Segments, Sent};
use crate::record::{ArenaId, Descriptor, Extent, Kind, Place, Span, seal};
use crate::ring::Spans;
use crate::segment::{Attachment, CLOSED_HERE, Mapping, Source};
use crate::sync::{Counted, Since};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A wait is cut into slices of this, between which signals and the other side are looked at.
pub const SLICE: Duration = Duration::from_millis(100);

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

impl std::fmt::Display for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unit {} of pass {} of arena {}", self.unit, self.pass, self.arena)
    }
}

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
    open: Option<Unit>,
    envelope: Vec<u8>,
}

#[derive(Debug)]
pub(crate) enum Space {
    Pool(Segments),
    Ring(Spans),
}

/// The unit that is being written.
#[derive(Debug)]
struct Unit {
    /// Where it may lie.
    span: Span,
    /// The bytes of it that are in use.
    used: usize,
    extents: Vec<Extent>,
    /// The writer's own arrays in it.
    own: Option<(Arc<Released>, Counted<Lease>)>,
}

impl Writer {
    pub(crate) fn open(attachment: Arc<Attachment>) -> Result<Self> {
        let endpoint = Endpoint::claim(attachment, Side::Writer)?;
        let mapping = endpoint.mapping()?;
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

    /// Begins a unit of at most `nbytes` bytes; a pool's may have the whole segment.
    ///
    /// Waits for room as long as the arena's `acquire_timeout` says.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] without room in time, [`Error::TooLarge`] for what can never fit,
    /// [`Error::Closed`], [`Error::PeerDied`], and [`Error::Endpoint`] while another unit is open.
    pub fn begin(&mut self, nbytes: usize) -> Result<()> {
        if self.try_begin(nbytes)? {
            return Ok(());
        }
        // Only who waits looks at the clock.
        let start = Instant::now();
        while !self.try_begin(nbytes)? {
            let Some(slice) = self.slice(start.elapsed())? else {
                return Err(self.full(nbytes, start.elapsed()));
            };
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
            let ring = mapping.geometry.is_ring();
            return Err(Error::TooLarge(TooLarge { needed: nbytes, limit, ring }));
        }
        let delivered = self.delivered(&mapping)?;
        if self.published - delivered >= self.ahead {
            return Ok(false);
        }
        let span = match &mut self.space {
            Space::Pool(segments) => {
                let starved = &mapping.area.control().starved.0;
                let Some(segment) = segments.take(&mapping) else {
                    let blocker = segments.blocker(&mapping, delivered);
                    let held = matches!(blocker, Some(Blocker::Held { .. }));
                    starved.store(if held { self.published + 1 } else { 0 });
                    return Ok(false);
                };
                if starved.load() != 0 {
                    starved.store(0);
                }
                Span { segment, start: 0, nbytes: limit }
            }
            Space::Ring(spans) => {
                spans.reclaim(delivered);
                let Some(start) = spans.find(delivered, nbytes) else { return Ok(false) };
                Span { segment: 0, start, nbytes }
            }
        };
        if mapping.options.debug && !mapping.geometry.is_ring() {
            mapping.protect(Some(span.segment), true)?;
        }
        self.open = Some(Unit { span, used: 0, extents: Vec::new(), own: None });
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
            self.endpoint.is_over(&mapping) || !self.is_wanted(&mapping) || self.has_room(&mapping, nbytes)
        };
        let woken = sleep(&mapping, slice, ready);
        self.watch(&mapping, woken)
    }

    /// Waits for the reader to be done with a record, so that another can be sent.
    fn wait_for_slot(&mut self, ahead: u64, slice: Duration) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let ready = || {
            let delivered = mapping.area.control().delivered.0.load();
            self.endpoint.is_over(&mapping) || self.published.wrapping_sub(delivered) < ahead
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
        Error::Full(match &self.space {
            Space::Pool(_) if undelivered >= self.ahead => Full { waited, blocker: behind, ring: None },
            Space::Pool(segments) => {
                let blocker = segments.blocker(&mapping, delivered).unwrap_or(behind);
                Full { waited, blocker, ring: None }
            }
            Space::Ring(spans) => Full { waited, blocker: behind, ring: Some((nbytes, spans.free())) },
        })
    }

    /// Reserves aligned bytes in the open unit.
    fn reserve(&mut self, nbytes: usize, alignment: usize) -> Result<(Arc<Mapping>, usize, Extent)> {
        let mapping = self.endpoint.mapping()?;
        let unit = self.open.as_mut().ok_or_else(no_unit)?;
        let offset = unit.used.next_multiple_of(alignment);
        let needed = offset.saturating_add(nbytes);
        if needed > unit.span.nbytes {
            let ring = mapping.geometry.is_ring();
            let limit = unit.span.nbytes;
            return Err(Error::TooLarge(TooLarge { needed, limit, ring }));
        }
        unit.used = needed;
        let at = mapping.segment_at(unit.span.segment) + unit.span.start + offset;
        Ok((mapping, at, Extent { offset, nbytes }))
    }

    /// Copies a binary into the open unit, where it begins at a multiple of 64 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] for more than the unit has room for, [`Error::Closed`], [`Error::Endpoint`]
    /// without an open unit.
    pub fn write<'a>(&mut self, binary: impl Into<Source<'a>>) -> Result<Extent> {
        let source = binary.into();
        let (mapping, at, extent) = self.reserve(source.nbytes(), BINARY_ALIGNMENT)?;
        mapping.data.write(at, source)?;
        self.open.as_mut().ok_or_else(no_unit)?.extents.push(extent);
        Ok(extent)
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
        if mapping.geometry.count < 2 {
            let kind = if mapping.geometry.is_ring() { "a ring" } else { "a pool of one segment" };
            return Err(Error::Endpoint(format!(
                "nothing can be placed in {kind}: use a SharedMemorySegmentPool with count >= 2"
            )));
        }
        let (mapping, at, extent) = self.reserve(nbytes, BINARY_ALIGNMENT)?;
        let start = mapping.data.address(at, nbytes)?;
        let unit = self.open.as_mut().ok_or_else(no_unit)?;
        unit.extents.push(extent);
        let (_, lease) = unit.own.get_or_insert_with(|| {
            let released = Arc::<Released>::default();
            (released.clone(), Lease::new(mapping.clone(), Held::Own(released)))
        });
        let lease = lease.clone();
        Ok((extent, Export::new(mapping, lease, start, nbytes, false)))
    }

    /// The offset in the open unit of an address inside it.
    #[must_use]
    pub fn offset_of(&self, address: usize, nbytes: usize) -> Option<usize> {
        let unit = self.open.as_ref()?;
        let mapping = self.endpoint.mapping().ok()?;
        let at = mapping.segment_at(unit.span.segment) + unit.span.start;
        let start = mapping.data.address(at, unit.used).ok()?.as_ptr() as usize;
        let offset = address.checked_sub(start)?;
        (offset.checked_add(nbytes)? <= unit.used).then_some(offset)
    }

    /// Tells the reader of these parts of the open unit, instead of all that was written and placed.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a part outside what is in use, [`Error::Endpoint`] without an open unit.
    pub fn tell_of(&mut self, extents: Vec<Extent>) -> Result<()> {
        let unit = self.open.as_mut().ok_or_else(no_unit)?;
        if extents.iter().any(|extent| extent.end().is_none_or(|end| end > unit.used)) {
            let expected = "parts of the unit that is being written";
            let given = format!("{extents:?} of {} bytes", unit.used);
            return Err(Error::Argument { argument: "extents", expected, given });
        }
        unit.extents = extents;
        Ok(())
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
        self.publish_unit(body, false).map(|(ticket, _)| ticket)
    }

    /// As [`Writer::commit`], but an envelope without room is flagged, and left in
    /// [`Writer::envelope`] for the caller to send by a way of its own. True where that is so.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`], [`Error::Endpoint`] without an open unit.
    pub fn commit_or_flag(&mut self, body: &[u8]) -> Result<(Ticket, bool)> {
        self.publish_unit(body, true)
    }

    /// Sends a record without a unit, with bytes that say what it is. Waits for room as a unit does.
    /// True where the envelope was flagged, as with [`Writer::commit_or_flag`].
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`].
    pub fn send(&mut self, kind: Kind, body: &[u8]) -> Result<(Ticket, bool)> {
        let start = Instant::now();
        loop {
            if let Some(sent) = self.try_send(kind, body)? {
                return Ok(sent);
            }
            let Some(slice) = self.slice(start.elapsed())? else {
                return Err(self.full(0, start.elapsed()));
            };
            self.wait_to_send(kind, slice)?;
        }
    }

    /// Sends a record without a unit if there is room for it now.
    ///
    /// # Errors
    ///
    /// As [`Writer::begin`], but none for a full arena.
    pub fn try_send(&mut self, kind: Kind, body: &[u8]) -> Result<Option<(Ticket, bool)>> {
        let mapping = self.ready_for_unit()?;
        if self.published - self.delivered(&mapping)? >= self.ahead_of(kind, &mapping) {
            return Ok(None);
        }
        seal(&[], body, &mut self.envelope);
        let aside = self.envelope.len() > INLINE;
        let place = if aside { Place::Aside } else { Place::Inline };
        Ok(Some((self.publish(&mapping, kind, None, 0, place), aside)))
    }

    /// Waits until a record of this kind may be sent, at most about `slice`.
    ///
    /// # Errors
    ///
    /// As [`Writer::wait`].
    pub fn wait_to_send(&mut self, kind: Kind, slice: Duration) -> Result<()> {
        let ahead = self.ahead_of(kind, &*self.endpoint.mapping()?);
        self.wait_for_slot(ahead, slice)
    }

    /// The envelope of the record sent last.
    #[must_use]
    pub fn envelope(&self) -> &[u8] {
        &self.envelope
    }

    /// Gives the open unit up; without one, does nothing.
    pub fn abort(&mut self) {
        let Some(unit) = self.open.take() else { return };
        if let Space::Pool(segments) = &mut self.space {
            // The lease goes first: without arrays about, the segment is free at once.
            let own = unit.own.map(|(released, lease)| {
                drop(lease);
                released
            });
            segments.give_back(unit.span.segment, own);
        }
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
        Ok(match &mut self.space {
            Space::Pool(segments) => {
                segments.reclaim(&mapping);
                segments.watermark(self.published)
            }
            Space::Ring(spans) => {
                spans.reclaim(delivered);
                spans.watermark(self.published)
            }
        })
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
        if self.published - delivered >= self.ahead {
            return false;
        }
        match &self.space {
            Space::Pool(segments) => segments.has_room(mapping),
            Space::Ring(spans) => spans.find(delivered, nbytes).is_some(),
        }
    }

    /// Whether only this process can end a wait for room, by dropping arrays of its own.
    fn stands_in_its_own_way(&self, mapping: &Mapping) -> Result<bool> {
        let Space::Pool(segments) = &self.space else { return Ok(false) };
        let delivered = self.delivered(mapping)?;
        let may_send = self.published - delivered < self.ahead;
        Ok(may_send && matches!(segments.blocker(mapping, delivered), Some(Blocker::Own { .. })))
    }

    fn publish_unit(&mut self, body: &[u8], may_flag: bool) -> Result<(Ticket, bool)> {
        let unit = self.open.as_ref().ok_or_else(no_unit)?;
        let mapping = self.endpoint.mapping()?;
        seal(&unit.extents, body, &mut self.envelope);
        let nbytes = self.envelope.len();
        let place = if nbytes <= INLINE {
            Place::Inline
        } else {
            match self.reserve(nbytes, 8) {
                Ok((mapping, at, extent)) => {
                    mapping.data.write(at, self.envelope.as_slice().into())?;
                    Place::Unit(extent.offset)
                }
                Err(Error::TooLarge(_)) if may_flag => Place::Aside,
                Err(error) => return Err(error),
            }
        };
        let Some(unit) = self.open.take() else { return Err(no_unit()) };
        let own = unit.own.map(|(released, lease)| {
            drop(lease);
            released
        });
        let span = Span { nbytes: unit.used, ..unit.span };
        let number = self.published;
        match &mut self.space {
            Space::Pool(segments) => {
                segments.sent(Sent { unit: number, segment: span.segment, at: Since::now(), own });
                mapping.area.unit(span.segment).unit.store(number + 1);
                if mapping.options.debug {
                    mapping.protect(Some(span.segment), false)?;
                }
            }
            Space::Ring(spans) => spans.sent(number, span.start, span.nbytes),
        }
        let ticket = self.publish(&mapping, Kind::Item, Some(span), unit.extents.len(), place);
        Ok((ticket, place == Place::Aside))
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

fn sleep(mapping: &Mapping, slice: Duration, ready: impl Fn() -> bool) -> bool {
    let spin = mapping.options.spin_here();
    mapping.area.control().writer_bell.0.wait(spin, slice, ready)
}

fn no_unit() -> Error {
    Error::Endpoint("no unit is open: begin one first".into())
}
