//! How an arena behaves.

use crate::sync::Cursor;
use std::time::Duration;

/// What both sides of an arena go by; it travels in the arena itself.
///
/// ```
/// use passband_arena::Options;
/// use std::time::Duration;
///
/// let options = Options { acquire_timeout: Some(Duration::from_secs(5)), ..Options::default() };
/// assert_eq!(options.max_ahead, 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Options {
    /// How long a writer waits for room: not at all for zero, and for ever for `None`.
    pub acquire_timeout: Option<Duration>,
    /// How many units of a pool may wait to be read, so that few segments stay in the caches.
    ///
    /// Units that the reader holds do not count.
    pub max_ahead: usize,
    /// How long to look for the other side before sleeping; not at all where both sides share a
    /// processor. Units that come further apart cost their writer a wake-up each; a longer spin saves
    /// that, and keeps a processor busy meanwhile.
    pub spin: Duration,
    /// Whether to touch all memory at once: the first touch is several times slower than a copy.
    pub prefault: bool,
    /// Whether a reader sees its units read-only.
    pub readonly: bool,
    /// Whether units are read-only for their writer once they are sent, so that late writes fault.
    pub debug: bool,
    /// Whether the arena has a name, by which unrelated processes can attach.
    pub named: bool,
    /// Whether what a reader gets is pinned, for copies to a CUDA device: the units of a pool, and what is
    /// copied out of a ring. Needs CUDA in the process that makes the arena and in the one that reads.
    pub pin_memory: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            acquire_timeout: Some(Duration::from_mins(1)),
            max_ahead: 3,
            spin: Duration::from_micros(20),
            prefault: true,
            readonly: false,
            debug: false,
            named: false,
            pin_memory: false,
        }
    }
}

/// The record slots of a pool, unless more units may be ahead, and of a ring.
const POOL_RECORDS: usize = 64;
const RING_RECORDS: usize = 256;

impl Options {
    /// How many records fit the control area.
    pub(crate) fn records(&self, count: usize) -> usize {
        let least = if count == 0 { RING_RECORDS } else { POOL_RECORDS };
        // A unit, an end and a start may be on their way at once.
        let ahead = self.max_ahead.min(count).saturating_add(4);
        if cfg!(any(loom, miri)) { 4 } else { least.max(ahead.next_power_of_two()) }
    }

    /// The time to spin for the side whose cursor this is: none on the processor that it was on, which
    /// it needs to go on.
    pub(crate) fn spin_for(&self, other: &Cursor) -> Duration {
        if other.is_here() { Duration::ZERO } else { self.spin }
    }

    pub(crate) fn to_words(self) -> [u64; 4] {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX - 1);
        let flags = [self.prefault, self.readonly, self.debug, self.named, self.pin_memory];
        let flags = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
        let timeout = self.acquire_timeout.map_or(u64::MAX, nanoseconds);
        [timeout, nanoseconds(self.spin), self.max_ahead as u64, flags]
    }

    pub(crate) fn from_words([timeout, spin, max_ahead, flags]: [u64; 4]) -> Self {
        let flag = |bit: u32| flags >> bit & 1 == 1;
        Self {
            acquire_timeout: (timeout != u64::MAX).then(|| Duration::from_nanos(timeout)),
            max_ahead: usize::try_from(max_ahead).unwrap_or(usize::MAX),
            spin: Duration::from_nanos(spin),
            prefault: flag(0),
            readonly: flag(1),
            debug: flag(2),
            named: flag(3),
            pin_memory: flag(4),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn options_travel_in_four_words() {
        for acquire_timeout in [None, Some(Duration::ZERO), Some(Duration::from_millis(1500))] {
            for bits in 0..32u32 {
                let flag = |bit: u32| bits >> bit & 1 == 1;
                let options = Options {
                    acquire_timeout,
                    max_ahead: 7,
                    spin: Duration::from_micros(3),
                    prefault: flag(0),
                    readonly: flag(1),
                    debug: flag(2),
                    named: flag(3),
                    pin_memory: flag(4),
                };
                assert_eq!(Options::from_words(options.to_words()), options);
            }
        }
    }
}
