//! Forked children, in which the driver of their parent is out of reach.

#![expect(unsafe_code, reason = "forks")]

use crate::driver::{control, report};
use crate::support::{assert_clean, drain, foreign, options, pattern, pool, send, take, upload};
use crate::{Case, cases};
use passband_arena::pin::{self, Cuda};
use passband_arena::{Error, SharedMemorySegmentPool};

pub(crate) fn cases() -> Vec<Case> {
    cases![
        a_child_is_refused_and_told_why,
        a_child_lets_go_without_the_driver,
        a_child_of_a_process_without_it_may_pin
    ]
}

/// Runs a function in a forked child, which has to come to its end.
fn in_child(function: impl FnOnce()) {
    // SAFETY: the child calls the function and ends; no other thread of this process is in a lock of the
    // system's or of the test driver's then.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function));
        // SAFETY: it ends at once, without what its parent has asked for at its end.
        unsafe { libc::_exit(i32::from(ended.is_err())) };
    }
    let mut status = 0;
    // SAFETY: waits for the child, and writes to a local.
    assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
    assert_eq!(status, 0, "the child failed");
}

fn a_child_is_refused_and_told_why() {
    let device = Cuda::get().unwrap().device(0).unwrap();
    let stream = device.stream().unwrap();
    let blocks = device.pinned_blocks(usize::MAX);
    drop(blocks.allocate(100).unwrap());
    let parent = std::process::id();
    let pool = SharedMemorySegmentPool::new(4096, 2, options()).unwrap();
    in_child(|| {
        let refused: [Result<(), Error>; 6] = [
            Cuda::get().map(drop),
            device.stream().map(drop),
            device.allocate(1).map(drop),
            blocks.allocate(100).map(drop),
            stream.synchronize(),
            pool.open_reader().map(drop),
        ];
        for refused in refused {
            assert!(matches!(refused, Err(Error::ForkedCuda { pid }) if pid == parent), "{refused:?}");
        }
        let text = Cuda::get().unwrap_err().to_string();
        assert!(text.starts_with(&format!("CUDA is in use in process {parent}, ")), "{text}");
        assert!(text.contains("spawn or forkserver"), "{text}");
    });
    drop((stream, blocks, pool));
    assert_clean();
}

fn a_child_lets_go_without_the_driver() {
    control("hold=1");
    let (pool, mut writer, mut reader) = pool(2);
    let stream = Cuda::get().unwrap().device(0).unwrap().stream().unwrap();
    send(&mut writer, 1).unwrap();
    let unit = take(&mut reader);
    let (transfer, buffer) = upload(&stream, unit.into()).unwrap();
    let registered = stream.device().register(foreign(pattern(2)).0).unwrap();
    let everything = Some((pool, writer, reader, stream, transfer, buffer, registered));
    let mut inherited = everything;
    in_child(|| {
        drop(inherited.take());
        assert!(pin::pending().is_empty() && pin::retry_cleanup().is_empty());
    });
    // The parent's are as they were.
    let (pool, writer, reader, stream, mut transfer, buffer, registered) = inherited.unwrap();
    assert!(!transfer.is_complete().unwrap());
    assert_eq!(report().count("registered"), 2);
    control("hold=0");
    assert!(transfer.wait(None).unwrap());
    assert_eq!(crate::driver::bytes_at(buffer.address(), buffer.nbytes()), pattern(1));
    drop((pool, writer, reader, stream, transfer, buffer, registered));
    drain();
    assert_clean();
}

fn a_child_of_a_process_without_it_may_pin() {
    in_child(|| {
        let (pool, writer, reader) = pool(2);
        drop((pool, writer, reader));
        assert_clean();
    });
    assert!(Cuda::get().is_ok());
}
