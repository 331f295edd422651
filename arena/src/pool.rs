//! The segments of a pool: which are free, and which wait for the last alias of their unit.

use crate::error::Blocker;
use crate::lease::Released;
use crate::segment::Mapping;
use crate::sync::Since;
use std::collections::VecDeque;
use std::sync::Arc;

/// The writer's own book of its segments; nothing of it is read back from shared memory.
#[derive(Debug)]
pub(crate) struct Segments {
    /// Those to be used next, the one freed last on top: it is still in the caches.
    free: Vec<usize>,
    /// Units sent and not known to be released, in order.
    sent: VecDeque<Sent>,
    /// Segments of units given up while the writer's own arrays were still about.
    given_up: Vec<(usize, Arc<Released>)>,
}

/// A unit that was sent.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) unit: u64,
    pub(crate) segment: usize,
    pub(crate) at: Since,
    /// The writer's own arrays in it.
    pub(crate) own: Option<Arc<Released>>,
}

impl Sent {
    fn is_read(&self, mapping: &Mapping) -> bool {
        mapping.area.unit(self.segment).released.load() == self.unit + 1
    }

    fn is_free(&self, mapping: &Mapping) -> bool {
        self.is_read(mapping) && self.own.as_ref().is_none_or(|own| own.is_set())
    }
}

impl Segments {
    pub(crate) fn new(free: Vec<usize>, sent: VecDeque<Sent>) -> Self {
        Self { free, sent, given_up: Vec::new() }
    }

    /// Takes a free segment. The walk is in order: it stops at the first unit that is still in use.
    pub(crate) fn take(&mut self, mapping: &Mapping) -> Option<usize> {
        self.reclaim(mapping);
        self.free.pop()
    }

    pub(crate) fn reclaim(&mut self, mapping: &Mapping) {
        while let Some(oldest) = self.sent.front()
            && oldest.is_free(mapping)
        {
            self.free.push(oldest.segment);
            self.sent.pop_front();
        }
        let free = &mut self.free;
        self.given_up.retain(|(segment, own)| {
            let gone = own.is_set();
            if gone {
                free.push(*segment);
            }
            !gone
        });
    }

    pub(crate) fn sent(&mut self, sent: Sent) {
        self.sent.push_back(sent);
    }

    pub(crate) fn give_back(&mut self, segment: usize, own: Option<Arc<Released>>) {
        match own {
            Some(own) if !own.is_set() => self.given_up.push((segment, own)),
            _ => self.free.push(segment),
        }
    }

    /// The oldest unit that is not released, or the next one.
    pub(crate) fn watermark(&self, next: u64) -> u64 {
        self.sent.front().map_or(next, |oldest| oldest.unit)
    }

    /// Whether [`Segments::take`] would find one.
    pub(crate) fn has_room(&self, mapping: &Mapping) -> bool {
        !self.free.is_empty()
            || self.sent.front().is_some_and(|oldest| oldest.is_free(mapping))
            || self.given_up.iter().any(|(_, own)| own.is_set())
    }

    /// What stands in the way of the next segment; none where the reader has yet to come to it.
    pub(crate) fn blocker(&self, mapping: &Mapping, delivered: u64) -> Option<Blocker> {
        match self.sent.front() {
            Some(oldest) if oldest.is_read(mapping) => Some(Blocker::Own { unit: Some(oldest.unit) }),
            Some(oldest) if oldest.unit < delivered => {
                Some(Blocker::Held { unit: oldest.unit, age: oldest.at.elapsed() })
            }
            Some(_) => None,
            None => Some(Blocker::Own { unit: None }),
        }
    }
}
