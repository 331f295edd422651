//! One writer and one reader: claimed by a word, and closed for good.

use super::Case;
use crate::support::content::{SOON, get, put};
use crate::support::subject::{Subject, patient};
use passband_arena::{Error, Result};
use std::fmt::Debug;

pub(crate) const BOTH: &[Case] = &cases![
    failure_19_an_end_has_one_holder,
    failure_19_an_end_is_never_opened_again,
    a_reader_drains_what_a_closed_writer_sent,
    a_writer_learns_that_the_reader_was_closed,
    readers_and_writers_of_read_only_units_are_two_processes,
];

fn refused<T: Debug>(result: Result<T>, text: &str) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Endpoint(_) | Error::Closed(_)), "{error:?}");
    assert_eq!(error.to_string(), text);
}

fn failure_19_an_end_has_one_holder(subject: Subject) {
    let arena = subject.arena(256, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let pid = std::process::id();
    for end in ["writer", "reader"] {
        let text = format!("process {pid} is the {end} of this arena: it has one {end} only");
        match end {
            "writer" => refused(arena.open_writer(), &text),
            _ => refused(arena.open_reader(), &text),
        }
    }
    // The attempt changes nothing for the one that is there.
    put(&mut writer, 100).unwrap();
    get(&mut reader).unwrap();
}

fn failure_19_an_end_is_never_opened_again(subject: Subject) {
    let arena = subject.arena(256, 2, patient());
    drop((arena.open_writer().unwrap(), arena.open_reader().unwrap()));
    let text = |end: &str| {
        format!(
            "the arena is closed: its {end} was closed or dropped, and it has one only: make another arena"
        )
    };
    refused(arena.open_writer(), &text("writer"));
    refused(arena.open_reader(), &text("reader"));
}

fn a_reader_drains_what_a_closed_writer_sent(subject: Subject) {
    let arena = subject.arena(256, 3, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    put(&mut writer, 100).unwrap();
    put(&mut writer, 100).unwrap();
    writer.begin(100).unwrap();
    drop(writer);
    assert_eq!([(); 2].map(|()| get(&mut reader).unwrap().unit), [0, 1]);
    for _ in 0..2 {
        let text = "the arena is closed: the writer was closed, and all of its units are read";
        refused(reader.next(Some(SOON)), text);
    }
}

fn a_writer_learns_that_the_reader_was_closed(subject: Subject) {
    let arena = subject.arena(256, 2, patient());
    let (mut writer, reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    put(&mut writer, 100).unwrap();
    drop(reader);
    refused(writer.begin(1), "the arena is closed: the reader was closed");
    refused(writer.send(passband_arena::Kind::End, b""), "the arena is closed: the reader was closed");
}

fn readers_and_writers_of_read_only_units_are_two_processes(subject: Subject) {
    use passband_arena::Options;
    let options = Options { readonly: true, ..patient() };
    let text = "the units of a read-only arena are read in another process than they are written in";
    let arena = subject.arena(256, 2, options);
    let writer = arena.open_writer().unwrap();
    refused(arena.open_reader(), text);
    drop(writer);
    let arena = subject.arena(256, 2, options);
    let _reader = arena.open_reader().unwrap();
    refused(arena.open_writer(), text);
}
