//! What is kept in doubt: what is said of it, and when it is tried again.

#![expect(unsafe_code, reason = "lends raw memory")]

use crate::driver::{control, report};
use crate::support::{
    assert_clean, at_exit, eventually, foreign, mapped, options, pattern, pool, send, take, upload,
};
use crate::{Case, cases};
use passband_arena::pin::{self, Cuda, State};
use passband_arena::{Error, Options, SharedMemorySegmentPool};
use std::time::Duration;

pub(crate) fn cases() -> Vec<Case> {
    cases![
        an_event_that_never_comes_keeps_all,
        an_event_that_cannot_be_asked_keeps_all,
        a_refused_unregistration_keeps_the_mapping,
        each_operation_of_an_arena_tries_again,
        what_was_done_though_it_was_refused_is_done,
        an_owner_that_panics_stops_nobody,
        the_end_of_the_process_leaves_all_as_it_is,
    ]
}

fn an_event_that_never_comes_keeps_all() {
    control("fail=cuEventQuery,600,0,*");
    let (pool, mut writer, mut reader) = pool(2);
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    send(&mut writer, 1).unwrap();
    let unit = take(&mut reader);
    let (mut transfer, buffer) = upload(&stream, unit.into()).unwrap();
    assert!(!transfer.wait(Some(Duration::from_millis(30))).unwrap());
    drop(transfer);
    send(&mut writer, 2).unwrap();
    drop(take(&mut reader));
    for _ in 0..3 {
        let left = pin::retry_cleanup();
        assert_eq!((left.len(), left[0].state), (1, State::Draining));
        assert_eq!(left[0].why, "the device has not come to its end");
        assert!(matches!(send(&mut writer, 3), Err(Error::Full(_))), "a unit was used again");
    }
    drop((pool, writer, reader));
    assert_eq!((report().ranges, mapped().len()), (mapped(), 1));
    control("fail=");
    drop((stream, buffer));
    assert_clean();
}

fn an_event_that_cannot_be_asked_keeps_all() {
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    let (source, _) = foreign(pattern(1));
    let (mut transfer, buffer) = upload(&stream, source).unwrap();
    control("fail=cuEventQuery,700,0,3");
    let text = transfer.wait(None).unwrap_err().to_string();
    let expected = "cannot tell whether a copy of 10000 bytes is complete: cuEventQuery answered 700, \
                    CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)";
    assert_eq!(text, expected);
    drop((transfer, stream, buffer));
    let left = pin::pending();
    assert_eq!((left.len(), left[0].state), (1, State::Draining));
    assert!(left[0].why.contains("cuEventQuery answered 700"), "{}", left[0]);
    assert_eq!(report().count("device"), 1);
    assert_clean();
}

fn a_refused_unregistration_keeps_the_mapping() {
    let (pool, mut writer, mut reader) = pool(2);
    send(&mut writer, 1).unwrap();
    let unit = take(&mut reader);
    control("fail=cuMemHostUnregister,719,0,2");
    pool.close();
    pool.unlink();
    drop((pool, writer, reader));
    assert_eq!(unit.to_vec(), pattern(1));
    drop(unit);
    let left = pin::pending();
    assert_eq!((left.len(), left[0].state, left[0].attempts), (1, State::Unregistering, 1));
    assert!(left[0].what.starts_with("the mapping of arena "), "{}", left[0]);
    assert!(
        left[0].why.starts_with("cuMemHostUnregister answered 719, CUDA_ERROR_LAUNCH_FAILED"),
        "{}",
        left[0]
    );
    assert_eq!((report().ranges, mapped().len()), (mapped(), 1));
    assert_eq!(pin::retry_cleanup()[0].attempts, 2);
    assert_eq!((report().ranges, mapped().len()), (mapped(), 1));
    assert_eq!(pin::retry_cleanup(), []);
    assert_clean();
}

fn each_operation_of_an_arena_tries_again() {
    let (pool, writer, reader) = pool(2);
    control("fail=cuMemHostUnregister,719,0,3");
    drop((pool, writer, reader));
    assert_eq!(pin::pending()[0].attempts, 1);
    // Nothing pinned, and not even an operation of a reader.
    let other = SharedMemorySegmentPool::new(4096, 2, Options::default()).unwrap();
    eventually("it is tried again", || {
        other.published().unwrap();
        report().count("cuMemHostUnregister") == 4
    });
    drop(other);
    assert_clean();
}

fn what_was_done_though_it_was_refused_is_done() {
    let (pool, writer, reader) = pool(2);
    let stream = Cuda::get().unwrap().device(1).unwrap().stream().unwrap();
    let (mut transfer, buffer) = upload(&stream, foreign(pattern(1)).0).unwrap();
    assert!(transfer.wait(None).unwrap());
    for call in ["cuMemHostUnregister", "cuMemFree_v2", "cuStreamDestroy_v2", "cuEventDestroy_v2"] {
        control(&format!("after={call},719,0,1"));
    }
    drop((pool, writer, reader, stream, transfer, buffer));
    assert_eq!(pin::pending().len(), 4);
    assert_eq!((mapped().len(), report().count("registered")), (1, 0));
    assert_eq!(pin::retry_cleanup(), []);
    assert_clean();
    // The same of what pins: it may be pinned all the same.
    control("fail=;after=cuMemHostRegister_v2,719,0,1");
    let pool = SharedMemorySegmentPool::new(4096, 2, options()).unwrap();
    assert!(pool.open_reader().is_err());
    drop(pool);
    assert_clean();
}

fn an_owner_that_panics_stops_nobody() {
    struct Bad(Vec<u8>);
    impl Drop for Bad {
        fn drop(&mut self) {
            panic!("a bad owner of {} bytes", self.0.len());
        }
    }
    let device = Cuda::get().unwrap().device(0).unwrap();
    let mut bad = Box::new(Bad(vec![0; 4096]));
    let start = std::ptr::NonNull::new(bad.0.as_mut_ptr()).unwrap();
    // SAFETY: the owner keeps the bytes.
    let range = unsafe { pin::HostRange::from_raw(start, 4096, bad) };
    drop(device.register(range).unwrap());
    assert_eq!(pin::pending(), []);
    drop(device.register(foreign(pattern(1)).0).unwrap());
    assert_clean();
}

fn the_end_of_the_process_leaves_all_as_it_is() {
    // Before the cleaner asks to be stopped: so it comes after that.
    at_exit(look_once_more);
    control("hold=1");
    let (pool, mut writer, mut reader) = pool(2);
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    send(&mut writer, 1).unwrap();
    let unit = take(&mut reader);
    let (transfer, buffer) = upload(&stream, unit.into()).unwrap();
    drop((pool, writer, reader, transfer, stream, buffer));
    assert_eq!(pin::pending().len(), 1);
}

/// The transfer is still under way. Nobody asks for it any more, and its source is where it was.
extern "C" fn look_once_more() {
    let before = report().count("cuEventQuery");
    std::thread::sleep(Duration::from_millis(50));
    let report = report();
    let is_kept = mapped().len() == 1 && report.ranges == mapped() && report.count("registered") == 1;
    if !is_kept || report.count("cuEventQuery") != before || !report.faults.is_empty() {
        eprintln!("{report:?} {:?}", mapped());
        std::process::abort();
    }
}
