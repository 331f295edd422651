//! A writer and a reader in two processes, and what one sees of the other's end.

use crate::support::content::{SOON, bytes_of, check, get, put};
use crate::support::process::{Process, Role, given_arena};
use crate::support::subject::{Memory, Subject, patient, within};
use libtest_mimic::Trial;
use passband_arena::{Arena, Error, Extent, Options, Reader, Writer};
use rustix::process::Signal;
use std::thread;
use std::time::{Duration, Instant};

const TESTS: &[(&str, fn())] = &cases![
    units_cross_to_the_parent,
    units_cross_to_the_child,
    failure_13_a_cursor_is_never_torn,
    failure_15_a_unit_half_written_by_the_dead_is_never_seen,
    failure_16_a_writer_learns_that_its_reader_died,
    failure_16_a_stopped_reader_keeps_its_bytes,
    failure_17_no_lock_dies_with_its_holder,
    failure_19_an_end_belongs_to_one_process,
    an_unlink_by_another_process_lets_nobody_in,
    a_close_is_seen_as_a_close_by_the_other_process,
    units_of_a_read_only_arena_cannot_be_written,
];

pub(crate) const ROLES: &[Role] =
    &cases![sends, receives, sends_half, holds_units, waits_for_more, claims_both, unlinks, keeps_sending];

pub(crate) fn trials() -> Vec<Trial> {
    crate::support::trials("two_processes", TESTS)
}

/// A pool and a ring.
fn arenas(options: Options) -> impl Iterator<Item = crate::support::subject::Made> {
    [false, true]
        .into_iter()
        .map(move |ring| Subject { memory: Memory::Memfd, ring }.arena(10_000, 4, options))
}

fn number(words: &[String], index: usize) -> u64 {
    words[index].parse().unwrap()
}

/// The sizes of the units that the roles send.
fn size_of(unit: u64) -> usize {
    (unit as usize * 977) % 10_000
}

fn sends(words: &[String]) {
    let mut writer = given_arena().unwrap().open_writer().unwrap();
    for unit in 0..number(words, 0) {
        assert_eq!(put(&mut writer, size_of(unit)).unwrap().unit, unit);
    }
}

fn receives(words: &[String]) {
    let mut reader = given_arena().unwrap().open_reader().unwrap();
    for unit in 0..number(words, 0) {
        assert_eq!(get(&mut reader).unwrap().unit, unit);
    }
}

fn units_cross_to_the_parent() {
    for arena in arenas(patient()) {
        let mut reader = arena.open_reader().unwrap();
        let mut child = Process::start("sends", &arena, &["2000".into()]);
        for unit in 0..2000 {
            let ticket = get(&mut reader).unwrap();
            assert_eq!((ticket.unit, ticket.nbytes), (unit, size_of(unit)));
        }
        let error = reader.next(Some(SOON)).unwrap_err();
        assert!(matches!(error, Error::Closed(_)), "{error:?}");
        child.succeed();
    }
}

fn units_cross_to_the_child() {
    for arena in arenas(patient()) {
        let mut writer = arena.open_writer().unwrap();
        let mut child = Process::start("receives", &arena, &["2000".into()]);
        for unit in 0..2000 {
            put(&mut writer, size_of(unit)).unwrap();
        }
        child.succeed();
        let error = writer.begin(1).unwrap_err();
        assert!(matches!(error, Error::Closed(_)), "{error:?}");
        assert_eq!(writer.reclaimed().unwrap(), 2000);
    }
}

fn failure_13_a_cursor_is_never_torn() {
    for arena in arenas(patient()) {
        let mut reader = arena.open_reader().unwrap();
        let mut child = Process::start("sends", &arena, &["3000".into()]);
        let mut seen = 0;
        for unit in 0..3000 {
            let published = arena.published().unwrap();
            assert!(published >= seen && published <= 3000, "{published} after {seen}");
            // What is published can be read, at once.
            if published > unit {
                let delivery = reader.try_next().unwrap().unwrap();
                check(&reader, delivery.ticket);
                reader.end_unit(delivery.ticket).unwrap();
            } else {
                get(&mut reader).unwrap();
            }
            seen = published;
        }
        child.succeed();
    }
}

/// Waits for an error of the other side's death; how long it takes after `death`.
fn died<T: std::fmt::Debug>(result: passband_arena::Result<T>, side: &str, pid: u32, death: Instant) {
    let noticed = death.elapsed();
    let error = result.unwrap_err();
    assert!(matches!(error, Error::PeerDied { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("the {side} of the arena, process {pid}, has died"));
    assert!(noticed < Duration::from_secs(1), "noticed after {noticed:?}");
}

fn sends_half(_: &[String]) {
    let mut writer = given_arena().unwrap().open_writer().unwrap();
    put(&mut writer, 500).unwrap();
    writer.begin(500).unwrap();
    writer.write([0xee; 300].as_slice()).unwrap();
    println!("half");
    thread::sleep(SOON);
}

fn failure_15_a_unit_half_written_by_the_dead_is_never_seen() {
    for arena in arenas(patient()) {
        let mut reader = arena.open_reader().unwrap();
        let mut child = Process::start("sends_half", &arena, &[]);
        assert!(child.says("half"));
        child.kill();
        let death = Instant::now();
        assert_eq!(get(&mut reader).unwrap().unit, 0);
        died(reader.next(None), "writer", child.id(), death);
        // The one that knows only after a look learns it too.
        died(reader.next(Some(Duration::ZERO)), "writer", child.id(), Instant::now());
        let mut writer = arena.open_writer().unwrap();
        assert_eq!(put(&mut writer, 10_000).unwrap().unit, 1);
        assert_eq!(get(&mut reader).unwrap().unit, 1);
    }
}

/// Reads so many units and holds what it can of them.
fn holds_units(words: &[String]) {
    let mut reader = given_arena().unwrap().open_reader().unwrap();
    let mut held = Vec::new();
    for _ in 0..number(words, 0) {
        let ticket = reader.next(None).unwrap().unwrap().ticket;
        held.extend(reader.export(reader.extents()[0]));
        reader.end_unit(ticket).unwrap();
    }
    println!("held");
    loop {
        thread::park();
    }
}

/// Sends until there is no more room.
fn until_full(writer: &mut Writer) -> Error {
    loop {
        if let Err(error) = put(writer, 5000) {
            return error;
        }
    }
}

fn failure_16_a_writer_learns_that_its_reader_died() {
    for acquire_timeout in [None, Some(SOON), Some(Duration::ZERO)] {
        for arena in arenas(Options { acquire_timeout, ..Options::default() }) {
            let mut writer = arena.open_writer().unwrap();
            let mut child = Process::start("holds_units", &arena, &["3".into()]);
            for _ in 0..3 {
                put(&mut writer, 5000).unwrap();
            }
            assert!(child.says("held"));
            let pid = child.id();
            child.kill();
            let death = Instant::now();
            died(Err::<(), _>(until_full(&mut writer)), "reader", pid, death);
            // What it held is free, and what it did not read is read by the next.
            let sent = writer.published();
            let mut reader = arena.open_reader().unwrap();
            for unit in 3..sent {
                assert_eq!(get(&mut reader).unwrap().unit, unit);
            }
            assert_eq!(writer.reclaimed().unwrap(), sent);
        }
    }
}

fn failure_16_a_stopped_reader_keeps_its_bytes() {
    let time = Duration::from_millis(400);
    let subject = Subject { memory: Memory::Memfd, ring: false };
    let arena = subject.arena(10_000, 4, within(time));
    let mut writer = arena.open_writer().unwrap();
    let mut child = Process::start("holds_units", &arena, &["3".into()]);
    for _ in 0..3 {
        put(&mut writer, 5000).unwrap();
    }
    assert!(child.says("held"));
    child.signal(Signal::STOP);
    for _ in 0..2 {
        // The living keep what they hold, for however long.
        let error = until_full(&mut writer);
        assert!(matches!(error, Error::Full(_)), "{error:?}");
    }
    assert_eq!((writer.published(), writer.reclaimed().unwrap()), (4, 0));
    child.signal(Signal::CONT);
    child.kill();
}

fn waits_for_more(_: &[String]) {
    let mut reader = given_arena().unwrap().open_reader().unwrap();
    get(&mut reader).unwrap();
    println!("waiting");
    let ended = reader.next(None).map(|delivery| delivery.is_some());
    println!("{}", ended.unwrap_err());
}

fn failure_17_no_lock_dies_with_its_holder() {
    for arena in arenas(patient()) {
        let mut writer = arena.open_writer().unwrap();
        let mut child = Process::start("waits_for_more", &arena, &[]);
        put(&mut writer, 100).unwrap();
        assert!(child.says("waiting"));
        thread::sleep(Duration::from_millis(20));
        // It sleeps on the bell, and dies there.
        child.kill();
        let start = Instant::now();
        for _ in 0..2 {
            put(&mut writer, 100).unwrap();
        }
        let mut reader = arena.open_reader().unwrap();
        get(&mut reader).unwrap();
        drop((writer, reader));
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
}

fn claims_both(_: &[String]) {
    let arena = given_arena().unwrap();
    let ends = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    println!("claimed");
    thread::sleep(SOON);
    drop(ends);
}

fn failure_19_an_end_belongs_to_one_process() {
    for arena in arenas(patient()) {
        let mut child = Process::start("claims_both", &arena, &[]);
        assert!(child.says("claimed"));
        let text = |end| format!("process {} is the {end} of this arena: it has one {end} only", child.id());
        assert_eq!(arena.open_writer().unwrap_err().to_string(), text("writer"));
        assert_eq!(arena.open_reader().unwrap_err().to_string(), text("reader"));
        child.kill();
        // The dead have no claim.
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        put(&mut writer, 100).unwrap();
        get(&mut reader).unwrap();
    }
}

fn a_close_is_seen_as_a_close_by_the_other_process() {
    for arena in arenas(patient()) {
        let mut writer = arena.open_writer().unwrap();
        let mut child = Process::start("waits_for_more", &arena, &[]);
        put(&mut writer, 100).unwrap();
        assert!(child.says("waiting"));
        arena.close();
        let text = "the arena is closed: the writer was closed, and all of its units are read";
        assert!(child.says(text));
        assert_eq!(child.line(), None);
        child.succeed();
    }
}

fn unlinks(_: &[String]) {
    let arena = given_arena().unwrap();
    arena.unlink();
    arena.unlink();
    arena.close();
}

fn an_unlink_by_another_process_lets_nobody_in() {
    for arena in arenas(patient()) {
        Process::start("unlinks", &arena, &[]).succeed();
        let error = Arena::attach(arena.descriptor().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "cannot attach: the arena was unlinked");
        // Nothing changes for those who are in.
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        put(&mut writer, 100).unwrap();
        get(&mut reader).unwrap();
    }
}

fn keeps_sending(_: &[String]) {
    let mut writer = given_arena().unwrap().open_writer().unwrap();
    while put(&mut writer, 5000).is_ok() {}
}

fn units_of_a_read_only_arena_cannot_be_written() {
    let subject = Subject { memory: Memory::Memfd, ring: false };
    let arena: &Arena = &subject.arena(5000, 2, Options { readonly: true, ..patient() });
    let mut reader: Reader = arena.open_reader().unwrap();
    let mut child = Process::start("keeps_sending", arena, &[]);
    for unit in 0..20 {
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        let export = reader.export(Extent { offset: 0, nbytes: 5000 }).unwrap();
        assert!(export.is_readonly() && export.to_vec() == bytes_of(unit, 5000));
        let protection = crate::support::system::protection(export.as_ptr().addr().get());
        assert_eq!(protection.as_deref(), Some("r--s"));
        reader.end_unit(ticket).unwrap();
    }
    drop(reader);
    child.succeed();
}
