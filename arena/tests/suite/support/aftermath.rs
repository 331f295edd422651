//! What must be true of an arena when the dead have been replaced.

use super::content::{SOON, get, put};
use passband_arena::{Arena, Reader, Writer};

/// With both ends alive again, the stream goes on and all of the arena is of use.
pub(crate) fn goes_on(writer: &mut Writer, reader: &mut Reader, arena: &Arena) {
    let (pool, limit) = (arena.count() > 0, arena.segment_size());
    let start = writer.published();
    for unit in start..start + 7 {
        assert_eq!(put(writer, if pool { limit } else { limit / 2 }).unwrap().unit, unit);
        assert_eq!(get(reader).unwrap().unit, unit);
    }
    let mut held = Vec::new();
    for _ in 0..arena.count() {
        let ticket = put(writer, limit).unwrap();
        reader.next(Some(SOON)).unwrap();
        held.push(reader.export(reader.extents()[0]).unwrap());
        reader.end_unit(ticket).unwrap();
    }
    drop(held);
    if !pool {
        put(writer, limit).unwrap();
        get(reader).unwrap();
    }
    assert_eq!(writer.reclaimed().unwrap(), writer.published());
    assert_eq!(reader.held(), []);
}
