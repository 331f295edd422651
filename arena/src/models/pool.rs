//! Models of the units of a pool: their bytes, and what releases them.

use super::{arena, both_ends, explore, explore_with_fewer, send};
use crate::export::Export;
use crate::reader::Reader;
use crate::segment::Mapping;
use crate::sync::model::{Fault, is_planted};
use loom::thread;

/// Three units through two segments. An export of the first is kept while the second one is read.
#[test]
fn units_are_handed_over() {
    // 2 in the gate, for 26 000 orders. With 3, in `make soak`, they are 770 000 and take a minute; with
    // the 4 that the others have there, it does not end.
    explore_with_fewer(1, || {
        let (mapping, attachment) = arena(2);
        let (mut writer, mut reader) = both_ends(&attachment);
        let writing = thread::spawn(move || {
            (0..3).try_for_each(|unit| send(&mut writer, unit)).unwrap();
            writer
        });
        let kept = read(&mut reader, &mapping, 0);
        drop(read(&mut reader, &mapping, 1));
        check(&kept, 0);
        drop(kept);
        drop(read(&mut reader, &mapping, 2));
        writing.join().unwrap();
    });
}

/// Two exports of a unit go on two threads, while the writer waits for the last of them.
#[test]
fn the_last_export_releases_the_unit() {
    explore(|| {
        let (mapping, attachment) = arena(1);
        let (mut writer, mut reader) = both_ends(&attachment);
        send(&mut writer, 0).unwrap();
        let delivery = reader.next(None).unwrap().unwrap();
        let exports = [(); 2].map(|()| reader.export(reader.extents()[0]).unwrap());
        reader.end_unit(delivery.ticket).unwrap();

        let dropping = exports.map(|export| {
            thread::spawn(move || {
                check(&export, 0);
                drop(export);
            })
        });
        send(&mut writer, 1).unwrap();
        drop(read(&mut reader, &mapping, 1));
        for thread in dropping {
            thread.join().unwrap();
        }
    });
}

/// A reader after this one would begin at the first unit that is not delivered, and find its bytes.
#[test]
fn only_delivered_units_are_overwritten() {
    explore(|| {
        let (mapping, attachment) = arena(1);
        let (mut writer, mut reader) = both_ends(&attachment);
        send(&mut writer, 0).unwrap();
        let reading = thread::spawn(move || {
            let delivery = reader.next(None).unwrap().unwrap();
            reader.end_unit(delivery.ticket).unwrap();
            reader
        });
        writer.begin(128).unwrap();
        assert_eq!(mapping.area.control().delivered.0.load(), 1);
        reading.join().unwrap();
    });
}

/// The writer's own array in a unit that was read long ago goes while it waits for the segment.
#[test]
fn the_writers_own_array_releases_the_unit() {
    explore(|| {
        let (mapping, attachment) = arena(2);
        let (mut writer, mut reader) = both_ends(&attachment);
        writer.begin(128).unwrap();
        let (_, mut own) = writer.place(128).unwrap();
        own.fill(&[0; 128]);
        writer.commit(&[0]).unwrap();
        drop(read(&mut reader, &mapping, 0));
        send(&mut writer, 1).unwrap();
        drop(read(&mut reader, &mapping, 1));

        let dropping = thread::spawn(move || {
            check(&own, 0);
            drop(own);
        });
        send(&mut writer, 2).unwrap();
        dropping.join().unwrap();
        drop(read(&mut reader, &mapping, 2));
    });
}

/// Takes up a unit, and ends it before its bytes are looked at.
fn read(reader: &mut Reader, mapping: &Mapping, unit: u8) -> Export {
    let delivery = reader.next(None).unwrap().unwrap();
    assert_eq!(reader.body(), [unit]);
    let export = reader.export(reader.extents()[0]).unwrap();
    if is_planted(Fault::EarlyRelease) {
        mapping.area.unit(usize::from(unit) % 2).released.store(u64::from(unit) + 1);
    }
    reader.end_unit(delivery.ticket).unwrap();
    check(&export, unit);
    export
}

fn check(export: &Export, unit: u8) {
    assert_eq!(export.to_vec(), [unit; 128]);
}
