//! Records: the descriptors that carry items, ends, errors and starts through the control area.

use crate::error::{Error, Result};
use crate::layout::{Geometry, HEAD, INLINE, RecordSlot};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What a record announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An item, with or without a unit of its own.
    Item,
    /// The pass is over.
    End,
    /// The pass ended in an error, which the envelope describes.
    Error,
    /// A pass has begun.
    Started,
}

const KINDS: [Kind; 4] = [Kind::Item, Kind::End, Kind::Error, Kind::Started];

/// Where a binary lies in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Bytes from the start of the unit.
    pub offset: usize,
    /// Its length in bytes.
    pub nbytes: usize,
}

impl Extent {
    /// The bytes of an extent in an envelope.
    pub(crate) const SIZE: usize = 16;

    pub(crate) fn end(self) -> Option<usize> {
        self.offset.checked_add(self.nbytes)
    }
}

/// Where an envelope is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Inline,
    /// In its unit, at this offset.
    Unit(usize),
    /// It travels by a way of the user's own.
    Aside,
}

/// The part of the arena that a unit has to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The segment; 0 in a ring.
    pub(crate) segment: usize,
    /// Bytes from the start of the segment.
    pub(crate) start: usize,
    /// The bytes that the unit reserved.
    pub(crate) nbytes: usize,
}

/// One record, as its writer wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub(crate) kind: Kind,
    pub(crate) pass: u64,
    /// Its number in the stream, which is also that of its unit.
    pub(crate) number: u64,
    pub(crate) span: Option<Span>,
    pub(crate) place: Place,
    /// The bytes of the envelope: the extents and the body.
    pub(crate) envelope: usize,
    pub(crate) extents: usize,
    /// Of the whole envelope.
    pub(crate) checksum: u64,
}

/// Identifies an arena among all that ever were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArenaId(pub(crate) [u64; 2]);

impl ArenaId {
    /// The identity as two words, to be sent somewhere.
    #[must_use]
    pub fn to_words(self) -> [u64; 2] {
        self.0
    }

    /// The identity that [`ArenaId::to_words`] gave.
    #[must_use]
    pub fn from_words(words: [u64; 2]) -> Self {
        Self(words)
    }

    /// A hash of bytes that belong to this arena and record alone.
    pub(crate) fn checksum(self, number: u64, bytes: &[u8]) -> u64 {
        xxh3_64_with_seed(bytes, self.0[0] ^ self.0[1].rotate_left(32) ^ number)
    }
}

impl std::fmt::Display for ArenaId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}{:016x}", self.0[0], self.0[1])
    }
}

const NOWHERE: u64 = u64::MAX;

impl Descriptor {
    /// Stores the record, its envelope too where that is inline.
    pub(crate) fn store(&self, slot: &RecordSlot, id: ArenaId, envelope: &[u8]) {
        let span = self.span.map_or([NOWHERE; 3], |s| [s.segment, s.start, s.nbytes].map(|x| x as u64));
        let (place, at) = match self.place {
            Place::Inline => (0, 0),
            Place::Unit(offset) => (1, offset as u64),
            Place::Aside => (2, 0),
        };
        let kind = KINDS.iter().position(|kind| *kind == self.kind).unwrap_or_default() as u64;
        let sizes = [self.envelope as u64, self.extents as u64];
        let [segment, start, nbytes] = span;
        let mut head = [
            kind,
            self.pass,
            self.number,
            segment,
            start,
            nbytes,
            place,
            at,
            sizes[0],
            sizes[1],
            self.checksum,
            0,
        ];
        head[HEAD - 1] = check(&head, id, self.number);
        for (word, value) in slot.head.iter().zip(head) {
            word.store(value);
        }
        if self.place == Place::Inline {
            for (word, bytes) in slot.inline.iter().zip(envelope.chunks(8)) {
                let mut padded = [0; 8];
                padded[..bytes.len()].copy_from_slice(bytes);
                word.store(u64::from_le_bytes(padded));
            }
        }
    }

    /// Loads record `number`, each word once, and checks all that it says against this process's arena.
    pub(crate) fn load(slot: &RecordSlot, id: ArenaId, number: u64, geometry: &Geometry) -> Result<Self> {
        let head: [u64; HEAD] = std::array::from_fn(|i| slot.head[i].load());
        Self::parse(&head, id, number, geometry).ok_or(Error::Corrupt("a descriptor"))
    }

    /// The record that these words make, if they make one that this arena can have.
    pub(crate) fn parse(head: &[u64; HEAD], id: ArenaId, number: u64, geometry: &Geometry) -> Option<Self> {
        let [kind, pass, given, segment, start, nbytes, place, at, envelope, extents, checksum, sum] = *head;
        if sum != check(head, id, number) || given != number {
            return None;
        }
        let size = |x: u64| usize::try_from(x).ok();
        let span = if [segment, start, nbytes] == [NOWHERE; 3] {
            None
        } else {
            let span = Span { segment: size(segment)?, start: size(start)?, nbytes: size(nbytes)? };
            let end = span.start.checked_add(span.nbytes)?;
            let inside = span.segment < geometry.count.max(1) && end <= geometry.segment_size;
            inside.then_some(span)?;
            Some(span)
        };
        let (envelope, extents) = (size(envelope)?, size(extents)?);
        let place = match place {
            0 if envelope <= INLINE => Place::Inline,
            1 if size(at)?.checked_add(envelope)? <= span?.nbytes => Place::Unit(size(at)?),
            2 => Place::Aside,
            _ => return None,
        };
        let kind = *KINDS.get(size(kind)?)?;
        (extents.checked_mul(Extent::SIZE)? <= envelope).then_some(())?;
        Some(Self { kind, pass, number, span, place, envelope, extents, checksum })
    }

    /// The extents and the body in an envelope, its checksum and all extents checked.
    pub(crate) fn open<'a>(
        &self,
        envelope: &'a [u8],
        id: ArenaId,
        extents: &mut Vec<Extent>,
    ) -> Result<&'a [u8]> {
        let right = envelope.len() == self.envelope && id.checksum(self.number, envelope) == self.checksum;
        let split = envelope.split_at_checked(self.extents * Extent::SIZE);
        let Some((table, body)) = split.filter(|_| right) else {
            return Err(Error::Corrupt("an envelope"));
        };
        extents.clear();
        let room = self.span.map_or(0, |span| span.nbytes);
        for entry in table.as_chunks::<{ Extent::SIZE }>().0 {
            let word = |at: usize| {
                let bytes = entry[at..].first_chunk().copied().unwrap_or_default();
                usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
            };
            let extent = Extent { offset: word(0), nbytes: word(8) };
            if extent.end().is_none_or(|end| end > room) {
                return Err(Error::Corrupt("the extents of a unit"));
            }
            extents.push(extent);
        }
        Ok(body)
    }
}

/// The bytes of an envelope in a unit with so many extents and so long a body: none where it lies in its
/// record.
#[must_use]
pub const fn envelope_in_unit(extents: usize, body: usize) -> usize {
    let nbytes = size_of::<Extent>() * extents + body;
    if nbytes <= INLINE { 0 } else { nbytes }
}

/// Writes an envelope: a table of extents and the body behind it.
pub(crate) fn seal(extents: &[Extent], body: &[u8], envelope: &mut Vec<u8>) {
    envelope.clear();
    for extent in extents {
        envelope.extend_from_slice(&(extent.offset as u64).to_le_bytes());
        envelope.extend_from_slice(&(extent.nbytes as u64).to_le_bytes());
    }
    envelope.extend_from_slice(body);
}

/// The inline envelope of a slot.
pub(crate) fn load_inline(slot: &RecordSlot, nbytes: usize, envelope: &mut Vec<u8>) {
    envelope.clear();
    for word in &slot.inline[..nbytes.div_ceil(8).min(INLINE / 8)] {
        envelope.extend_from_slice(&word.load().to_le_bytes());
    }
    envelope.truncate(nbytes);
}

/// The last word of a descriptor, by which it is that of this arena and record.
pub(crate) fn check(head: &[u64; HEAD], id: ArenaId, number: u64) -> u64 {
    let mut bytes = [0; 8 * (HEAD - 1)];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(head) {
        *bytes = word.to_le_bytes();
    }
    id.checksum(number, &bytes)
}

// Safe code and many cases: nothing for Miri to find.
#[cfg(all(test, not(loom), not(miri)))]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    const ID: ArenaId = ArenaId([3, 4]);
    const SEGMENT: usize = 5000;

    fn geometry() -> Geometry {
        Geometry::new(SEGMENT, 3, 4, 4096).unwrap()
    }

    /// A record as a writer could send it, and its envelope.
    fn record() -> impl Strategy<Value = (Descriptor, Vec<u8>, Vec<Extent>)> {
        let span = (0..3usize, 0..=SEGMENT)
            .prop_flat_map(|(segment, nbytes)| (Just(segment), 0..=SEGMENT - nbytes, Just(nbytes)))
            .prop_map(|(segment, start, nbytes)| Span { segment, start, nbytes });
        let words = (0..KINDS.len(), any::<u64>(), any::<u64>());
        let sizes = (vec((any::<usize>(), any::<usize>()), 0..4), vec(any::<u8>(), 0..1200), any::<usize>());
        (words, proptest::option::of(span), sizes).prop_map(
            |((kind, pass, number), span, (extents, body, at))| {
                let room = span.map_or(0, |span| span.nbytes);
                let extents = extents.into_iter().map(|(offset, nbytes)| {
                    let offset = offset % (room + 1);
                    Extent { offset, nbytes: nbytes % (room - offset + 1) }
                });
                let extents: Vec<_> = extents.collect();
                let mut envelope = Vec::new();
                seal(&extents, &body, &mut envelope);
                let place = match room.checked_sub(envelope.len()) {
                    _ if envelope.len() <= INLINE => Place::Inline,
                    Some(left) => Place::Unit(at % (left + 1)),
                    None => Place::Aside,
                };
                let checksum = ID.checksum(number, &envelope);
                let (kind, nbytes) = (KINDS[kind], envelope.len());
                let extents_len = extents.len();
                let descriptor = Descriptor {
                    kind,
                    pass,
                    number,
                    span,
                    place,
                    envelope: nbytes,
                    extents: extents_len,
                    checksum,
                };
                (descriptor, envelope, extents)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn records_come_as_they_went((descriptor, envelope, extents) in record()) {
            let slot = RecordSlot::default();
            descriptor.store(&slot, ID, &envelope);
            let loaded = Descriptor::load(&slot, ID, descriptor.number, &geometry()).unwrap();
            prop_assert_eq!(loaded, descriptor);
            let mut arrived = envelope.clone();
            if descriptor.place == Place::Inline {
                load_inline(&slot, descriptor.envelope, &mut arrived);
            }
            let mut found = Vec::new();
            let body = loaded.open(&arrived, ID, &mut found).unwrap();
            prop_assert_eq!(&found, &extents);
            prop_assert_eq!(body, &envelope[extents.len() * Extent::SIZE..]);
        }

        #[test]
        fn a_record_with_one_bit_turned_is_refused(
            (descriptor, envelope, _) in record(), word in 0..HEAD, bit in 0..64u32
        ) {
            let slot = RecordSlot::default();
            descriptor.store(&slot, ID, &envelope);
            slot.head[word].store(slot.head[word].load() ^ 1 << bit);
            prop_assert!(Descriptor::load(&slot, ID, descriptor.number, &geometry()).is_err());
        }

        #[test]
        fn a_record_of_another_number_or_arena_is_refused((descriptor, envelope, _) in record()) {
            let slot = RecordSlot::default();
            descriptor.store(&slot, ID, &envelope);
            let load = |id, number| Descriptor::load(&slot, id, number, &geometry());
            prop_assert!(load(ID, descriptor.number ^ 1).is_err());
            prop_assert!(load(ArenaId([4, 3]), descriptor.number).is_err());
            let mut extents = Vec::new();
            prop_assert!(descriptor.open(&envelope, ArenaId([4, 3]), &mut extents).is_err());
        }

        #[test]
        fn a_record_with_impossible_words_is_refused_whatever_its_check(
            (descriptor, envelope, _) in record(), word in 3..10usize, far in SEGMENT as u64 + 1..
        ) {
            let slot = RecordSlot::default();
            descriptor.store(&slot, ID, &envelope);
            let mut head: [u64; HEAD] = std::array::from_fn(|i| slot.head[i].load());
            let used = match word {
                3..=5 => descriptor.span.is_some(),
                7 => matches!(descriptor.place, Place::Unit(_)),
                8 => descriptor.place != Place::Aside,
                _ => true,
            };
            prop_assume!(used);
            head[word] = far;
            head[HEAD - 1] = check(&head, ID, descriptor.number);
            prop_assert_eq!(Descriptor::parse(&head, ID, descriptor.number, &geometry()), None);
        }
    }
}
