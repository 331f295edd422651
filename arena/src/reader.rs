//! The reading end of an arena.

use crate::endpoint::{Endpoint, Side, this_process};
use crate::error::{Error, Result};
use crate::export::Export;
use crate::layout::Carried;
use crate::lease::{Held, Lease};
use crate::pin::Pinned;
use crate::record::{Descriptor, Extent, Kind, Place, load_inline};
use crate::segment::{Attachment, Mapping};
use crate::sync::{Counted, CountedWeak, Since};
use crate::ticket::Ticket;
use crate::writer::SLICE;
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A record that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery {
    /// What it announces.
    pub kind: Kind,
    /// Names it; [`Reader::end_unit`] wants it back.
    pub ticket: Ticket,
    /// The bytes of an envelope that comes by another way, to be given to [`Reader::accept`].
    pub aside: Option<usize>,
}

/// A unit that this process still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldUnit {
    /// Its number.
    pub unit: u64,
    /// How long ago it was read.
    pub age: Duration,
    /// How many exports of it live.
    pub exports: usize,
}

/// The one endpoint that takes units out of an arena, in the order they were sent.
///
/// Dropping the reader closes its end: a writer that waits is told so. Exports outlive it.
#[derive(Debug)]
pub struct Reader {
    endpoint: Endpoint,
    /// The number of the next record.
    next: u64,
    /// The pass that is wanted.
    pass: u64,
    /// The envelope that a wait ended for because it was being carried.
    told: Option<Carried>,
    current: Option<Current>,
    envelope: Vec<u8>,
    body: Range<usize>,
    extents: Vec<Extent>,
    /// The units read and perhaps still held, in order.
    held: VecDeque<(u64, Since, CountedWeak<Lease>)>,
    pinned: Option<Pinned>,
}

/// The record being read.
#[derive(Debug)]
struct Current {
    descriptor: Descriptor,
    ticket: Ticket,
    /// The reader's own share of a pool's unit, until its end.
    lease: Option<Counted<Lease>>,
}

impl Reader {
    pub(crate) fn open(attachment: Arc<Attachment>) -> Result<Self> {
        let mapping = attachment.mapping()?;
        let pinned = mapping.options.pin_memory.then(|| Pinned::of(&mapping)).transpose()?;
        drop(mapping);
        let endpoint = Endpoint::claim(attachment, Side::Reader)?;
        let mapping = endpoint.mapping()?;
        let next = crate::recover::reader(&mapping)?;
        // A process that writes as well has to.
        if mapping.options.readonly && Side::Writer.claim(&mapping).load() != this_process() {
            mapping.protect(None, false)?;
        }
        Ok(Self {
            endpoint,
            next,
            pass: mapping.area.control().pass.0.load(),
            told: None,
            current: None,
            envelope: Vec::new(),
            body: 0..0,
            extents: Vec::new(),
            held: VecDeque::new(),
            pinned,
        })
    }

    /// Takes up the next record, which is then the one being read; waits for it up to `timeout`, for
    /// ever without one.
    ///
    /// # Errors
    ///
    /// As [`Reader::try_next`]; [`Error::PeerDied`] where the writer's process has died and everything
    /// that it committed is read. None when the time is over.
    pub fn next(&mut self, timeout: Option<Duration>) -> Result<Option<Delivery>> {
        let mut since = None;
        loop {
            if let Some(delivery) = self.try_next()? {
                return Ok(Some(delivery));
            }
            // Only who waits looks at the clock.
            let waited = since.get_or_insert_with(Instant::now).elapsed();
            let left = timeout.map_or(SLICE, |limit| limit.saturating_sub(waited));
            if left.is_zero() {
                let mapping = self.endpoint.mapping()?;
                return self.check_writer(&mapping).map(|()| None);
            }
            self.wait(left.min(SLICE))?;
        }
    }

    /// Takes up the next record if one is there.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] where none will come any more, [`Error::Corrupt`] for a record that cannot be,
    /// [`Error::Endpoint`] while another one is being read.
    pub fn try_next(&mut self) -> Result<Option<Delivery>> {
        let mapping = self.endpoint.mapping()?;
        if self.current.is_some() {
            return Err(Error::Endpoint("a unit is being read: end it first".into()));
        }
        let published = &mapping.area.control().published.0;
        if published.load() <= self.next {
            if !self.endpoint.peer_closed(&mapping) {
                return Ok(None);
            }
            // What was committed before the close is seen after it.
            if published.load() <= self.next {
                return Err(Error::Closed("the writer was closed, and all of its units are read"));
            }
        }
        self.take_up(&mapping).map(Some)
    }

    fn take_up(&mut self, mapping: &Arc<Mapping>) -> Result<Delivery> {
        let slot = mapping.area.record(self.next);
        let descriptor = Descriptor::load(slot, mapping.id, self.next, &mapping.geometry)?;
        let span = descriptor.span;
        let at =
            |offset: usize| span.map_or(0, |span| mapping.segment_at(span.segment) + span.start) + offset;
        match descriptor.place {
            Place::Inline => load_inline(slot, descriptor.envelope, &mut self.envelope),
            Place::Unit(offset) => {
                mapping.data.read_vec(at(offset), descriptor.envelope, &mut self.envelope)?;
            }
            Place::Aside => {}
        }
        let ticket = Ticket {
            arena: mapping.id,
            pass: descriptor.pass,
            unit: descriptor.number,
            nbytes: span.map_or(0, |span| span.nbytes),
        };
        let aside = (descriptor.place == Place::Aside).then_some(descriptor.envelope);
        self.body = 0..0;
        self.extents.clear();
        if aside.is_none() {
            self.open_envelope(&descriptor, mapping)?;
        }
        let lease = match span {
            Some(span) if !mapping.geometry.is_ring() => {
                if mapping.area.unit(span.segment).unit.load() != descriptor.number + 1 {
                    return Err(Error::Corrupt("a segment that has passed to another unit"));
                }
                let held = Held::Unit { segment: span.segment, unit: descriptor.number };
                Some(Lease::new(mapping.clone(), held))
            }
            _ => None,
        };
        self.current = Some(Current { descriptor, ticket, lease });
        Ok(Delivery { kind: descriptor.kind, ticket, aside })
    }

    fn open_envelope(&mut self, descriptor: &Descriptor, mapping: &Mapping) -> Result<()> {
        let body = descriptor.open(&self.envelope, mapping.id, &mut self.extents)?.len();
        self.body = self.envelope.len() - body..self.envelope.len();
        Ok(())
    }

    /// Gives the reader an envelope that came by another way.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] where it is not that of the record being read.
    pub fn accept(&mut self, envelope: &[u8]) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let descriptor = self.current.as_ref().ok_or_else(no_unit)?.descriptor;
        self.envelope.clear();
        self.envelope.extend_from_slice(envelope);
        self.open_envelope(&descriptor, &mapping)
    }

    /// The envelope of the next record while a [`Carrier`](crate::Carrier) brings it, and may wait for it
    /// to be taken. Another one where the carrier failed and the writer tries again.
    ///
    /// # Errors
    ///
    /// [`Error::PeerDied`] where the writer's process died meanwhile; [`Error::Closed`].
    pub fn carried(&mut self) -> Result<Option<Carried>> {
        let mapping = self.endpoint.mapping()?;
        let carried = self.expects(&mapping);
        if carried.is_some() {
            self.check_writer(&mapping)?;
        }
        Ok(carried)
    }

    fn expects(&self, mapping: &Mapping) -> Option<Carried> {
        let carried = Carried(mapping.area.control().carried.0.load());
        (carried.0 != 0 && carried.is_of(self.next)).then_some(carried)
    }

    /// Waits for a record, at most about `slice`; returns early when there may be one, and once when its
    /// envelope [is being carried](Reader::carried).
    ///
    /// # Errors
    ///
    /// [`Error::PeerDied`] where the writer's process has died; [`Error::Closed`].
    pub fn wait(&mut self, slice: Duration) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let control = mapping.area.control();
        let ready = || {
            self.endpoint.is_over(&mapping)
                || control.published.0.load() > self.next
                || self.expects(&mapping).is_some_and(|carried| self.told != Some(carried))
        };
        let spin = mapping.options.spin_for(&control.published.0);
        let woken = control.reader_bell.0.wait(spin, slice, ready);
        self.told = self.expects(&mapping);
        if woken { Ok(()) } else { self.check_writer(&mapping) }
    }

    /// An error where the writer's process has died and all that it committed is read.
    fn check_writer(&mut self, mapping: &Mapping) -> Result<()> {
        self.endpoint.check_peer(mapping).or_else(|died| {
            // It may have committed something with its last breath.
            let more = mapping.area.control().published.0.load() > self.next;
            if more { Ok(()) } else { Err(died) }
        })
    }

    /// What the record being read says about itself.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.envelope.get(self.body.clone()).unwrap_or_default()
    }

    /// The binaries of the unit being read.
    #[must_use]
    pub fn extents(&self) -> &[Extent] {
        &self.extents
    }

    /// Whether exports show a unit's own bytes: they do in a pool; a ring's are to be copied.
    #[must_use]
    pub fn zero_copy(&self) -> bool {
        self.endpoint.mapping().is_ok_and(|mapping| !mapping.geometry.is_ring())
    }

    /// The ticket of the record being read.
    #[must_use]
    pub fn current(&self) -> Option<Ticket> {
        self.current.as_ref().map(|current| current.ticket)
    }

    /// Whether an extent is a part of the unit being read.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub fn locates(&self, extent: Extent) -> Result<()> {
        self.locate(&*self.endpoint.mapping()?, extent).map(|_| ())
    }

    /// Where an extent of the unit being read lies in the data.
    fn locate(&self, mapping: &Mapping, extent: Extent) -> Result<usize> {
        let span = self.current.as_ref().ok_or_else(no_unit)?.descriptor.span;
        let room = span.map_or(0, |span| span.nbytes);
        match span.zip(extent.end()) {
            Some((span, end)) if end <= room => {
                Ok(mapping.segment_at(span.segment) + span.start + extent.offset)
            }
            _ => Err(Error::Argument {
                argument: "offset, nbytes",
                expected: "a part of the unit being read",
                given: format!("{} and {} in a unit of {room} bytes", extent.offset, extent.nbytes),
            }),
        }
    }

    /// Bytes of the unit being read, where they lie: the unit is released when the last of its exports
    /// is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] outside the unit, [`Error::Endpoint`] without one or in a ring,
    /// [`Error::Closed`].
    pub fn export(&self, extent: Extent) -> Result<Export> {
        let mapping = self.endpoint.mapping()?;
        let at = self.locate(&mapping, extent)?;
        let start = mapping.data.address(at, extent.nbytes)?;
        let lease = self.current.as_ref().and_then(|current| current.lease.clone());
        let lease = lease
            .ok_or_else(|| Error::Endpoint("a ring's bytes are used again at once: copy them".into()))?;
        // What is sent is protected from the writer's process, which may be this one.
        let protected = mapping.options.debug && self.endpoint.has_both(&mapping);
        Ok(Export::new(lease, start, extent.nbytes, mapping.options.readonly || protected))
    }

    /// Copies bytes of the unit being read.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] outside the unit, [`Error::Endpoint`] without one, [`Error::Closed`].
    pub fn read(&self, offset: usize, target: &mut [MaybeUninit<u8>]) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let at = self.locate(&mapping, Extent { offset, nbytes: target.len() })?;
        mapping.data.read(at, target)
    }

    /// Bytes of the unit being read, copied.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    pub fn read_vec(&self, extent: Extent) -> Result<Vec<u8>> {
        let mapping = self.endpoint.mapping()?;
        let at = self.locate(&mapping, extent)?;
        let mut bytes = Vec::new();
        mapping.data.read_vec(at, extent.nbytes, &mut bytes)?;
        Ok(bytes)
    }

    /// Bytes of the unit of a ring being read, copied into pinned memory.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`]; [`Error::Endpoint`] without [`Options::pin_memory`](crate::Options::pin_memory) and in
    /// a pool, whose exports are pinned where they lie; [`Error::Driver`] where no more can be pinned.
    #[cfg(feature = "cuda")]
    pub fn read_pinned(&self, extent: Extent) -> Result<crate::pin::PinnedBlock> {
        let Some(Pinned::Ring(blocks)) = &self.pinned else {
            return Err(Error::Endpoint(
                "only what is copied out of a pinned ring goes to pinned memory".into(),
            ));
        };
        let mapping = self.endpoint.mapping()?;
        let at = self.locate(&mapping, extent)?;
        blocks.filled(extent.nbytes, |bytes| mapping.data.read(at, bytes))
    }

    /// Whether what it hands out is pinned.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.pinned.is_some()
    }

    /// Ends the record being read. A ring's span, and a pool's unit without exports, are free from here.
    ///
    /// # Errors
    ///
    /// [`Error::Ticket`] for any ticket but that of the record being read; nothing changes then.
    pub fn end_unit(&mut self, ticket: Ticket) -> Result<()> {
        let mapping = self.endpoint.mapping()?;
        let expected = self.current.as_ref().map(|current| current.ticket);
        if expected != Some(ticket) {
            let expected = expected.map_or("none".into(), |ticket| ticket.to_string());
            return Err(Error::Ticket { expected, given: ticket.to_string() });
        }
        self.forget_released();
        let lease = self.current.take().and_then(|current| current.lease);
        self.next += 1;
        let control = mapping.area.control();
        if let Some(lease) = &lease {
            self.held.push_back((ticket.unit, Since::now(), Counted::downgrade(lease)));
        }
        // Before the unit can be released: a reader after this one begins here, and must not come to
        // bytes that are in use again.
        control.delivered.0.store(self.next);
        // The last share rings, too, and the lease may be that.
        if lease.is_none_or(|lease| Counted::strong_count(&lease) > 1) {
            control.writer_bell.0.ring();
        }
        Ok(())
    }

    /// Asks the writer for another pass and returns its number; what it sent before is still to be read,
    /// and discarded.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`].
    pub fn request_pass(&mut self) -> Result<u64> {
        let mapping = self.endpoint.mapping()?;
        let control = mapping.area.control();
        self.pass = self.pass.wrapping_add(1);
        control.pass.0.store(self.pass);
        control.writer_bell.0.ring();
        Ok(self.pass)
    }

    /// The pass that it wants; what belongs to another is left over from one that was given up.
    #[must_use]
    pub fn pass(&self) -> u64 {
        self.pass
    }

    /// The units that exports in this process still hold, oldest first.
    pub fn held(&mut self) -> Vec<HeldUnit> {
        self.forget_released();
        let held = self.held.iter().map(|(unit, since, lease)| HeldUnit {
            unit: *unit,
            age: since.elapsed(),
            exports: lease.strong_count(),
        });
        held.filter(|unit| unit.exports > 0).collect()
    }

    /// Whether the writer waits for a segment, everything that it sent having been read: it waits for
    /// units that this process holds.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`].
    pub fn starves_writer(&self) -> Result<bool> {
        Ok(self.endpoint.mapping()?.area.control().starved.0.load() == self.next + 1)
    }

    fn forget_released(&mut self) {
        while self.held.front().is_some_and(|(.., lease)| lease.strong_count() == 0) {
            self.held.pop_front();
        }
    }

    /// How many records were read so far, by this reader and those before it.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.next
    }
}

fn no_unit() -> Error {
    Error::Endpoint("no unit is being read: take up the next one first".into())
}
