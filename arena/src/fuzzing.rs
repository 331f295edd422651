//! What a peer could write, by accident or knowing the format: for fuzz targets.

use crate::arena::Arena;
use crate::layout::{FACTS, HEAD, INLINE};
use crate::record::{check, load_inline};
use crate::segment::{Mapping, ready};

/// The words of a header, the hash of the others last.
pub const HEADER: usize = FACTS + 1;

/// Makes the hash of a header agree with its other words.
pub fn seal_header(header: &mut [u64; HEADER]) {
    let [words @ .., sealed] = header;
    *sealed = ready(words);
}

/// A word that both sides can write.
#[derive(Debug, Clone, Copy)]
pub enum Word {
    /// A cursor, a claim or a flag of the arena.
    Control(u8),
    /// A word of a segment.
    Unit {
        /// The segment, reduced to those that there are.
        segment: u8,
        /// The word.
        word: u8,
    },
    /// A word of the descriptor of a record.
    Head {
        /// The number of the record.
        record: u8,
        /// The word.
        word: u8,
    },
    /// A word of the envelope of a record.
    Inline {
        /// The number of the record.
        record: u8,
        /// The word.
        word: u8,
    },
}

/// Turns bits of a word, and makes the checks of a record agree where they are forged.
pub fn scribble(arena: &Arena, word: Word, bits: u64, forged: bool) {
    let Ok(mapping) = arena.attachment.mapping() else { return };
    let area = &mapping.area;
    match word {
        Word::Control(index) => {
            let control = area.control();
            let words = [
                &control.unlinked.0,
                &control.shut_down.0,
                &control.writer.0,
                &control.reader.0,
                control.published.0.word(),
                &control.starved.0,
                &control.carried.0,
                control.delivered.0.word(),
                &control.pass.0,
            ];
            let word = words[usize::from(index) % words.len()];
            word.store(word.load() ^ bits);
        }
        Word::Unit { segment, word } if mapping.geometry.count > 0 => {
            let slot = area.unit(usize::from(segment) % mapping.geometry.count);
            let word = [&slot.unit, &slot.released][usize::from(word) % 2];
            word.store(word.load() ^ bits);
        }
        Word::Unit { .. } => {}
        Word::Head { record, word } => {
            let word = &area.record(record.into()).head[usize::from(word) % HEAD];
            word.store(word.load() ^ bits);
            forge(&mapping, record, forged);
        }
        Word::Inline { record, word } => {
            let word = &area.record(record.into()).inline[usize::from(word) % (INLINE / 8)];
            word.store(word.load() ^ bits);
            forge(&mapping, record, forged);
        }
    }
}

/// Makes the checks of a record agree with whatever its words say.
fn forge(mapping: &Mapping, record: u8, forged: bool) {
    if !forged {
        return;
    }
    let (id, number) = (mapping.id, u64::from(record));
    let slot = mapping.area.record(number);
    let mut head: [u64; HEAD] = std::array::from_fn(|i| slot.head[i].load());
    let mut envelope = Vec::new();
    load_inline(slot, usize::try_from(head[8]).unwrap_or(INLINE).min(INLINE), &mut envelope);
    head[HEAD - 2] = id.checksum(number, &envelope);
    head[HEAD - 1] = check(&head, id, number);
    for (word, value) in slot.head.iter().zip(head) {
        word.store(value);
    }
}
