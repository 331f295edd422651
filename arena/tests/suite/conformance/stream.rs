//! What is written is read: in order, byte for byte, with all that was said about it.

use super::Case;
use crate::support::content::{SOON, bytes_of, get, put};
use crate::support::subject::{Subject, hasty, patient};
use passband_arena::{Error, Extent, Kind, Limit, Options, TooLarge};
use std::time::Duration;

pub(crate) const BOTH: &[Case] = &cases![
    units_arrive_in_order_and_whole,
    binaries_begin_at_multiples_of_64_bytes,
    an_envelope_lies_inline_or_in_its_unit_or_aside,
    an_envelope_without_room_leaves_the_unit_open,
    what_a_carrier_refuses_is_not_sent,
    a_unit_has_the_bytes_that_it_was_begun_with,
    records_without_units_take_no_segment,
    a_unit_given_up_is_never_seen,
    binaries_of_no_bytes_arrive,
    a_unit_too_large_is_refused_and_changes_nothing,
    calls_in_the_wrong_order_are_refused,
    failure_31_sizes_come_back_as_they_were_given,
];

fn units_arrive_in_order_and_whole(subject: Subject) {
    let arena = subject.arena(9000, 4, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut sent, mut read) = (0, 0);
    while read < 300 {
        // Never more than there is room for, so that one thread can play both sides.
        let ahead = sent - read;
        if sent < 300 && ahead < 3 && (ahead == 0 || random.bool()) {
            let binaries: Vec<usize> = (0..random.usize(0..5)).map(|_| random.usize(0..2000)).collect();
            writer.begin(9000).unwrap();
            for (index, nbytes) in binaries.iter().enumerate() {
                writer.write(bytes_of(sent * 10 + index as u64, *nbytes).as_slice()).unwrap();
            }
            let ticket = writer.commit(format!("{sent} {binaries:?}").as_bytes()).unwrap();
            assert_eq!((ticket.unit, ticket.arena, ticket.pass), (sent, arena.id(), 0));
            sent += 1;
            assert_eq!((writer.published(), arena.published().unwrap()), (sent, sent));
        } else {
            let delivery = reader.next(Some(SOON)).unwrap().unwrap();
            let sizes: Vec<usize> = reader.extents().iter().map(|extent| extent.nbytes).collect();
            assert_eq!(String::from_utf8_lossy(reader.body()), format!("{read} {sizes:?}"));
            for (index, extent) in reader.extents().iter().enumerate() {
                let wanted = bytes_of(read * 10 + index as u64, extent.nbytes);
                assert!(reader.read_vec(*extent).unwrap() == wanted, "binary {index} of unit {read}");
                if !subject.ring {
                    assert!(reader.export(*extent).unwrap().to_vec() == wanted);
                }
            }
            assert_eq!((delivery.kind, delivery.ticket.unit), (Kind::Item, read));
            reader.end_unit(delivery.ticket).unwrap();
            read += 1;
            assert_eq!(reader.delivered(), read);
        }
    }
    assert_eq!(writer.reclaimed().unwrap(), 300);
}

fn binaries_begin_at_multiples_of_64_bytes(subject: Subject) {
    let arena = subject.arena(4096, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    for _ in 0..5 {
        writer.begin(1000).unwrap();
        let sizes = [1, 63, 64, 65, 0, 7];
        let offsets = sizes.map(|nbytes| writer.write(vec![1; nbytes].as_slice()).unwrap().offset);
        assert_eq!(offsets, [0, 64, 128, 192, 320, 320]);
        writer.commit(b"").unwrap();
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        if !subject.ring {
            let exports = reader.extents().iter().map(|extent| reader.export(*extent).unwrap());
            assert!(exports.map(|export| export.as_ptr().addr().get()).all(|address| address % 64 == 0));
        }
        assert_eq!(ticket.nbytes, 327);
        reader.end_unit(ticket).unwrap();
    }
}

fn an_envelope_lies_inline_or_in_its_unit_or_aside(subject: Subject) {
    let arena = subject.arena(8192, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    // 928 bytes fit the descriptor, 16 of which tell of the binary; 8192 - 1024 lie behind that.
    for (nbytes, aside) in [(0, false), (1, false), (912, false), (913, false), (7152, false), (7153, true)] {
        writer.begin(8192).unwrap();
        writer.write(bytes_of(7, 1024).as_slice()).unwrap();
        let body = bytes_of(nbytes, nbytes as usize);
        let mut carried = Vec::new();
        let mut carrier = |envelope: &[u8]| {
            carried.extend_from_slice(envelope);
            Ok(())
        };
        let ticket = writer.commit_by(&mut carrier, &body).unwrap();
        assert_eq!(carried.is_empty(), !aside, "an envelope of {nbytes} bytes");
        let delivery = reader.next(Some(SOON)).unwrap().unwrap();
        assert_eq!((delivery.ticket, delivery.aside), (ticket, aside.then_some(carried.len())));
        if aside {
            let mut wrong = carried.clone();
            wrong[20] ^= 1;
            for envelope in [&wrong[..], &wrong[1..], &[]] {
                let error = reader.accept(envelope).unwrap_err();
                assert!(matches!(error, Error::Corrupt(_)), "{error}");
                assert!(reader.body().is_empty() && reader.extents().is_empty());
            }
            reader.accept(&carried).unwrap();
        }
        assert!(reader.body() == body, "an envelope of {nbytes} bytes");
        assert_eq!(reader.extents(), [Extent { offset: 0, nbytes: 1024 }]);
        assert!(reader.read_vec(reader.extents()[0]).unwrap() == bytes_of(7, 1024));
        reader.end_unit(ticket).unwrap();
    }
}

fn an_envelope_without_room_leaves_the_unit_open(subject: Subject) {
    let arena = subject.arena(4096, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.begin(4096).unwrap();
    writer.write(bytes_of(0, 4000).as_slice()).unwrap();
    let error = writer.commit(&[1; 2000]).unwrap_err();
    assert!(matches!(error, Error::TooLarge(_)), "{error}");
    assert!(writer.has_unit());
    assert_eq!(writer.published(), 0);
    writer.commit(&0u64.to_le_bytes()).unwrap();
    get(&mut reader).unwrap();
}

fn what_a_carrier_refuses_is_not_sent(subject: Subject) {
    let arena = subject.arena(1024, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut calls = 0;
    let mut refuses = |_: &[u8]| {
        calls += 1;
        // The reader knows of it meanwhile, once, and sees nothing yet.
        assert!(reader.carried().unwrap().is_some());
        reader.wait(Duration::ZERO).unwrap();
        assert!(reader.try_next().unwrap().is_none());
        Err("no way".into())
    };
    writer.begin(1024).unwrap();
    writer.write(bytes_of(0, 1024).as_slice()).unwrap();
    let error = writer.commit_by(&mut refuses, &[1; 2000]).unwrap_err();
    assert_eq!(error.to_string(), "the carrier of an envelope failed: no way");
    assert!(writer.has_unit());
    writer.abort();
    let error = writer.try_send(Kind::Item, &[1; 2000], Some(&mut refuses)).unwrap_err();
    assert!(matches!(error, Error::Carrier(_)), "{error}");
    assert_eq!((calls, writer.published()), (2, 0));
    assert_eq!(reader.carried().unwrap(), None);
    put(&mut writer, 1024).unwrap();
    get(&mut reader).unwrap();
}

fn a_unit_has_the_bytes_that_it_was_begun_with(subject: Subject) {
    let arena = subject.arena(4096, 2, patient());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.begin(100).unwrap();
    writer.write(bytes_of(0, 30).as_slice()).unwrap();
    let text = "unit exceeds the nbytes that it was begun with (100): it needs 101 bytes; \
        begin it with a larger nbytes";
    assert_eq!(writer.write([0; 37].as_slice()).unwrap_err().to_string(), text);
    let error = writer.commit(&[1; 2000]).unwrap_err();
    assert!(
        matches!(error, Error::TooLarge(TooLarge { limit: 100, limited_by: Limit::Begun, .. })),
        "{error}"
    );
    writer.abort();
    put(&mut writer, 100).unwrap();
    get(&mut reader).unwrap();
}

fn records_without_units_take_no_segment(subject: Subject) {
    let arena = subject.arena(256, 2, Options { max_ahead: 9, ..hasty() });
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    // All of the bytes are in use.
    put(&mut writer, 256).unwrap();
    put(&mut writer, 256).unwrap();
    let records =
        [(Kind::Started, 0), (Kind::Item, 928), (Kind::Item, 929), (Kind::Error, 10), (Kind::End, 0)];
    for (kind, nbytes) in records {
        let mut carried = 0;
        let mut carrier = |envelope: &[u8]| {
            carried += envelope.len();
            Ok(())
        };
        let ticket = writer.try_send(kind, &bytes_of(1, nbytes), Some(&mut carrier)).unwrap().unwrap();
        assert_eq!((ticket.nbytes, carried), (0, if nbytes > 928 { nbytes } else { 0 }), "{kind:?}");
    }
    get(&mut reader).unwrap();
    get(&mut reader).unwrap();
    for (kind, nbytes) in records {
        let delivery = reader.next(Some(SOON)).unwrap().unwrap();
        assert_eq!((delivery.kind, delivery.aside), (kind, (nbytes > 928).then_some(nbytes)));
        if delivery.aside.is_some() {
            reader.accept(&bytes_of(1, nbytes)).unwrap();
        }
        assert!(reader.body() == bytes_of(1, nbytes) && reader.extents().is_empty());
        let refused = reader.read_vec(Extent { offset: 0, nbytes: 1 }).unwrap_err();
        assert!(matches!(refused, Error::Argument { .. }), "{refused}");
        reader.end_unit(delivery.ticket).unwrap();
    }
    assert_eq!(writer.reclaimed().unwrap(), 7);
}

fn a_unit_given_up_is_never_seen(subject: Subject) {
    let arena = subject.arena(512, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    writer.abort();
    for round in 0..10 {
        writer.begin(512).unwrap();
        writer.write([0xee; 512].as_slice()).unwrap();
        writer.abort();
        assert!(!writer.has_unit());
        assert_eq!(reader.try_next().unwrap(), None);
        assert_eq!(put(&mut writer, 512).unwrap().unit, round);
        assert_eq!(get(&mut reader).unwrap().unit, round);
    }
}

fn binaries_of_no_bytes_arrive(subject: Subject) {
    let arena = subject.arena(128, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    for room in [0, 128] {
        writer.begin(room).unwrap();
        writer.write([1; 128][..room].as_ref()).unwrap();
        let last = writer.write([].as_slice()).unwrap();
        assert_eq!(last, Extent { offset: room, nbytes: 0 });
        writer.commit(b"").unwrap();
        let ticket = reader.next(Some(SOON)).unwrap().unwrap().ticket;
        assert_eq!(reader.extents().last(), Some(&last));
        assert_eq!(reader.read_vec(last).unwrap(), [0; 0]);
        if !subject.ring {
            assert_eq!(reader.export(last).unwrap().nbytes(), 0);
        }
        reader.end_unit(ticket).unwrap();
    }
}

fn a_unit_too_large_is_refused_and_changes_nothing(subject: Subject) {
    let arena = subject.arena(1000, 1, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let text = if subject.ring {
        "unit would exceed ring capacity (1000): it needs 1001 bytes; increase SharedMemoryRingBuffer capacity"
    } else {
        "unit exceeds segment_size (1000): it needs 1001 bytes; increase SharedMemorySegmentPool segment_size"
    };
    assert_eq!(writer.begin(1001).unwrap_err().to_string(), text);
    assert!(!writer.has_unit());
    writer.begin(1000).unwrap();
    for nbytes in [1001, usize::MAX / 2] {
        // Refused before a byte of it is looked at.
        let error =
            writer.place(nbytes).or_else(|_| writer.write(vec![0; 1001].as_slice()).map(|_| unreachable!()));
        assert!(matches!(error, Err(Error::TooLarge(_))), "{error:?}");
    }
    writer.write(bytes_of(0, 1000).as_slice()).unwrap();
    assert_eq!(writer.write([1].as_slice()).unwrap_err().to_string(), text.replace("1001", "1025"));
    writer.commit(&0u64.to_le_bytes()).unwrap();
    get(&mut reader).unwrap();
}

fn calls_in_the_wrong_order_are_refused(subject: Subject) {
    let arena = subject.arena(256, 2, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let refused = |error: Error, text: &str| {
        assert!(matches!(error, Error::Endpoint(_)), "{error:?}");
        assert_eq!(error.to_string(), text);
    };
    refused(writer.write([1].as_slice()).unwrap_err(), "no unit is open: begin one first");
    refused(writer.commit(b"").unwrap_err(), "no unit is open: begin one first");
    put(&mut writer, 100).unwrap();
    writer.begin(100).unwrap();
    for error in [writer.begin(1).unwrap_err(), writer.send(Kind::End, b"").unwrap_err()] {
        refused(error, "a unit is open: commit it or abort it first");
    }
    let extent = Extent { offset: 0, nbytes: 1 };
    refused(reader.read_vec(extent).unwrap_err(), "no unit is being read: take up the next one first");
    refused(reader.accept(b"").unwrap_err(), "no unit is being read: take up the next one first");
    let ticket = reader.next(None).unwrap().unwrap().ticket;
    refused(reader.next(None).unwrap_err(), "a unit is being read: end it first");
    for (offset, nbytes) in [(0, 101), (100, 1), (usize::MAX, 2), (1, usize::MAX)] {
        let outside = Extent { offset, nbytes };
        let error = reader.read_vec(outside).unwrap_err().to_string();
        assert!(error.starts_with("offset, nbytes: expected a part of the unit being read, got "), "{error}");
        assert!(error.ends_with("in a unit of 100 bytes"), "{error}");
    }
    reader.end_unit(ticket).unwrap();
}

fn failure_31_sizes_come_back_as_they_were_given(subject: Subject) {
    for size in [1, 100, 4095, 4096, 4097] {
        let arena = subject.arena(size, 3, patient());
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        let limit = if subject.ring { 3 * size } else { size };
        assert_eq!((arena.segment_size(), arena.count()), (limit, if subject.ring { 0 } else { 3 }));
        assert_eq!(put(&mut writer, limit).unwrap().nbytes, limit);
        assert_eq!(get(&mut reader).unwrap().nbytes, limit);
        assert!(matches!(writer.begin(limit + 1), Err(Error::TooLarge(_))));
    }
}
