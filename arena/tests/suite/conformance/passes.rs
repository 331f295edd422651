//! A reader that begins anew: what belongs to the pass before is not wanted any more.

use super::Case;
use crate::support::content::{SOON, get, put};
use crate::support::subject::{Subject, patient};
use passband_arena::{Error, Kind};
use std::thread;
use std::time::Duration;

pub(crate) const BOTH: &[Case] = &cases![
    a_new_pass_supersedes_the_one_before,
    a_writer_that_waits_learns_of_a_new_pass,
    a_writer_waits_for_a_new_pass,
    failure_10_numbers_go_on_from_pass_to_pass,
];

fn a_new_pass_supersedes_the_one_before(subject: Subject) {
    let arena = subject.arena(256, 3, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    assert_eq!(writer.wanted_pass().unwrap(), 0);
    put(&mut writer, 256).unwrap();
    writer.begin(256).unwrap();
    assert_eq!(reader.request_pass().unwrap(), 1);
    assert_eq!(writer.wanted_pass().unwrap(), 1);
    // What is open may still be sent, as part of the pass that it was begun in.
    writer.write([1].as_slice()).unwrap();
    assert_eq!(writer.commit(b"").unwrap().pass, 0);
    assert!(matches!(writer.begin(1).unwrap_err(), Error::Superseded));
    assert!(matches!(writer.send(Kind::End, b"").unwrap_err(), Error::Superseded));

    writer.begin_pass(1);
    assert_eq!(writer.send(Kind::Started, b"").unwrap().pass, 1);
    let passes = [(); 3].map(|()| {
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        reader.end_unit(ticket).unwrap();
        ticket.pass
    });
    assert_eq!(passes, [0, 0, 1]);
}

fn a_writer_that_waits_learns_of_a_new_pass(subject: Subject) {
    let arena = subject.arena(256, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    while writer.try_begin(256).unwrap() {
        writer.abort();
        put(&mut writer, 256).unwrap();
    }
    thread::scope(|scope| {
        let waiting = scope.spawn(|| writer.begin(256));
        thread::sleep(Duration::from_millis(30));
        reader.request_pass().unwrap();
        assert!(matches!(waiting.join().unwrap(), Err(Error::Superseded)));
    });
}

fn a_writer_waits_for_a_new_pass(subject: Subject) {
    let arena = subject.arena(256, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.wait_for_pass(0, Duration::from_millis(1)).unwrap();
    assert_eq!(writer.wanted_pass().unwrap(), 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(30));
            reader.request_pass().unwrap();
        });
        while writer.wanted_pass().unwrap() == 0 {
            writer.wait_for_pass(0, SOON).unwrap();
        }
    });
    drop(reader);
    let error = writer.wait_for_pass(1, SOON).unwrap_err();
    assert_eq!(error.to_string(), "the arena is closed: the reader was closed");
}

fn failure_10_numbers_go_on_from_pass_to_pass(subject: Subject) {
    let arena = subject.arena(256, 5, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut kept = Vec::new();
    for pass in 0..3 {
        let ticket = put(&mut writer, 100).unwrap();
        assert_eq!((ticket.pass, ticket.unit), (pass, 4 * pass));
        reader.next(Some(SOON)).unwrap();
        let bytes = reader.read_vec(reader.extents()[0]).unwrap();
        if pass == 0 && !subject.ring {
            kept.push((reader.export(reader.extents()[0]).unwrap(), bytes));
        }
        reader.end_unit(ticket).unwrap();
        // A unit that is given up half-way, and one that is never wanted.
        writer.begin(1).unwrap();
        assert_eq!(reader.request_pass().unwrap(), pass + 1);
        writer.begin_pass(pass + 1);
        assert!(!writer.has_unit());
        for _ in 0..3 {
            writer.send(Kind::Started, b"").unwrap();
            let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
            reader.end_unit(ticket).unwrap();
        }
    }
    for (export, bytes) in kept {
        assert!(export.to_vec() == bytes, "a view from the first pass");
    }
    put(&mut writer, 100).unwrap();
    get(&mut reader).unwrap();
}
