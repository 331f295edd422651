//! Without a driver, or with one that cannot be used.

use crate::driver::{Place, control};
use crate::{Case, cases};
use passband_arena::{Error, Options, SharedMemoryRingBuffer, SharedMemorySegmentPool, pin, pin::Cuda};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = cases![
        no_device_is_no_cuda,
        a_failing_driver_is_named_with_its_call_and_code,
        a_failure_is_not_for_ever,
        devices_are_those_there_are,
        a_heap_is_never_pinned,
    ];
    cases.extend([
        Case::new("absent::what_was_looked_for_is_named", Place::Empty, what_was_looked_for_is_named),
        Case::new("absent::missing_calls_are_named", Place::Other, missing_calls_are_named),
    ]);
    cases
}

fn pinned() -> Options {
    Options { pin_memory: true, ..Options::default() }
}

fn why_not() -> String {
    match Cuda::get() {
        Err(Error::NoCuda(why)) => why,
        other => panic!("{other:?}"),
    }
}

fn what_was_looked_for_is_named() {
    if Cuda::get().is_ok() {
        println!("this machine has CUDA where every process finds it");
        return;
    }
    let why = why_not();
    assert!(why.contains("libcuda.so, ") && why.contains("libcuda.so.1"), "{why}");
    let refused = SharedMemorySegmentPool::new(4096, 2, pinned()).unwrap_err();
    assert!(matches!(&refused, Error::NoCuda(same) if *same == why), "{refused}");
    assert!(refused.to_string().starts_with("CUDA cannot be used here: "), "{refused}");
    assert!(matches!(SharedMemoryRingBuffer::new(4096, pinned()), Err(Error::NoCuda(_))));
    assert!(pin::pending().is_empty() && pin::retry_cleanup().is_empty());
    // Nothing else needs it.
    let pool = SharedMemorySegmentPool::new(4096, 2, Options::default()).unwrap();
    assert!(!pool.open_reader().unwrap().is_pinned());
}

fn missing_calls_are_named() {
    let why = why_not();
    assert!(why.contains("lacks cuInit, cuDeviceGetCount, ") && why.contains("cuGetErrorString"), "{why}");
}

fn no_device_is_no_cuda() {
    control("devices=0");
    let why = why_not();
    assert!(why.contains("cuInit answered 100, CUDA_ERROR_NO_DEVICE"), "{why}");
}

fn a_failing_driver_is_named_with_its_call_and_code() {
    control("fail=cuInit,4242,0,1");
    let error = Cuda::get().unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error}");
    let text = error.to_string();
    assert_eq!(text, "cannot use CUDA: cuInit answered 4242, unknown to the driver (unknown to the driver)");
    // As the real driver answers in a child of a process that uses it by other libraries.
    control("fail=cuInit,3,0,1");
    let text = Cuda::get().unwrap_err().to_string();
    assert!(text.contains("spawn or forkserver") && text.contains("CUDA_ERROR_NOT_INITIALIZED"), "{text}");
}

fn a_failure_is_not_for_ever() {
    control("fail=cuDeviceGetCount,719,0,1;fail=cuDevicePrimaryCtxRetain,2,0,1");
    assert!(Cuda::get().is_err());
    let cuda = Cuda::get().unwrap();
    let text = cuda.device(1).unwrap_err().to_string();
    assert!(text.starts_with("cannot use device 1: cuDevicePrimaryCtxRetain answered 2, "), "{text}");
    cuda.device(1).unwrap();
}

fn devices_are_those_there_are() {
    let cuda = Cuda::get().unwrap();
    assert_eq!(cuda.device_count(), 2);
    assert_eq!(cuda.default_device().unwrap().ordinal(), 0);
    let text = cuda.device(2).unwrap_err().to_string();
    assert_eq!(text, "device: expected the number of a CUDA device, got 2, where there are 2 devices");
}

fn a_heap_is_never_pinned() {
    let refused = SharedMemorySegmentPool::on_heap(4096, 2, pinned()).unwrap_err();
    assert!(matches!(refused, Error::Argument { argument: "pin_memory", .. }), "{refused}");
}
