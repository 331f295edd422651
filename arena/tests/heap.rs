//! Threads over arenas on the heap, for tools that see every access but know no shared memory: Miri and
//! `ThreadSanitizer`.

use passband_arena::{
    Arena, Error, Export, Options, Reader, SharedMemoryRingBuffer, SharedMemorySegmentPool, Writer,
};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

const UNITS: u64 = if cfg!(miri) { 10 } else { 5_000 };
const NBYTES: usize = 192;

fn options() -> Options {
    // Sleeps at once, so that few units suffice to meet every bell.
    Options { acquire_timeout: None, spin: std::time::Duration::ZERO, ..Options::default() }
}

fn pool() -> (Arena, Writer, Reader) {
    let pool = SharedMemorySegmentPool::on_heap(1024, 4, options()).unwrap();
    let (writer, reader) = (pool.open_writer().unwrap(), pool.open_reader().unwrap());
    (pool, writer, reader)
}

fn bytes_of(unit: u64) -> [u8; NBYTES] {
    std::array::from_fn(|i| (unit as usize * 7 + i) as u8)
}

/// Sends a unit with one binary copied in and one written in place.
fn send(writer: &mut Writer, unit: u64) -> passband_arena::Result<()> {
    writer.begin(1024)?;
    writer.write(bytes_of(unit).as_slice())?;
    let (_, mut placed) = writer.place(NBYTES)?;
    placed.fill(&bytes_of(unit));
    writer.commit(&unit.to_le_bytes()).map(drop)
}

/// Takes the next unit, and leaves its exports.
fn take(reader: &mut Reader) -> passband_arena::Result<(u64, Vec<Export>)> {
    let delivery = reader.next(None)?.expect("it waits for ever");
    let unit = u64::from_le_bytes(reader.body().try_into().unwrap());
    let exports = reader.extents().iter().map(|extent| reader.export(*extent));
    let exports = exports.collect::<Result<_, _>>()?;
    reader.end_unit(delivery.ticket)?;
    Ok((unit, exports))
}

/// The writer, the reader, and a third thread that is the last to look at each unit.
#[test]
fn exports_are_dropped_on_another_thread() {
    let (_pool, mut writer, mut reader) = pool();
    thread::scope(|scope| {
        scope.spawn(move || (0..UNITS).try_for_each(|unit| send(&mut writer, unit)).unwrap());
        let (sender, receiver) = mpsc::channel::<(u64, Export)>();
        scope.spawn(move || {
            for (unit, export) in receiver {
                assert_eq!(export.to_vec(), bytes_of(unit));
            }
        });
        for unit in 0..UNITS {
            let (number, exports) = take(&mut reader).unwrap();
            assert_eq!((number, exports.len()), (unit, 2));
            for export in exports {
                assert_eq!(export.to_vec(), bytes_of(unit));
                sender.send((unit, export)).unwrap();
            }
        }
        assert!(matches!(reader.next(None), Err(Error::Closed(_))));
    });
}

#[test]
fn units_go_through_a_ring() {
    let ring = SharedMemoryRingBuffer::on_heap(1000, options()).unwrap();
    let (mut writer, mut reader) = (ring.open_writer().unwrap(), ring.open_reader().unwrap());
    thread::scope(|scope| {
        scope.spawn(move || {
            for unit in 0..UNITS {
                // Units of all sizes, so that they wrap at many places.
                let nbytes = unit as usize % NBYTES;
                writer.begin(nbytes).unwrap();
                writer.write(&bytes_of(unit)[..nbytes]).unwrap();
                writer.commit(&[]).unwrap();
            }
        });
        for unit in 0..UNITS {
            let delivery = reader.next(None).unwrap().unwrap();
            let read = reader.read_vec(reader.extents()[0]).unwrap();
            assert_eq!(read, bytes_of(unit)[..unit as usize % NBYTES]);
            reader.end_unit(delivery.ticket).unwrap();
        }
    });
}

/// A close in the middle ends both sides, and what was exported stays.
#[test]
fn a_close_meets_both_ends_at_work() {
    for _ in 0..UNITS.div_ceil(25) {
        let (pool, mut writer, mut reader) = pool();
        let kept = thread::scope(|scope| {
            scope.spawn(move || {
                let error = (0..).find_map(|unit| send(&mut writer, unit).err()).unwrap();
                assert!(matches!(error, Error::Closed(_)), "{error}");
            });
            let reading = scope.spawn(move || {
                let first = take(&mut reader);
                while take(&mut reader).is_ok() {}
                first.ok()
            });
            pool.close();
            reading.join().unwrap()
        });
        drop(pool);
        if let Some((unit, exports)) = kept {
            assert!(exports.iter().all(|export| export.to_vec() == bytes_of(unit)));
        }
    }
}

/// A writer that keeps its array, and goes on writing to it while the reader looks.
#[test]
#[ignore = "a planted race: no test, but what Miri and ThreadSanitizer must see"]
fn planted_race() {
    let (_pool, mut writer, mut reader) = pool();
    // Relaxed: it ends the loop, and orders nothing.
    let seen = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            writer.begin(1024).unwrap();
            let (_, mut placed) = writer.place(NBYTES).unwrap();
            writer.commit(&0u64.to_le_bytes()).unwrap();
            // Once at least, however fast the reader is.
            loop {
                placed.fill(&bytes_of(0));
                if seen.load(Relaxed) {
                    break;
                }
                thread::yield_now();
            }
        });
        let (_, exports) = take(&mut reader).unwrap();
        std::hint::black_box(exports[0].to_vec());
        seen.store(true, Relaxed);
    });
}
