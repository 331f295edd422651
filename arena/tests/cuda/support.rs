//! What the tests have in common.

#![expect(unsafe_code, reason = "lends raw memory")]

use crate::driver::report;
use passband_arena::pin::{self, HostRange, Owner, State, Stream, Transfer};
use passband_arena::{Arena, Export, Options, Reader, SharedMemorySegmentPool, Writer};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The bytes of a unit.
pub(crate) const NBYTES: usize = 10_000;

pub(crate) fn pattern(unit: u8) -> Vec<u8> {
    (0..NBYTES).map(|i| (i % 251) as u8 ^ unit).collect()
}

pub(crate) fn options() -> Options {
    Options { pin_memory: true, acquire_timeout: Some(Duration::ZERO), ..Options::default() }
}

pub(crate) fn pool(count: usize) -> (Arena, Writer, Reader) {
    let pool = SharedMemorySegmentPool::new(NBYTES + 4096, count, options()).unwrap();
    let (writer, reader) = (pool.open_writer().unwrap(), pool.open_reader().unwrap());
    (pool, writer, reader)
}

/// Sends a unit with a pattern.
pub(crate) fn send(writer: &mut Writer, unit: u8) -> passband_arena::Result<()> {
    writer.begin(NBYTES + 4096)?;
    writer.write(pattern(unit).as_slice())?;
    writer.commit(b"").map(drop)
}

/// The bytes of the next unit of a pool.
pub(crate) fn take(reader: &mut Reader) -> Export {
    let delivery = reader.next(None).unwrap().expect("it waits for ever");
    let export = reader.export(reader.extents()[0]).unwrap();
    reader.end_unit(delivery.ticket).unwrap();
    export
}

/// Begins to copy something to a new buffer of the stream's device, whose address is given.
pub(crate) fn upload(
    stream: &Stream,
    from: HostRange,
) -> passband_arena::Result<(Transfer, pin::DeviceBuffer)> {
    let buffer = stream.device().allocate(from.nbytes())?;
    let transfer = stream.copy_to_device(from, buffer.range(0, buffer.nbytes())?)?;
    Ok((transfer, buffer))
}

/// Memory of a library that knows nothing of pinning, and whether it was let go.
pub(crate) fn foreign(bytes: Vec<u8>) -> (HostRange, Arc<AtomicBool>) {
    struct Foreign(Vec<u8>, Arc<AtomicBool>);
    impl Drop for Foreign {
        fn drop(&mut self) {
            self.0.fill(0xFF);
            self.1.store(true, Ordering::Release);
        }
    }
    let gone = Arc::new(AtomicBool::new(false));
    let mut owner = Box::new(Foreign(bytes, gone.clone()));
    let (start, nbytes) = (NonNull::new(owner.0.as_mut_ptr()).unwrap(), owner.0.len());
    // SAFETY: the vector stays where it is until its owner is dropped.
    (unsafe { HostRange::from_raw(start, nbytes, owner as Owner) }, gone)
}

/// Waits for something that comes by itself.
pub(crate) fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}: {:?} {:?}", pin::pending(), report());
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for the end of all transfers.
pub(crate) fn drain() {
    eventually("transfers end", || !pin::pending().iter().any(|pending| pending.state == State::Draining));
}

/// Asserts that everything goes back to the driver, and nothing went wrong on the way.
pub(crate) fn assert_clean() {
    eventually("nothing is pending", || pin::retry_cleanup().is_empty());
    let report = report();
    assert_eq!(report.faults, [""; 0]);
    assert_eq!(report.live(), [""; 0]);
    assert_eq!(mapped(), []);
}

/// Where this process has the data of arenas mapped, and how large.
pub(crate) fn mapped() -> Vec<(usize, usize)> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let data = maps.lines().filter(|line| line.contains("memfd:passband") && !line.contains(" 00000000 "));
    let range = |line: &str| {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        let [start, end] = [start, end].map(|address| usize::from_str_radix(address, 16).unwrap());
        Some((start, end - start))
    };
    data.filter_map(range).collect()
}

/// Has a function called when the process ends, after those that are asked for later.
pub(crate) fn at_exit(function: extern "C" fn()) {
    // SAFETY: the function stays for the life of the program.
    assert_eq!(unsafe { libc::atexit(function) }, 0);
}
