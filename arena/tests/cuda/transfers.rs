//! Copies, both ways, on several devices, streams and threads.

#![expect(unsafe_code, reason = "has what other libraries would lend")]

use crate::driver::{bytes_at, control, report};
use crate::support::{NBYTES, assert_clean, drain, eventually, foreign, pattern, pool, send, take, upload};
use crate::{Case, cases};
use passband_arena::Error;
use passband_arena::pin::{Cuda, DeviceRange};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(crate) fn cases() -> Vec<Case> {
    cases![
        bytes_go_there_and_back,
        a_handle_owns_all_until_it_is_dropped,
        a_dropped_handle_is_kept_by_the_cleaner,
        registered_memory_is_unregistered_before_its_owner_goes,
        two_devices_two_streams_two_threads,
        a_stream_is_waited_for,
        a_foreign_stream_is_kept_and_not_destroyed,
        ranges_are_checked_before_anything_happens,
        the_context_of_a_thread_stays_as_it_was,
        nothing_is_a_copy_too,
    ]
}

fn bytes_go_there_and_back() {
    control("delay=20");
    let device = Cuda::get().unwrap().device(1).unwrap();
    let stream = device.stream().unwrap();
    let (source, _) = foreign(pattern(1));
    // Not pinned, which is right all the same.
    let (mut up, buffer) = upload(&stream, source).unwrap();
    assert!(!up.is_complete().unwrap());
    let blocks = device.pinned_blocks(0);
    let back = blocks.allocate(NBYTES).unwrap();
    // In the same stream, after the copy up.
    let mut down =
        stream.copy_to_host(buffer.range(0, NBYTES).unwrap(), back.range(0, NBYTES).unwrap()).unwrap();
    assert!(down.wait(None).unwrap() && up.wait(Some(Duration::ZERO)).unwrap());
    assert_eq!(back.to_vec(), pattern(1));
    // A part goes to a part.
    let (part, _) = foreign(vec![7; 100]);
    let to = buffer.range(50, 100).unwrap();
    assert!(stream.copy_to_device(part, to).unwrap().wait(None).unwrap());
    let mut expected = pattern(1);
    expected[50..150].fill(7);
    assert_eq!(bytes_at(buffer.address(), NBYTES), expected);
    drop((up, down, back, blocks, buffer, stream));
    assert_clean();
}

fn a_handle_owns_all_until_it_is_dropped() {
    control("hold=1");
    let (source, gone) = foreign(pattern(1));
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    let (mut transfer, buffer) = upload(&stream, source).unwrap();
    let address = buffer.address();
    drop((stream, buffer));
    assert!(!transfer.wait(Some(Duration::from_millis(10))).unwrap());
    control("hold=0");
    assert!(transfer.wait(None).unwrap());
    // On a thread of its own choice it is dropped, and not when it is complete.
    assert!(!gone.load(Ordering::Acquire));
    assert_eq!(bytes_at(address, NBYTES), pattern(1));
    drop(transfer);
    assert!(gone.load(Ordering::Acquire));
    assert_clean();
}

fn a_dropped_handle_is_kept_by_the_cleaner() {
    control("hold=1");
    let (source, gone) = foreign(pattern(1));
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    let (transfer, buffer) = upload(&stream, source).unwrap();
    drop((transfer, stream));
    assert!(!gone.load(Ordering::Acquire));
    let pending = passband_arena::pin::pending();
    let texts: Vec<_> =
        pending.iter().map(|pending| (pending.what.as_str(), pending.state.to_string())).collect();
    assert_eq!(texts, [("copy of 10000 bytes to device 0", "draining".into())]);
    assert!(!gone.load(Ordering::Acquire));
    control("hold=0");
    drain();
    eventually("the source is let go", || gone.load(Ordering::Acquire));
    assert_eq!(bytes_at(buffer.address(), NBYTES), pattern(1));
    drop(buffer);
    assert_clean();
}

fn registered_memory_is_unregistered_before_its_owner_goes() {
    let device = Cuda::get().unwrap().device(1).unwrap();
    let (source, gone) = foreign(pattern(5));
    let registered = device.register(source).unwrap();
    assert_eq!(report().ranges, [(registered.as_ptr().as_ptr() as usize, NBYTES)]);
    control("hold=1;fail=cuMemHostUnregister,1,0,2");
    let stream = device.stream().unwrap();
    let (transfer, buffer) = upload(&stream, registered.range(0, NBYTES).unwrap()).unwrap();
    drop((registered, transfer));
    assert_eq!(passband_arena::pin::pending().len(), 1);
    assert_eq!(report().count("cuMemHostUnregister"), 0);
    control("hold=0");
    drain();
    assert_eq!(bytes_at(buffer.address(), NBYTES), pattern(5));
    // It was refused once, and is refused once more.
    eventually("it was tried", || report().count("cuMemHostUnregister") == 1);
    assert!(!gone.load(Ordering::Acquire));
    let left = passband_arena::pin::retry_cleanup();
    let expected = "10000 bytes of registered memory: unregistering, after 2 attempts: \
                    cuMemHostUnregister answered 1, CUDA_ERROR_INVALID_VALUE (invalid argument)";
    assert_eq!(left.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    assert!(!gone.load(Ordering::Acquire));
    assert_eq!(passband_arena::pin::retry_cleanup(), []);
    assert!(gone.load(Ordering::Acquire));
    drop((stream, buffer));
    assert_clean();
}

fn two_devices_two_streams_two_threads() {
    control("delay=1");
    let cuda = Cuda::get().unwrap();
    let (pool, mut writer, mut reader) = pool(4);
    let streams = [0, 0, 1, 1].map(|ordinal| cuda.device(ordinal).unwrap().stream().unwrap());
    let (to, units) = std::sync::mpsc::sync_channel(1);
    let units = std::sync::Mutex::new(units);
    thread::scope(|scope| {
        let (units, streams) = (&units, &streams);
        for _ in 0..2 {
            scope.spawn(move || {
                loop {
                    let Ok((unit, export)) = units.lock().unwrap().recv() else { return };
                    let (mut transfer, buffer) = upload(&streams[usize::from(unit) % 4], export).unwrap();
                    let address = buffer.address();
                    if unit % 3 == 0 {
                        // It goes on without anybody; the buffer is looked at where it is complete.
                        drop(transfer);
                        continue;
                    }
                    assert!(transfer.wait(None).unwrap());
                    assert_eq!(bytes_at(address, NBYTES), pattern(unit), "unit {unit}");
                }
            });
        }
        for unit in 0..100 {
            while matches!(send(&mut writer, unit), Err(Error::Full(_))) {
                thread::yield_now();
            }
            to.send((unit, take(&mut reader).into())).unwrap();
        }
        drop(to);
    });
    drop((pool, writer, reader, streams));
    assert_clean();
}

fn a_stream_is_waited_for() {
    control("delay=30");
    let stream = Cuda::get().unwrap().device(1).unwrap().stream().unwrap();
    let transfers = [1, 2].map(|unit| upload(&stream, foreign(pattern(unit)).0).unwrap());
    stream.synchronize().unwrap();
    for (unit, (mut transfer, buffer)) in (1..).zip(transfers) {
        assert_eq!(bytes_at(buffer.address(), NBYTES), pattern(unit));
        assert!(transfer.is_complete().unwrap());
    }
    control("fail=cuStreamSynchronize,700,0,1");
    let text = stream.synchronize().unwrap_err().to_string();
    assert!(text.contains("cuStreamSynchronize answered 700, CUDA_ERROR_ILLEGAL_ADDRESS"), "{text}");
    drop(stream);
    assert_clean();
}

/// Tells when it is dropped.
struct Told(Arc<AtomicBool>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn a_foreign_stream_is_kept_and_not_destroyed() {
    control("hold=1");
    let device = Cuda::get().unwrap().device(0).unwrap();
    let theirs = device.stream().unwrap();
    let gone = Arc::new(AtomicBool::new(false));
    // SAFETY: the stream lives to the end of this function.
    let stream = unsafe { device.foreign_stream(theirs.handle(), Box::new(Told(gone.clone()))) };
    let (transfer, buffer) = upload(&stream, foreign(pattern(1)).0).unwrap();
    drop((stream, transfer));
    assert_eq!(passband_arena::pin::pending().len(), 1);
    assert!(!gone.load(Ordering::Acquire));
    control("hold=0");
    drain();
    eventually("the owner of the stream is let go", || gone.load(Ordering::Acquire));
    assert_eq!(report().count("cuStreamDestroy_v2"), 0);
    drop((theirs, buffer));
    assert_clean();
}

fn ranges_are_checked_before_anything_happens() {
    let device = Cuda::get().unwrap().device(0).unwrap();
    let (stream, buffer) = (device.stream().unwrap(), device.allocate(100).unwrap());
    let (source, gone) = foreign(vec![0; 99]);
    let text = stream.copy_to_device(source, buffer.range(0, 100).unwrap()).unwrap_err().to_string();
    assert_eq!(text, "to: expected as many bytes as are to be copied, got 100 for 99");
    assert!(gone.load(Ordering::Acquire) && report().count("cuEventCreate") == 0);
    for (offset, nbytes) in [(0, 101), (101, 0), (usize::MAX, 2)] {
        assert!(matches!(buffer.range(offset, nbytes), Err(Error::Argument { .. })));
    }
    assert!(matches!(device.register(foreign(Vec::new()).0), Err(Error::Argument { argument: "range", .. })));
    drop((stream, buffer));
    assert_clean();
}

fn the_context_of_a_thread_stays_as_it_was() {
    let cuda = Cuda::get().unwrap();
    let (zero, one) = (cuda.device(0).unwrap(), cuda.device(1).unwrap());
    let buffers = (zero.allocate(10).unwrap(), one.allocate(10).unwrap());
    let stream = one.stream().unwrap();
    assert_eq!(report().count("cuCtxPushCurrent_v2"), report().count("cuCtxPopCurrent_v2"));
    drop((buffers, stream));
    assert_clean();
    assert_eq!(report().count("cuCtxPushCurrent_v2"), report().count("cuCtxPopCurrent_v2"));
}

fn nothing_is_a_copy_too() {
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    let (mut transfer, buffer) = upload(&stream, foreign(Vec::new()).0).unwrap();
    assert!(transfer.wait(None).unwrap());
    // SAFETY: no bytes are anywhere.
    let nowhere = unsafe { DeviceRange::from_raw(0, 0, Box::new(())) };
    assert!(stream.copy_to_host(nowhere, foreign(Vec::new()).0).unwrap().wait(None).unwrap());
    drop((stream, transfer, buffer));
    assert_clean();
}
