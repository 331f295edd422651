//! A writer without a segment, as its reader sees it.

use passband_arena::{Arena, Blocker, Error, Options, Reader, SharedMemorySegmentPool, Writer};
use std::time::{Duration, Instant};

fn pool(acquire_timeout: Option<Duration>) -> (Arena, Writer, Reader) {
    let options = Options { acquire_timeout, ..Options::default() };
    let pool = SharedMemorySegmentPool::new(4096, 2, options).expect("memory");
    let (writer, reader) = (pool.open_writer().expect("free"), pool.open_reader().expect("free"));
    (pool, writer, reader)
}

/// Sends a unit and takes it, without an export.
fn pass_one(writer: &mut Writer, reader: &mut Reader) {
    writer.begin(64).expect("room");
    writer.commit(b"").expect("open");
    let delivery = reader.next(None).expect("open").expect("there");
    reader.end_unit(delivery.ticket).expect("current");
}

#[test]
fn a_reader_knows_that_what_it_holds_starves_the_writer() {
    let (_pool, mut writer, mut reader) = pool(None);
    let mut held = Vec::new();
    for _ in 0..2 {
        assert!(!reader.starves_writer().expect("open"));
        writer.begin(64).expect("room");
        let extent = writer.write([1; 64].as_slice()).expect("room");
        writer.commit(b"").expect("open");
        // The writer waits for the unit to be read, and not for its release.
        let delivery = reader.next(None).expect("open").expect("there");
        held.push(reader.export(extent).expect("inside"));
        reader.end_unit(delivery.ticket).expect("current");
    }
    assert!(!reader.starves_writer().expect("open"), "it has not asked for room");
    assert!(!writer.try_begin(64).expect("open"));
    assert!(reader.starves_writer().expect("open"));
    held.remove(0);
    assert!(writer.try_begin(64).expect("open"));
    assert!(!reader.starves_writer().expect("open"), "it has a segment now, and works");
}

#[test]
fn a_patient_writer_leaves_the_time_to_the_reader_but_not_that_of_its_own_arrays() {
    let (_pool, mut writer, mut reader) = pool(Some(Duration::ZERO));
    writer.be_patient();
    // One unit that nobody has read, then two that the reader holds.
    writer.limit_ahead(1);
    writer.begin(64).expect("room");
    writer.commit(b"").expect("open");
    assert!(writer.slice(Duration::from_secs(1000)).expect("open").is_some());
    let delivery = reader.next(None).expect("open").expect("there");
    reader.end_unit(delivery.ticket).expect("current");
    pass_one(&mut writer, &mut reader);

    let mut own = Vec::new();
    for _ in 0..2 {
        writer.begin(64).expect("room");
        own.push(writer.place(64).expect("room"));
        writer.commit(b"").expect("open");
        let delivery = reader.next(None).expect("open").expect("there");
        reader.end_unit(delivery.ticket).expect("current");
    }
    assert!(!reader.starves_writer().expect("open"));
    match writer.begin(64) {
        Err(Error::Full(full)) => assert!(matches!(full.blocker, Blocker::Own { unit: Some(2) })),
        other => panic!("expected to be told of its own arrays, got {other:?}"),
    }
    assert!(!reader.starves_writer().expect("open"), "the reader is not to blame");
}

#[test]
fn a_reader_that_lets_go_is_not_blamed_for_what_the_writer_keeps() {
    let (_pool, mut writer, mut reader) = pool(None);
    let (mut own, mut held) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        writer.begin(64).expect("room");
        let (extent, export) = writer.place(64).expect("room");
        own.push(export);
        writer.commit(b"").expect("open");
        let delivery = reader.next(None).expect("open").expect("there");
        held.push(reader.export(extent).expect("inside"));
        reader.end_unit(delivery.ticket).expect("current");
    }
    assert!(!writer.try_begin(64).expect("open"));
    assert!(reader.starves_writer().expect("open"));
    held.remove(0);
    // It does not sleep on what it told, but looks again.
    let slice = Duration::from_secs(20);
    let start = Instant::now();
    writer.wait(64, slice).expect("open");
    assert!(start.elapsed() < slice);
    assert!(!writer.try_begin(64).expect("open"));
    assert!(!reader.starves_writer().expect("open"), "unit 1 is held, but it is not in the way");
}
