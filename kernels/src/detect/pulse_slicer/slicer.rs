//! The state machine behind [`PulseSlicer`](super::PulseSlicer).

use super::Pulse;
use crate::shape::Progress;
use crate::simd::{Body, Lanes, Lanes16};
use crate::state::{Reader, Writer};
use core::num::NonZero;
use core::slice::IterMut;

/// The constructor's arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<X> {
    pub(super) on: X,
    pub(super) off: X,
    pub(super) min_length: u64,
}

/// What is known of the stream so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slicer {
    /// Samples taken.
    index: u64,
    /// One past the last pulse reported.
    end: u64,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Low,
    High {
        start: u64,
    },
    /// A pulse that ended at the last sample and found no room.
    Owed(Pulse),
}

/// Samples that are tested at once.
const BLOCK: usize = 16;

impl Slicer {
    pub(super) const NEW: Self = Self { index: 0, end: 0, phase: Phase::Low };

    pub(super) fn max_out(&self, min_length: u64, n_in: usize) -> usize {
        // The pulse and the sample that ends it.
        let each = NonZero::<u64>::MIN.saturating_add(min_length);
        let (owed, to_first) = match self.phase {
            Phase::Low => (0, each.get()),
            Phase::Owed(_) => (1, each.get()),
            Phase::High { start } => (0, 1 + min_length.saturating_sub(self.index - start)),
        };
        let after_first = (n_in as u64).checked_sub(to_first);
        owed + after_first.map_or(0, |left| 1 + left / each) as usize
    }

    /// The pulse that the end of the stream would give.
    pub(super) fn last(&self, min_length: u64) -> Option<Pulse> {
        match self.phase {
            Phase::Low => None,
            Phase::High { start } => self.finished(min_length, start),
            Phase::Owed(pulse) => Some(pulse),
        }
    }

    /// Ends the stream; a pulse that finds no room stays.
    pub(super) fn flush(&mut self, min_length: u64, out: &mut [Pulse]) -> usize {
        let last = self.last(min_length);
        match (last, out) {
            (Some(_), []) => return 0,
            (Some(pulse), [slot, ..]) => *slot = pulse,
            (None, _) => {}
        }
        *self = Self::NEW;
        usize::from(last.is_some())
    }

    /// The pulse from `start` up to now, if it is long enough.
    #[inline(always)]
    fn finished(&self, min_length: u64, start: u64) -> Option<Pulse> {
        let width = self.index - start;
        let pulse = Pulse { start: start as i64, width: width as i64, gap: (start - self.end) as i64 };
        (width >= min_length).then_some(pulse)
    }

    /// Takes one sample; `None` when it ended a pulse that found no room.
    #[inline(always)]
    fn sample<X: PartialOrd + Copy>(
        &mut self,
        rules: &Rules<X>,
        x: X,
        out: &mut IterMut<'_, Pulse>,
    ) -> Option<()> {
        let mut room = Some(());
        match self.phase {
            Phase::Low if x >= rules.on => self.phase = Phase::High { start: self.index },
            Phase::High { start } if x < rules.off => {
                self.phase = Phase::Low;
                if let Some(pulse) = self.finished(rules.min_length, start) {
                    self.end = self.index;
                    room = out.next().map(|slot| *slot = pulse);
                    if room.is_none() {
                        self.phase = Phase::Owed(pulse);
                    }
                }
            }
            _ => {}
        }
        self.index += 1;
        room
    }

    /// Takes a block if no sample of it changes anything; whether it did.
    #[inline(always)]
    fn block<X: PartialOrd + Copy>(&mut self, rules: &Rules<X>, block: &[X; BLOCK]) -> bool {
        let edge = match self.phase {
            Phase::Low => any(block, |x| x >= rules.on),
            Phase::High { .. } => any(block, |x| x < rules.off),
            Phase::Owed(_) => true,
        };
        self.index += if edge { 0 } else { BLOCK as u64 };
        !edge
    }

    pub(super) const PAYLOAD: usize = 8 * 5;

    pub(super) fn write(&self, to: &mut Writer<'_>) {
        let (tag, start, gap) = match self.phase {
            Phase::Low => (0, 0, 0),
            Phase::High { start } => (1, start, 0),
            Phase::Owed(Pulse { start, gap, .. }) => (2, start as u64, gap as u64),
        };
        for count in [self.index, self.end, tag, start, gap] {
            to.u64(count);
        }
    }

    pub(super) fn read(&mut self, min_length: u64, from: &mut Reader<'_>) -> Option<()> {
        let [index, end, tag, start, gap] =
            [from.count()?, from.u64()?, from.u64()?, from.u64()?, from.u64()?];
        // Between two pulses there is a low sample.
        let after = |end: u64, next: u64| end == 0 || end < next;
        let phase = match tag {
            0 if (start, gap) == (0, 0) && after(end, index) => Phase::Low,
            1 if gap == 0 && start < index && after(end, start) => Phase::High { start },
            2 if start < end && end.checked_add(1) == Some(index) && gap <= start => {
                let width = end - start;
                if width < min_length || !after(start - gap, start) {
                    return None;
                }
                Phase::Owed(Pulse { start: start as i64, width: width as i64, gap: gap as i64 })
            }
            _ => return None,
        };
        *self = Self { index, end, phase };
        Some(())
    }
}

// Without an early end, so that it vectorises.
#[inline(always)]
fn any<X: Copy>(block: &[X; BLOCK], test: impl Fn(X) -> bool) -> bool {
    block.iter().fold(false, |any, x| any | test(*x))
}

/// Feeds samples to a slicer.
pub(super) struct Scan<'a, X> {
    pub(super) rules: Rules<X>,
    pub(super) slicer: &'a mut Slicer,
    pub(super) x: &'a [X],
    pub(super) out: &'a mut [Pulse],
}

impl<X: PartialOrd + Copy> Body<f32> for Scan<'_, X> {
    type Output = Progress;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> Progress {
        let Self { rules, slicer, x, out } = self;
        let (first, room) = (slicer.index, out.len());
        let mut out = out.iter_mut();
        // Where the room ends the state says all.
        let _ = scan(&rules, slicer, x, &mut out);
        Progress { consumed: (slicer.index - first) as usize, produced: room - out.len() }
    }
}

/// Takes samples until one ends a pulse that finds no room.
#[inline(always)]
fn scan<X: PartialOrd + Copy>(
    rules: &Rules<X>,
    slicer: &mut Slicer,
    x: &[X],
    out: &mut IterMut<'_, Pulse>,
) -> Option<()> {
    if let Phase::Owed(pulse) = slicer.phase {
        *out.next()? = pulse;
        slicer.phase = Phase::Low;
    }
    let (blocks, tail) = x.as_chunks::<BLOCK>();
    for block in blocks {
        if !slicer.block(rules, block) {
            for x in block {
                slicer.sample(rules, *x, out)?;
            }
        }
    }
    for x in tail {
        slicer.sample(rules, *x, out)?;
    }
    Some(())
}
