//! How a unit, or a record without one, becomes visible to the reader.

use super::{Writer, no_unit};
use crate::error::{Error, Limit, Result, TooLarge};
use crate::layout::{Carried, INLINE};
use crate::record::{Descriptor, Kind, Place, Span, seal};
use crate::segment::Mapping;
use crate::ticket::Ticket;
use crate::unit::OpenUnit;

/// Takes an envelope that has no room in the arena to the reader, by a way of its own.
///
/// It is called before the record can be seen, and what it refuses is not sent. It may wait for the
/// reader to take the bytes: see [`Reader::carried`].
///
/// [`Reader::carried`]: crate::Reader::carried
pub type Carrier<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

impl Writer {
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
    fn carry(&mut self, mapping: &Mapping, carrier: Carrier<'_>) -> Result<()> {
        let control = mapping.area.control();
        self.attempts += 1;
        control.carried.0.store(Carried::new(self.published, self.attempts).0);
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

/// With `debug`, this process can write to a pool's segment only while its unit is open.
pub(super) fn make_writable(mapping: &Mapping, span: Span, writable: bool) -> Result<()> {
    let watched = mapping.options.debug && !mapping.geometry.is_ring();
    if watched { mapping.protect(Some(span.segment), writable) } else { Ok(()) }
}
