//! Bytes written in place: a segment waits for its writer's own exports too.

use super::Case;
use crate::support::content::{SOON, bytes_of, get, put};
use crate::support::process::{Process, Role};
use crate::support::subject::{Made, Memory, Subject, hasty};
use passband_arena::{Arena, Blocker, Error, Export, Extent, Options, Writer};
use rustix::process::Signal;

pub(crate) const POOLS: &[Case] = &cases![
    what_is_placed_is_read_where_it_lies,
    a_segment_waits_for_its_writers_exports,
    a_unit_given_up_waits_for_its_exports,
    addresses_are_found_in_the_open_unit,
    a_pool_of_one_segment_refuses_placement,
    a_placement_too_large_is_refused_and_changes_nothing,
    late_writes_fault_where_that_is_asked_for,
];

pub(crate) const RINGS: &[Case] = &cases![a_ring_refuses_placement_and_exports];

pub(crate) const ROLES: &[Role] = &cases![writes_late];

fn place(writer: &mut Writer, unit: u64, nbytes: usize) -> Export {
    let (_, mut export) = writer.place(nbytes).unwrap();
    export.fill(&bytes_of(unit, nbytes));
    export
}

fn blocker(writer: &mut Writer) -> Blocker {
    match writer.begin(1) {
        Err(Error::Full(full)) => full.blocker,
        other => panic!("{other:?}"),
    }
}

fn what_is_placed_is_read_where_it_lies(subject: Subject) {
    let arena = subject.arena(4096, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.begin(4096).unwrap();
    let copied = writer.write(bytes_of(1, 100).as_slice()).unwrap();
    let placed = place(&mut writer, 2, 1000);
    assert_eq!((placed.nbytes(), placed.is_readonly()), (1000, false));
    let ticket = writer.commit(b"").unwrap();
    reader.next(Some(SOON)).unwrap();
    assert_eq!(reader.extents(), [copied, Extent { offset: 128, nbytes: 1000 }]);
    let read = reader.export(reader.extents()[1]).unwrap();
    // A process maps an arena once, so that here both sides have the same addresses.
    assert_eq!(read.as_ptr(), placed.as_ptr());
    assert!(read.to_vec() == bytes_of(2, 1000));
    reader.end_unit(ticket).unwrap();
}

fn a_segment_waits_for_its_writers_exports(subject: Subject) {
    let arena = subject.arena(256, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.begin(256).unwrap();
    let own = [place(&mut writer, 0, 64), place(&mut writer, 0, 64)];
    let ticket = writer.commit(b"").unwrap();
    reader.next(Some(SOON)).unwrap();
    reader.end_unit(ticket).unwrap();
    put(&mut writer, 256).unwrap();
    get(&mut reader).unwrap();
    for export in own {
        assert_eq!(blocker(&mut writer), Blocker::Own { unit: Some(0) });
        let text = writer.begin(1).unwrap_err().to_string();
        assert!(
            text.contains("; this process still holds its own arrays in unit 0, which only it"),
            "{text}"
        );
        assert!(export.to_vec() == bytes_of(0, 64));
    }
    put(&mut writer, 256).unwrap();
    get(&mut reader).unwrap();
}

fn a_unit_given_up_waits_for_its_exports(subject: Subject) {
    let arena = subject.arena(256, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut given_up = |unit| {
        writer.begin(256).unwrap();
        let export = place(&mut writer, unit, 256);
        writer.abort();
        export
    };
    let (first, second) = (given_up(1), given_up(2));
    assert_eq!(blocker(&mut writer), Blocker::Own { unit: None });
    let text = writer.begin(1).unwrap_err().to_string();
    assert!(text.contains("its own arrays in a unit that it gave up, which only it can end: drop them"));
    drop(second);
    for _ in 0..3 {
        put(&mut writer, 256).unwrap();
        get(&mut reader).unwrap();
        assert!(first.to_vec() == bytes_of(1, 256), "the bytes of a unit that was given up");
    }
    drop(first);
    put(&mut writer, 256).unwrap();
    put(&mut writer, 256).unwrap();
}

fn addresses_are_found_in_the_open_unit(subject: Subject) {
    let arena = subject.arena(1024, 2, hasty());
    let mut writer = arena.open_writer().unwrap();
    writer.begin(1024).unwrap();
    let export = place(&mut writer, 0, 100);
    let start = export.as_ptr().addr().get();
    assert_eq!(writer.offset_of(start, 100), Some(0));
    assert_eq!(writer.offset_of(start + 60, 40), Some(60));
    for (address, nbytes) in [(start - 1, 1), (start, 101), (start + 100, 1), (start, usize::MAX)] {
        assert_eq!(writer.offset_of(address, nbytes), None);
    }
    writer.commit(b"").unwrap();
    assert_eq!(writer.offset_of(start, 100), None);
}

fn a_pool_of_one_segment_refuses_placement(subject: Subject) {
    let arena = subject.arena(1024, 1, hasty());
    let mut writer = arena.open_writer().unwrap();
    writer.begin(1024).unwrap();
    let error = writer.place(1).unwrap_err();
    assert!(matches!(error, Error::Endpoint(_)));
    let text =
        "nothing can be placed in a pool of one segment: use a SharedMemorySegmentPool with count >= 2";
    assert_eq!(error.to_string(), text);
}

fn a_ring_refuses_placement_and_exports(subject: Subject) {
    let arena = subject.arena(1024, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.begin(1024).unwrap();
    let text = "nothing can be placed in a ring: use a SharedMemorySegmentPool with count >= 2";
    assert_eq!(writer.place(1).unwrap_err().to_string(), text);
    writer.write([1].as_slice()).unwrap();
    writer.commit(b"").unwrap();
    reader.next(Some(SOON)).unwrap();
    assert!(!reader.zero_copy());
    let error = reader.export(reader.extents()[0]).unwrap_err();
    assert!(matches!(error, Error::Endpoint(_)));
    assert_eq!(error.to_string(), "a ring's bytes are used again at once: copy them");
}

fn a_placement_too_large_is_refused_and_changes_nothing(subject: Subject) {
    let arena = subject.arena(1024, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.begin(1024).unwrap();
    for nbytes in [1025, usize::MAX] {
        assert!(matches!(writer.place(nbytes), Err(Error::TooLarge(_))));
    }
    let export = place(&mut writer, 0, 1024);
    writer.commit(&0u64.to_le_bytes()).unwrap();
    get(&mut reader).unwrap();
    assert!(export.to_vec() == bytes_of(0, 1024));
}

fn late_writes_fault_where_that_is_asked_for(subject: Subject) {
    if subject.memory == Memory::Heap {
        // Nothing protects the heap, and nothing says so: the option does no harm.
        return writes(&debugged(subject, true));
    }
    for debug in [false, true] {
        let mut command = Process::command("writes_late");
        command.args([subject.name(), debug.to_string()]);
        let mut process = Process::spawn(command);
        let name = process.line().unwrap();
        if debug {
            process.fall_to(Signal::SEGV);
            // Who falls leaves its name behind.
            if subject.memory == Memory::Named {
                Arena::open(&name).unwrap().unlink();
            }
        } else {
            process.succeed();
        }
    }
}

fn writes_late(arguments: &[String]) {
    let subject = Subject::all().find(|subject| subject.name() == arguments[0]).unwrap();
    let arena = debugged(subject, arguments[1] == "true");
    println!("{}", arena.name().unwrap_or_default());
    writes(&arena);
}

fn debugged(subject: Subject, debug: bool) -> Made {
    subject.arena(5000, 2, Options { debug, ..hasty() })
}

/// Sends units until each segment has been used again, and then writes to one that was sent.
fn writes(arena: &Arena) {
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    for _ in 0..6 {
        writer.begin(5000).unwrap();
        let mut export = place(&mut writer, 0, 4500);
        let ticket = writer.commit(&[7; 1000]).unwrap_err();
        assert!(matches!(ticket, Error::TooLarge(_)));
        export.fill(&bytes_of(1, 4500));
        writer.commit(b"").unwrap();
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        assert!(reader.read_vec(reader.extents()[0]).unwrap() == bytes_of(1, 4500));
        reader.end_unit(ticket).unwrap();
    }
    writer.begin(5000).unwrap();
    let (_, mut export) = writer.place(4500).unwrap();
    writer.commit(b"").unwrap();
    export.fill(b"late");
}
