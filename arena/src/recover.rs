//! What a new endpoint finds of those before it, who may have died at any store.

use crate::error::{Error, Result};
use crate::pool::{Segments, Sent};
use crate::record::Descriptor;
use crate::ring::Spans;
use crate::segment::Mapping;
use crate::space::Space;
use crate::sync::Since;
use std::collections::VecDeque;

/// The cursors of the stream: what is done with, and what is committed.
fn cursors(mapping: &Mapping) -> Result<(u64, u64)> {
    let control = mapping.area.control();
    // In this order: the reader's follows the writer's.
    let (delivered, published) = (control.delivered.0.load(), control.published.0.load());
    let waiting = published.checked_sub(delivered);
    if waiting.is_none_or(|waiting| waiting > mapping.geometry.records as u64) {
        return Err(Error::Corrupt("the cursors of the stream"));
    }
    Ok((delivered, published))
}

/// How many records were committed, and the writer's book of what they use.
///
/// A unit that was being written counts as never begun: its segment still names the unit before, or
/// one that was not published.
pub(crate) fn writer(mapping: &Mapping) -> Result<(u64, Space)> {
    let (delivered, published) = cursors(mapping)?;
    if mapping.geometry.is_ring() {
        return Ok((published, Space::Ring(spans(mapping, delivered, published)?)));
    }
    let (mut free, mut sent) = (Vec::new(), Vec::new());
    // The lowest on top.
    for segment in (0..mapping.geometry.count).rev() {
        let slot = mapping.area.unit(segment);
        match slot.unit.load().checked_sub(1) {
            Some(unit) if unit < published && slot.released.load() != unit + 1 => {
                sent.push(Sent { unit, segment, at: Since::now(), own: None });
                continue;
            }
            // The next unit of this number may get another segment.
            Some(unit) if unit >= published => slot.unit.store(0),
            _ => {}
        }
        free.push(segment);
    }
    sent.sort_unstable_by_key(|sent| sent.unit);
    if sent.windows(2).any(|pair| pair[0].unit == pair[1].unit) {
        return Err(Error::Corrupt("two segments of one unit"));
    }
    Ok((published, Space::Pool(Segments::new(free, sent.into()))))
}

fn spans(mapping: &Mapping, delivered: u64, published: u64) -> Result<Spans> {
    let mut spans = Spans::new(mapping.geometry.segment_size);
    for number in delivered..published {
        let slot = mapping.area.record(number);
        let record = Descriptor::load(slot, mapping.id, number, &mapping.geometry)?;
        if let Some(span) = record.span {
            spans.sent(number, span.start, span.nbytes);
        }
    }
    Ok(spans)
}

/// The first record that no reader is done with. Units that readers before this one held are released:
/// they are dead, as an end that its process closed is never opened again.
pub(crate) fn reader(mapping: &Mapping) -> Result<u64> {
    let (delivered, _) = cursors(mapping)?;
    let mut released = VecDeque::new();
    for segment in 0..mapping.geometry.count {
        let slot = mapping.area.unit(segment);
        let Some(unit) = slot.unit.load().checked_sub(1) else { continue };
        if unit < delivered && slot.released.load() != unit + 1 {
            released.push_back((segment, unit));
        }
    }
    for (segment, unit) in released {
        mapping.area.unit(segment).released.store(unit + 1);
    }
    mapping.area.control().writer_bell.0.ring();
    Ok(delivered)
}
