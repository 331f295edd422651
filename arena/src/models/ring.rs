//! A model of the spans of a ring.

use super::{arena, both_ends, explore};
use loom::thread;

/// Three units, of which two fit. The envelope lies in the unit.
#[test]
fn units_are_handed_over() {
    explore(|| {
        let (_, attachment) = arena(0);
        let (mut writer, mut reader) = both_ends(&attachment);
        let writing = thread::spawn(move || {
            for unit in 0..3 {
                writer.begin(128).unwrap();
                writer.commit(&[unit; 128]).unwrap();
            }
            writer
        });
        for unit in 0..3 {
            let delivery = reader.next(None).unwrap().unwrap();
            assert_eq!(reader.body(), [unit; 128]);
            reader.end_unit(delivery.ticket).unwrap();
        }
        writing.join().unwrap();
    });
}
