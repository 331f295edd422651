//! The unit that is being written.

use crate::error::{Error, Limit, Result, TooLarge};
use crate::export::Export;
use crate::layout::BINARY_ALIGNMENT;
use crate::lease::{Held, Lease, Released};
use crate::record::{Extent, Span};
use crate::segment::{Mapping, Source};
use crate::sync::Counted;
use std::sync::Arc;

/// A span of the arena that nobody but its writer knows of yet.
#[derive(Debug)]
pub(crate) struct OpenUnit {
    /// Where it may lie.
    span: Span,
    /// The bytes of it that are in use.
    used: usize,
    /// What the reader will be told of.
    extents: Vec<Extent>,
    /// The writer's own arrays in it.
    own: Option<(Arc<Released>, Counted<Lease>)>,
}

impl OpenUnit {
    pub(crate) fn new(span: Span) -> Self {
        Self { span, used: 0, extents: Vec::new(), own: None }
    }

    /// Where it begins in the data.
    fn start(&self, mapping: &Mapping) -> usize {
        mapping.segment_at(self.span.segment) + self.span.start
    }

    /// Reserves aligned bytes; gives their place in the data too.
    fn reserve(&mut self, mapping: &Mapping, nbytes: usize, alignment: usize) -> Result<(usize, Extent)> {
        let offset = self.used.next_multiple_of(alignment);
        let (needed, limit) = (offset.saturating_add(nbytes), self.span.nbytes);
        if needed > limit {
            let begun = limit < mapping.geometry.segment_size;
            let limited_by = if begun { Limit::Begun } else { mapping.geometry.largest_unit() };
            return Err(Error::TooLarge(TooLarge { needed, limit, limited_by }));
        }
        self.used = needed;
        Ok((self.start(mapping) + offset, Extent { offset, nbytes }))
    }

    /// The most that it may have.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    pub(crate) fn write(&mut self, mapping: &Mapping, source: Source<'_>) -> Result<Extent> {
        let (at, extent) = self.reserve(mapping, source.nbytes(), BINARY_ALIGNMENT)?;
        mapping.data.write(at, source)?;
        self.extents.push(extent);
        Ok(extent)
    }

    /// Writes what the reader is not told of as a binary.
    pub(crate) fn write_envelope(&mut self, mapping: &Mapping, envelope: &[u8]) -> Result<usize> {
        let (at, extent) = self.reserve(mapping, envelope.len(), 8)?;
        mapping.data.write(at, envelope.into())?;
        Ok(extent.offset)
    }

    pub(crate) fn place(&mut self, mapping: &Arc<Mapping>, nbytes: usize) -> Result<(Extent, Export)> {
        let (at, extent) = self.reserve(mapping, nbytes, BINARY_ALIGNMENT)?;
        let start = mapping.data.address(at, nbytes)?;
        self.extents.push(extent);
        let (_, lease) = self.own.get_or_insert_with(|| {
            let released = Arc::<Released>::default();
            (released.clone(), Lease::new(mapping.clone(), Held::Own(released)))
        });
        let lease = lease.clone();
        Ok((extent, Export::new(lease, start, nbytes, false)))
    }

    pub(crate) fn offset_of(&self, mapping: &Mapping, address: usize, nbytes: usize) -> Option<usize> {
        let start = mapping.data.address(self.start(mapping), self.used).ok()?.as_ptr() as usize;
        let offset = address.checked_sub(start)?;
        (offset.checked_add(nbytes)? <= self.used).then_some(offset)
    }

    pub(crate) fn tell_of(&mut self, extents: Vec<Extent>) -> Result<()> {
        if extents.iter().any(|extent| extent.end().is_none_or(|end| end > self.used)) {
            let expected = "parts of the unit that is being written";
            let given = format!("{extents:?} of {} bytes", self.used);
            return Err(Error::Argument { argument: "extents", expected, given });
        }
        self.extents = extents;
        Ok(())
    }

    pub(crate) fn extents(&self) -> &[Extent] {
        &self.extents
    }

    /// The span in use, and whether the writer's own arrays are gone. The writer's share of their lease
    /// goes here: without arrays about, they are gone at once.
    pub(crate) fn close(self) -> (Span, Option<Arc<Released>>) {
        let released = self.own.map(|(released, _)| released);
        (Span { nbytes: self.used, ..self.span }, released)
    }
}
