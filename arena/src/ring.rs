//! The bytes of a ring: contiguous spans, taken and given back in order.

use crate::layout::BINARY_ALIGNMENT;
use std::collections::VecDeque;

/// The writer's own book of the spans that are in use.
#[derive(Debug)]
pub(crate) struct Spans {
    capacity: usize,
    used: VecDeque<Used>,
}

/// The span of a unit that was sent.
#[derive(Debug)]
struct Used {
    unit: u64,
    start: usize,
    end: usize,
}

impl Spans {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, used: VecDeque::new() }
    }

    /// Forgets the units that the reader is done with: those before `delivered`.
    pub(crate) fn reclaim(&mut self, delivered: u64) {
        while self.used.front().is_some_and(|oldest| oldest.unit < delivered) {
            self.used.pop_front();
        }
    }

    /// Where a unit of `nbytes` can begin; an empty ring begins anew, so that any size up to the
    /// capacity fits.
    ///
    /// Units before `delivered` are done with.
    pub(crate) fn find(&self, delivered: u64, nbytes: usize) -> Option<usize> {
        // No span is empty, and all begin aligned.
        let least = nbytes.max(1);
        let size = least.next_multiple_of(BINARY_ALIGNMENT);
        let oldest = self.used.iter().find(|used| used.unit >= delivered);
        match (oldest, self.used.back()) {
            (Some(oldest), Some(newest)) if newest.end > oldest.start => {
                // Behind the newest, or else before the oldest. Never up to it: that would look empty.
                let behind = self.capacity.saturating_sub(newest.end) >= least;
                if behind { Some(newest.end) } else { (size < oldest.start).then_some(0) }
            }
            (Some(oldest), Some(newest)) => (oldest.start - newest.end > size).then_some(newest.end),
            _ => (nbytes <= self.capacity).then_some(0),
        }
    }

    /// The most bytes that [`Spans::find`] finds room for.
    pub(crate) fn free(&self) -> usize {
        match (self.used.front(), self.used.back()) {
            (Some(oldest), Some(newest)) if newest.end > oldest.start => {
                let before = oldest.start.saturating_sub(BINARY_ALIGNMENT);
                self.capacity.saturating_sub(newest.end).max(before)
            }
            (Some(oldest), Some(newest)) => oldest.start - newest.end - BINARY_ALIGNMENT,
            _ => self.capacity,
        }
    }

    /// Takes a span that [`Spans::find`] found.
    pub(crate) fn sent(&mut self, unit: u64, start: usize, nbytes: usize) {
        let end = start + nbytes.max(1).next_multiple_of(BINARY_ALIGNMENT);
        self.used.push_back(Used { unit, start, end });
    }

    /// The oldest unit in use, or the next one.
    pub(crate) fn watermark(&self, next: u64) -> u64 {
        self.used.front().map_or(next, |oldest| oldest.unit)
    }
}

// Safe code and many cases: nothing for Miri to find.
#[cfg(all(test, not(loom), not(miri)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is done to a ring: a unit of so many bytes is sent if it fits, or the oldest is done with.
    #[derive(Debug, Clone)]
    enum Step {
        Send(usize),
        Deliver,
    }

    fn steps(capacity: usize) -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![(0..=capacity).prop_map(Step::Send), Just(Step::Deliver)];
        proptest::collection::vec(step, 0..64)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn spans_never_overlap_and_use_what_there_is(
            (capacity, steps) in (1..1000usize).prop_flat_map(|capacity| (Just(capacity), steps(capacity)))
        ) {
            let mut spans = Spans::new(capacity);
            let mut live: VecDeque<std::ops::Range<usize>> = VecDeque::new();
            let (mut sent, mut delivered) = (0, 0);
            for step in steps {
                match step {
                    Step::Send(nbytes) => {
                        spans.reclaim(delivered);
                        let (free, found) = (spans.free(), spans.find(delivered, nbytes));
                        prop_assert_eq!(found.is_some(), nbytes <= free && (nbytes > 0 || free > 0));
                        let Some(start) = found else { continue };
                        let span = start..start + nbytes;
                        prop_assert!(start % BINARY_ALIGNMENT == 0 && span.end <= capacity);
                        prop_assert!(live.iter().all(|other| span.end <= other.start || other.end <= start));
                        spans.sent(sent, start, nbytes);
                        live.push_back(span);
                        sent += 1;
                    }
                    Step::Deliver => {
                        delivered += u64::from(live.pop_front().is_some());
                    }
                }
                if live.is_empty() {
                    prop_assert_eq!(spans.find(delivered, capacity), Some(0), "an empty ring takes all");
                }
                prop_assert!(spans.watermark(sent) <= delivered);
            }
        }
    }
}
