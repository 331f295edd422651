//! How a writer waits for its reader, and what it says stands in the way.

use super::Writer;
use crate::error::{Blocker, Error, Result};
use crate::record::Kind;
use crate::segment::{CLOSED_HERE, Mapping};
use std::time::{Duration, Instant};

/// A wait is cut into slices of this, between which signals and the other side are looked at.
pub const SLICE: Duration = Duration::from_millis(200);

impl Writer {
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
    pub(super) fn next_slice(&mut self, since: &mut Option<Instant>, nbytes: usize) -> Result<Duration> {
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
    pub(super) fn starve(&self, mapping: &Mapping, held: bool) {
        let starved = &mapping.area.control().starved.0;
        let word = if held { self.published + 1 } else { 0 };
        if starved.load() != word {
            starved.store(word);
        }
    }
}

fn sleep(mapping: &Mapping, slice: Duration, ready: impl Fn() -> bool) -> bool {
    let control = mapping.area.control();
    control.writer_bell.0.wait(mapping.options.spin_for(&control.delivered.0), slice, ready)
}
