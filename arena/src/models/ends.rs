//! Models of the ends of an arena: whoever waits is woken, and nothing is opened after a close.

use super::{arena, both_ends, explore, send};
use crate::endpoint::{CLOSED, Side};
use crate::error::Error;
use crate::reader::Reader;
use loom::thread;

/// The writer waits for the reader's segment and the reader for a unit, when a third thread ends it all.
#[test]
fn a_close_wakes_both() {
    explore(|| {
        let (_, attachment) = arena(1);
        let (mut writer, mut reader) = both_ends(&attachment);
        send(&mut writer, 0).unwrap();
        let delivery = reader.next(None).unwrap().unwrap();
        let held = reader.export(reader.extents()[0]).unwrap();
        reader.end_unit(delivery.ticket).unwrap();

        let writing = thread::spawn(move || {
            assert!(matches!(writer.begin(1), Err(Error::Closed(_))));
        });
        let reading = thread::spawn(move || {
            assert!(matches!(reader.next(None), Err(Error::Closed(_))));
        });
        attachment.close();
        writing.join().unwrap();
        reading.join().unwrap();
        assert_eq!(held.to_vec(), [0; 128]);
    });
}

/// As a close, from wherever.
#[test]
fn a_shut_down_wakes_both() {
    explore(|| {
        let (mapping, attachment) = arena(1);
        let (mut writer, mut reader) = both_ends(&attachment);
        send(&mut writer, 0).unwrap();
        let delivery = reader.next(None).unwrap().unwrap();
        let _held = reader.export(reader.extents()[0]).unwrap();
        reader.end_unit(delivery.ticket).unwrap();

        let writing = thread::spawn(move || {
            assert!(matches!(writer.begin(1), Err(Error::Closed(_))));
            writer
        });
        let reading = thread::spawn(move || {
            assert!(matches!(reader.next(None), Err(Error::Closed(_))));
            reader
        });
        mapping.shut_down();
        writing.join().unwrap();
        reading.join().unwrap();
    });
}

/// What was sent before the writer went is read, and then the reader is told.
#[test]
fn a_writer_that_goes_is_noticed() {
    explore(|| {
        let (_, attachment) = arena(1);
        let (mut writer, mut reader) = both_ends(&attachment);
        let writing = thread::spawn(move || send(&mut writer, 7).unwrap());
        let delivery = reader.next(None).unwrap().unwrap();
        assert_eq!(reader.body(), [7]);
        reader.end_unit(delivery.ticket).unwrap();
        assert!(matches!(reader.next(None), Err(Error::Closed(_))));
        writing.join().unwrap();
    });
}

/// A writer that waits for room is told.
#[test]
fn a_reader_that_goes_is_noticed() {
    explore(|| {
        let (_, attachment) = arena(1);
        let (mut writer, reader) = both_ends(&attachment);
        send(&mut writer, 0).unwrap();
        let reading = thread::spawn(move || drop(reader));
        assert!(matches!(writer.begin(1), Err(Error::Closed(_))));
        reading.join().unwrap();
    });
}

/// Where an end is opened while the arena is closed, the other side sees it closed as well.
#[test]
fn no_end_stays_open_after_a_close() {
    explore(|| {
        let (mapping, attachment) = arena(1);
        let theirs = attachment.clone();
        let opening = thread::spawn(move || Reader::open(theirs).map(drop));
        attachment.close();
        let _ = opening.join().unwrap();
        let claim = Side::Reader.claim(&mapping).load();
        assert!(claim == 0 || claim == CLOSED, "left open");
    });
}
