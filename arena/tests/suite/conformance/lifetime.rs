//! Close stops the use here, unlink stops new processes, and exports outlive both.

use super::Case;
use crate::support::content::{SOON, bytes_of, get, put};
use crate::support::subject::{Memory, Subject, patient};
use crate::support::system::{Traces, has_name};
use passband_arena::{Arena, Error, Kind, Options};
use std::thread;
use std::time::Duration;

pub(crate) const BOTH: &[Case] = &cases![
    failure_24_close_and_unlink_go_in_any_order_and_twice,
    failure_24_nothing_works_after_a_close,
    a_close_on_another_thread_wakes_who_waits,
    a_shut_down_ends_the_stream_for_both_sides,
    an_arena_that_is_dropped_leaves_nothing,
    a_process_maps_an_arena_once,
    an_unlinked_arena_is_not_attached,
];

pub(crate) const POOLS: &[Case] = &cases![
    failure_23_exports_stay_readable_and_the_last_one_unmaps,
    exports_may_be_dropped_anywhere_and_in_any_order,
];

fn closed<T: std::fmt::Debug>(result: passband_arena::Result<T>) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Closed(_)), "{error:?}");
}

fn failure_24_close_and_unlink_go_in_any_order_and_twice(subject: Subject) {
    type Step = fn(&Arena);
    let orders: [&[Step]; 4] = [
        &[Arena::close, Arena::unlink],
        &[Arena::unlink, Arena::close],
        &[Arena::close, Arena::close, Arena::unlink, Arena::unlink, Arena::close],
        &[Arena::unlink, Arena::unlink, Arena::close, Arena::close, Arena::unlink],
    ];
    for order in orders {
        let arena = subject.arena(256, 2, patient());
        let (name, again) = (arena.name(), arena.0.clone());
        assert_eq!(name.is_some(), subject.memory == Memory::Named);
        let traces = (subject.memory != Memory::Heap).then(|| Traces::of(&arena));
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        put(&mut writer, 100).unwrap();
        get(&mut reader).unwrap();
        for step in order {
            step(&arena);
            step(&again);
        }
        assert!(arena.is_closed() && again.is_closed());
        assert_eq!(arena.name(), None);
        if let Some(traces) = traces {
            traces.assert_none();
        }
        if let Some(name) = name {
            assert!(!has_name(&name), "{name} is still there");
        }
    }
}

fn failure_24_nothing_works_after_a_close(subject: Subject) {
    let arena = subject.arena(256, 3, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    put(&mut writer, 100).unwrap();
    put(&mut writer, 100).unwrap();
    let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
    writer.begin(1).unwrap();
    arena.close();
    let text = "the arena is closed: it was closed in this process";
    assert_eq!(arena.open_writer().unwrap_err().to_string(), text);
    closed(arena.open_reader());
    closed(arena.descriptor());
    closed(arena.published());
    closed(writer.write([1].as_slice()));
    closed(writer.commit(b""));
    writer.abort();
    closed(writer.begin(1));
    closed(writer.send(Kind::End, b""));
    closed(writer.wait(1, SOON));
    closed(writer.wait_for_pass(0, SOON));
    closed(writer.reclaimed());
    closed(reader.read_vec(reader.extents()[0]));
    closed(reader.end_unit(ticket));
    closed(reader.next(Some(SOON)));
    closed(reader.wait(SOON));
    closed(reader.request_pass());
    arena.shut_down();
    // What needs no memory is still known.
    assert_eq!((writer.published(), reader.delivered(), arena.count()), (2, 0, arena.count()));
    assert!(!reader.zero_copy());
}

fn a_close_on_another_thread_wakes_who_waits(subject: Subject) {
    for which in ["writer", "reader"] {
        let arena = subject.arena(256, 2, Options { acquire_timeout: None, ..Options::default() });
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        thread::scope(|scope| {
            scope.spawn(move || match which {
                "writer" => loop {
                    if let Err(error) = put(&mut writer, 256) {
                        return assert!(matches!(error, Error::Closed(_)), "{error:?}");
                    }
                },
                _ => closed(reader.next(None)),
            });
            thread::sleep(Duration::from_millis(30));
            arena.close();
        });
    }
}

fn a_shut_down_ends_the_stream_for_both_sides(subject: Subject) {
    let arena = subject.arena(256, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    put(&mut writer, 100).unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            get(&mut reader).unwrap();
            closed(reader.next(None));
        });
        thread::sleep(Duration::from_millis(30));
        arena.shut_down();
        arena.shut_down();
        waiting.join().unwrap();
    });
    closed(writer.begin(1));
    drop((writer, reader));
    closed(arena.open_writer());
}

fn an_arena_that_is_dropped_leaves_nothing(subject: Subject) {
    if subject.memory == Memory::Heap {
        return;
    }
    let arena = subject.make(256, 2, patient());
    let (traces, name) = (Traces::of(&arena), arena.name());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    drop(arena);
    put(&mut writer, 100).unwrap();
    drop(writer);
    get(&mut reader).unwrap();
    closed(reader.next(None));
    drop(reader);
    traces.assert_none();
    // A name is to be found by others, until somebody removes it.
    if let Some(name) = name {
        Arena::open(&name).unwrap().unlink();
        assert!(!has_name(&name));
    }
}

fn a_process_maps_an_arena_once(subject: Subject) {
    if subject.memory == Memory::Heap {
        return;
    }
    let arena = subject.arena(256, 2, patient());
    let traces = Traces::of(&arena);
    assert_eq!(traces.mappings().len(), 2, "control and data");
    let other = match arena.name() {
        Some(name) => Arena::open(&name).unwrap(),
        None => Arena::attach(arena.descriptor().unwrap()).unwrap(),
    };
    assert_eq!(traces.mappings().len(), 2, "control and data");
    assert_eq!((other.id(), other.options(), other.name()), (arena.id(), arena.options(), arena.name()));
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), other.open_reader().unwrap());
    put(&mut writer, 100).unwrap();
    get(&mut reader).unwrap();
    // It is one arena: a close is a close for both.
    other.close();
    closed(writer.begin(1));
    drop((writer, reader, other));
    arena.close();
    arena.unlink();
    traces.assert_none();
}

fn an_unlinked_arena_is_not_attached(subject: Subject) {
    if subject.memory == Memory::Heap {
        return;
    }
    let arena = subject.arena(256, 2, patient());
    let (name, descriptor) = (arena.name(), arena.descriptor().unwrap());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    arena.unlink();
    closed(arena.descriptor());
    let (refused, text) = if let Some(name) = name {
        (Arena::open(&name), "no arena of this name: No such file or directory (os error 2)")
    } else {
        (Arena::attach(descriptor), "cannot attach: the arena was unlinked")
    };
    assert_eq!(refused.unwrap_err().to_string(), text);
    // Those who have it go on.
    put(&mut writer, 100).unwrap();
    get(&mut reader).unwrap();
}

fn failure_23_exports_stay_readable_and_the_last_one_unmaps(subject: Subject) {
    let arena = subject.arena(5000, 2, patient());
    let traces = (subject.memory != Memory::Heap).then(|| Traces::of(&arena));
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    put(&mut writer, 5000).unwrap();
    let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
    let first = reader.export(reader.extents()[0]).unwrap();
    let second = reader.export(passband_arena::Extent { offset: 100, nbytes: 50 }).unwrap();
    reader.end_unit(ticket).unwrap();
    arena.close();
    arena.unlink();
    drop((writer, reader));
    assert!(first.to_vec() == bytes_of(0, 5000));
    drop(first);
    assert!(second.to_vec() == bytes_of(0, 5000)[100..150]);
    if let Some(traces) = traces {
        assert_eq!((traces.mappings().len(), traces.descriptors()), (2, 0));
        drop(second);
        traces.assert_none();
    }
}

fn exports_may_be_dropped_anywhere_and_in_any_order(subject: Subject) {
    let arena = subject.arena(256, 4, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    thread::scope(|scope| {
        for unit in 0..200 {
            put(&mut writer, 256).unwrap();
            let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
            let exports: Vec<_> = (0..4).map(|_| reader.export(reader.extents()[0]).unwrap()).collect();
            reader.end_unit(ticket).unwrap();
            for export in exports.into_iter().rev() {
                scope.spawn(move || {
                    thread::yield_now();
                    assert!(export.to_vec() == bytes_of(unit, 256), "unit {unit}");
                });
            }
        }
    });
    assert_eq!(writer.reclaimed().unwrap(), 200);
    assert_eq!(reader.held(), []);
}
