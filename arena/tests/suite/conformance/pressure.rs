//! A writer that runs ahead waits for its reader, and is told what it waits for.

use super::Case;
use crate::support::content::{SOON, check, get, put};
use crate::support::subject::{Subject, hasty, patient, within};
use passband_arena::{Blocker, Error, Full, Kind, Options, Writer};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const BOTH: &[Case] = &cases![
    a_full_arena_without_time_to_wait_is_an_error_at_once,
    a_full_arena_is_an_error_when_the_time_is_over,
    a_writer_wakes_when_the_reader_lets_go,
    at_most_max_ahead_records_wait_to_be_read,
    a_reader_waits_as_long_as_it_is_told,
];

pub(crate) const POOLS: &[Case] = &cases![
    failure_11_a_held_unit_leaves_room_for_count_minus_1_more,
    failure_12_a_reader_that_keeps_everything_is_named,
    units_that_the_reader_holds_are_not_ahead,
    the_segment_freed_last_is_used_first,
    reclaim_is_in_order,
];

fn full(error: Error) -> Full {
    match error {
        Error::Full(full) => full,
        other => panic!("{other:?}"),
    }
}

/// Fills the arena.
fn fill(writer: &mut Writer, nbytes: usize) -> u64 {
    while writer.try_begin(nbytes).unwrap() {
        writer.abort();
        put(writer, nbytes).unwrap();
    }
    writer.published()
}

fn a_full_arena_without_time_to_wait_is_an_error_at_once(subject: Subject) {
    let arena = subject.arena(1024, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    assert_eq!(fill(&mut writer, 1024), 2);
    for _ in 0..2 {
        let error = full(writer.begin(1024).unwrap_err());
        assert_eq!((error.waited, error.blocker), (Duration::ZERO, Blocker::Undelivered(2)));
        let start = if subject.ring {
            "shared-memory arena full: need 1024 bytes but only 0 free and acquire_timeout=0"
        } else {
            "segment pool exhausted: no free segment and acquire_timeout=0"
        };
        assert_eq!(error.to_string(), format!("{start}; 2 units wait to be read: read them"));
    }
    get(&mut reader).unwrap();
    put(&mut writer, 900).unwrap();
}

fn a_full_arena_is_an_error_when_the_time_is_over(subject: Subject) {
    // Longer than one slice of waiting.
    let time = Duration::from_millis(130);
    let arena = subject.arena(1024, 2, within(time));
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    fill(&mut writer, 1024);
    let start = Instant::now();
    let error = full(writer.begin(500).unwrap_err());
    assert!(error.waited >= time && start.elapsed() >= time, "{error:?}");
    assert_eq!(error.ring, subject.ring.then_some((500, 0)));
    assert!(error.to_string().contains(" after waiting 0.1 s; 2 units wait"), "{error}");
    get(&mut reader).unwrap();
    put(&mut writer, 500).unwrap();
}

fn a_writer_wakes_when_the_reader_lets_go(subject: Subject) {
    for acquire_timeout in [None, Some(SOON)] {
        let arena = subject.arena(1024, 2, Options { acquire_timeout, ..Options::default() });
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        thread::scope(|scope| {
            scope.spawn(move || {
                for _ in 0..200 {
                    put(&mut writer, 1024).unwrap();
                }
            });
            // The writer sleeps by now.
            thread::sleep(Duration::from_millis(30));
            for _ in 0..200 {
                get(&mut reader).unwrap();
            }
        });
    }
}

fn at_most_max_ahead_records_wait_to_be_read(subject: Subject) {
    let arena = subject.arena(256, 8, Options { max_ahead: 3, ..hasty() });
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let items = |writer: &mut Writer| {
        while writer.try_send(Kind::Item, b"", None).unwrap().is_some() {}
        writer.published()
    };
    if subject.ring {
        // A ring is bounded by its bytes and its 256 records.
        assert_eq!(items(&mut writer), 256);
    } else {
        assert_eq!(items(&mut writer), 3);
        let blocker = full(writer.send(Kind::Item, b"").unwrap_err()).blocker;
        assert_eq!(blocker, Blocker::Undelivered(3));
        assert!(!writer.try_begin(1).unwrap());
        // Ends and errors always find room.
        assert_eq!(writer.send(Kind::End, b"").unwrap().unit, 3);
    }
    for _ in 0..writer.published() {
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        reader.end_unit(ticket).unwrap();
    }
    let before = writer.published();
    writer.limit_ahead(2);
    assert_eq!(items(&mut writer), before + 2);
    // A limit is never raised again.
    writer.limit_ahead(5);
    assert!(writer.try_send(Kind::Item, b"", None).unwrap().is_none());
}

fn a_reader_waits_as_long_as_it_is_told(subject: Subject) {
    let arena = subject.arena(1024, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    assert_eq!(reader.next(Some(Duration::ZERO)).unwrap(), None);
    let (start, time) = (Instant::now(), Duration::from_millis(130));
    assert_eq!(reader.next(Some(time)).unwrap(), None);
    assert!(start.elapsed() >= time);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(30));
            put(&mut writer, 100).unwrap();
        });
        let delivery = reader.next(None).unwrap().unwrap();
        check(&reader, delivery.ticket);
    });
}

fn failure_11_a_held_unit_leaves_room_for_count_minus_1_more(subject: Subject) {
    let count = 5;
    let arena = subject.arena(512, count, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let first = put(&mut writer, 512).unwrap();
    reader.next(Some(SOON)).unwrap();
    let held = reader.export(reader.extents()[0]).unwrap();
    let before = held.to_vec();
    reader.end_unit(first).unwrap();
    for _ in 1..count {
        put(&mut writer, 512).unwrap();
        get(&mut reader).unwrap();
    }
    thread::sleep(Duration::from_millis(60));
    let error = full(writer.begin(1).unwrap_err());
    assert!(matches!(error.blocker, Blocker::Held { unit: 0, age } if age >= Duration::from_millis(60)));
    let text = error.to_string();
    assert!(text.starts_with("segment pool exhausted: no free segment and acquire_timeout=0; "), "{text}");
    assert!(text.contains("; the reader holds unit 0, sent 0.1 s ago: drop what refers to it"), "{text}");
    assert_eq!(writer.reclaimed().unwrap(), 0);
    let [unit] = reader.held()[..] else { panic!("one unit is held") };
    assert!(unit.unit == 0 && unit.exports == 1 && unit.age >= Duration::from_millis(50), "{unit:?}");

    assert!(held.to_vec() == before, "the bytes of a unit that is held");
    drop(held);
    assert_eq!(reader.held(), []);
    assert_eq!(writer.reclaimed().unwrap(), 5);
    put(&mut writer, 512).unwrap();
}

fn failure_12_a_reader_that_keeps_everything_is_named(subject: Subject) {
    let arena = subject.arena(512, 2, within(Duration::from_millis(50)));
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut kept = Vec::new();
    for _ in 0..2 {
        let ticket = put(&mut writer, 512).unwrap();
        reader.next(Some(SOON)).unwrap();
        kept.push(reader.export(reader.extents()[0]).unwrap());
        kept.push(reader.export(reader.extents()[0]).unwrap());
        reader.end_unit(ticket).unwrap();
    }
    let held = reader.held();
    assert_eq!(held.iter().map(|unit| (unit.unit, unit.exports)).collect::<Vec<_>>(), [(0, 2), (1, 2)]);
    assert!(matches!(full(writer.begin(1).unwrap_err()).blocker, Blocker::Held { unit: 0, .. }));
    // The stream survives: it goes on when the reader lets go.
    kept.clear();
    put(&mut writer, 512).unwrap();
    get(&mut reader).unwrap();
}

fn units_that_the_reader_holds_are_not_ahead(subject: Subject) {
    let arena = subject.arena(512, 8, Options { max_ahead: 2, ..hasty() });
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut kept = Vec::new();
    for _ in 0..6 {
        put(&mut writer, 512).unwrap();
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        kept.push((ticket.unit, reader.export(reader.extents()[0]).unwrap()));
        reader.end_unit(ticket).unwrap();
    }
    assert_eq!(fill(&mut writer, 1), 8);
    for (unit, export) in kept {
        assert!(export.to_vec() == crate::support::content::bytes_of(unit, 512), "unit {unit}");
    }
}

fn the_segment_freed_last_is_used_first(subject: Subject) {
    let arena = subject.arena(4096, 8, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut addresses = std::collections::HashSet::new();
    for _ in 0..50 {
        put(&mut writer, 64).unwrap();
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        addresses.insert(reader.export(reader.extents()[0]).unwrap().as_ptr());
        reader.end_unit(ticket).unwrap();
    }
    assert_eq!(addresses.len(), 1, "one segment serves a reader that keeps nothing");
}

fn reclaim_is_in_order(subject: Subject) {
    let arena = subject.arena(64, 3, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut kept = std::collections::VecDeque::new();
    for _ in 0..3 {
        let ticket = put(&mut writer, 64).unwrap();
        reader.next(Some(SOON)).unwrap();
        kept.push_back(reader.export(reader.extents()[0]).unwrap());
        reader.end_unit(ticket).unwrap();
    }
    // A later unit makes no room as long as an earlier one is held.
    kept.pop_back();
    assert!(!writer.try_begin(1).unwrap());
    kept.pop_back();
    assert!(!writer.try_begin(1).unwrap());
    assert_eq!(writer.reclaimed().unwrap(), 0);
    kept.pop_back();
    assert_eq!(writer.reclaimed().unwrap(), 3);
    assert_eq!(fill(&mut writer, 1), 6);
}
