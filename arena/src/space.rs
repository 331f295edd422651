//! Where units can go: the segments of a pool, or the spans of a ring.

use crate::error::{Blocker, Full};
use crate::lease::Released;
use crate::pool::{Segments, Sent};
use crate::record::Span;
use crate::ring::Spans;
use crate::segment::Mapping;
use crate::sync::Since;
use std::sync::Arc;
use std::time::Duration;

/// The writer's book of what is in use.
#[derive(Debug)]
pub(crate) enum Space {
    Pool(Segments),
    Ring(Spans),
}

impl Space {
    /// Takes room for a unit, given how many records the reader is done with.
    pub(crate) fn take(&mut self, mapping: &Mapping, delivered: u64, nbytes: usize) -> Option<Span> {
        match self {
            Self::Pool(segments) => {
                let segment = segments.take(mapping)?;
                Some(Span { segment, start: 0, nbytes })
            }
            Self::Ring(spans) => {
                spans.reclaim(delivered);
                let start = spans.find(delivered, nbytes)?;
                Some(Span { segment: 0, start, nbytes })
            }
        }
    }

    /// Whether [`Space::take`] would find room.
    pub(crate) fn has_room(&self, mapping: &Mapping, delivered: u64, nbytes: usize) -> bool {
        match self {
            Self::Pool(segments) => segments.has_room(mapping),
            Self::Ring(spans) => spans.find(delivered, nbytes).is_some(),
        }
    }

    /// Notes that a unit was sent, before anybody can see it.
    pub(crate) fn sent(&mut self, mapping: &Mapping, unit: u64, span: Span, own: Option<Arc<Released>>) {
        match self {
            Self::Pool(segments) => {
                segments.sent(Sent { unit, segment: span.segment, at: Since::now(), own });
                mapping.area.unit(span.segment).unit.store(unit + 1);
            }
            Self::Ring(spans) => spans.sent(unit, span.start, span.nbytes),
        }
    }

    /// Takes back the room of a unit that was given up.
    pub(crate) fn give_back(&mut self, span: Span, own: Option<Arc<Released>>) {
        // A ring's span is in use only once it is sent.
        if let Self::Pool(segments) = self {
            segments.give_back(span.segment, own);
        }
    }

    /// The oldest unit whose bytes may not be used again, or the next one.
    pub(crate) fn watermark(&mut self, mapping: &Mapping, delivered: u64, next: u64) -> u64 {
        match self {
            Self::Pool(segments) => {
                segments.reclaim(mapping);
                segments.watermark(next)
            }
            Self::Ring(spans) => {
                spans.reclaim(delivered);
                spans.watermark(next)
            }
        }
    }

    /// What stands in the way of a segment, apart from units that wait to be read.
    pub(crate) fn blocker(&self, mapping: &Mapping, delivered: u64) -> Option<Blocker> {
        match self {
            Self::Pool(segments) => segments.blocker(mapping, delivered),
            Self::Ring(_) => None,
        }
    }

    /// What to say of a wait for room that was in vain.
    pub(crate) fn full(&self, waited: Duration, blocker: Blocker, nbytes: usize) -> Full {
        let ring = match self {
            Self::Pool(_) => None,
            Self::Ring(spans) => Some((nbytes, spans.free())),
        };
        Full { waited, blocker, ring }
    }
}
