//! A CUDA driver for tests: the C symbols that pinning and transfers need, over host memory.
//!
//! It copies *late*, on a thread of each stream, so that bytes reused or freed too early show as wrong ones.
//! It writes over what is freed, notes every misuse as a fault, and fails any call when it is told to: see
//! [`control`]. It is no part of the product; tests load it in place of `libcuda.so`.

#![expect(unsafe_code, reason = "has the interface of a C library")]

mod control;
mod memory;
mod state;
mod streams;

use control::call;
use state::{Device, State};
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_uint};

const SUCCESS: c_uint = 0;
const INVALID_VALUE: c_uint = 1;
const NOT_INITIALIZED: c_uint = 3;
const NO_DEVICE: c_uint = 100;
const INVALID_DEVICE: c_uint = 101;
const INVALID_CONTEXT: c_uint = 201;
const INVALID_HANDLE: c_uint = 400;
const NOT_READY: c_uint = 600;
const ALREADY_REGISTERED: c_uint = 712;
const NOT_REGISTERED: c_uint = 713;

thread_local! {
    /// The contexts that this thread has made current, each by the number of its device.
    static CONTEXTS: RefCell<Vec<Device>> = const { RefCell::new(Vec::new()) };
}

/// The device of this thread's current context.
fn current() -> Result<Device, c_uint> {
    CONTEXTS.with_borrow(|contexts| contexts.last().copied()).ok_or(INVALID_CONTEXT)
}

/// Contexts are shown as numbers that are no addresses.
const CONTEXT: usize = 0xC0_0000;

/// Stores what a call gives by a pointer.
///
/// # Safety
///
/// `target` is null or may be written.
unsafe fn give<T>(target: *mut T, value: T) -> Result<(), c_uint> {
    if target.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, and the caller says the rest.
    unsafe { target.write(value) };
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn cuInit(_: c_uint) -> c_uint {
    call("cuInit", State::initialize)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_uint {
    // SAFETY: the caller's pointer.
    call("cuDeviceGetCount", |state| unsafe { give(count, state.devices as c_int) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_uint {
    call("cuDeviceGet", |state| {
        let there = usize::try_from(ordinal).is_ok_and(|ordinal| ordinal < state.devices);
        // SAFETY: the caller's pointer.
        if there { unsafe { give(device, ordinal) } } else { Err(INVALID_DEVICE) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) -> c_uint {
    // SAFETY: the caller's pointer.
    call("cuDevicePrimaryCtxRetain", |_| unsafe { give(context, CONTEXT + device as usize) })
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxPushCurrent_v2(context: usize) -> c_uint {
    call("cuCtxPushCurrent_v2", |state| match context.checked_sub(CONTEXT) {
        Some(device) if device < state.devices => {
            CONTEXTS.with_borrow_mut(|contexts| contexts.push(device));
            Ok(())
        }
        _ => Err(INVALID_CONTEXT),
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuCtxPopCurrent_v2(context: *mut usize) -> c_uint {
    call("cuCtxPopCurrent_v2", |_| {
        let popped = CONTEXTS.with_borrow_mut(Vec::pop).ok_or(INVALID_CONTEXT)?;
        // SAFETY: the caller's pointer.
        unsafe { give(context, CONTEXT + popped) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemHostRegister_v2(start: usize, nbytes: usize, _: c_uint) -> c_uint {
    call("cuMemHostRegister_v2", |state| current().and_then(|_| state.register(start, nbytes)))
}

#[unsafe(no_mangle)]
extern "C" fn cuMemHostUnregister(start: usize) -> c_uint {
    call("cuMemHostUnregister", |state| current().and_then(|_| state.unregister(start)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemHostAlloc(start: *mut usize, nbytes: usize, _: c_uint) -> c_uint {
    call("cuMemHostAlloc", |state| {
        current()?;
        let allocated = state.allocate(None, nbytes)?;
        // SAFETY: the caller's pointer.
        unsafe { give(start, allocated) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFreeHost(start: usize) -> c_uint {
    call("cuMemFreeHost", |state| current().and_then(|_| state.free(false, start)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, nbytes: usize) -> c_uint {
    call("cuMemAlloc_v2", |state| {
        let start = state.allocate(Some(current()?), nbytes)?;
        // SAFETY: the caller's pointer.
        unsafe { give(address, start as u64) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFree_v2(address: u64) -> c_uint {
    call("cuMemFree_v2", |state| current().and_then(|_| state.free(true, address as usize)))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuStreamCreate(stream: *mut usize, _: c_uint) -> c_uint {
    // SAFETY: the caller's pointer.
    call("cuStreamCreate", |state| unsafe { give(stream, state.create_stream(current()?)) })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamDestroy_v2(stream: usize) -> c_uint {
    call("cuStreamDestroy_v2", |state| state.destroy_stream(stream))
}

/// Whether a stream comes to its end is decided before it does: a failure needs no waiting.
#[unsafe(no_mangle)]
extern "C" fn cuStreamSynchronize(stream: usize) -> c_uint {
    let code = call("cuStreamSynchronize", |state| state.stream(stream).map(drop));
    if code == SUCCESS {
        streams::wait_for(stream);
    }
    code
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamQuery(stream: usize) -> c_uint {
    call("cuStreamQuery", |state| state.query_stream(stream))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventCreate(event: *mut usize, _: c_uint) -> c_uint {
    // SAFETY: the caller's pointer.
    call("cuEventCreate", |state| unsafe { give(event, state.create_event(current()?)) })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventDestroy_v2(event: usize) -> c_uint {
    call("cuEventDestroy_v2", |state| state.destroy_event(event))
}

#[unsafe(no_mangle)]
extern "C" fn cuEventRecord(event: usize, stream: usize) -> c_uint {
    call("cuEventRecord", |state| state.record(event, stream))
}

#[unsafe(no_mangle)]
extern "C" fn cuEventQuery(event: usize) -> c_uint {
    call("cuEventQuery", |state| state.query_event(event))
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyHtoDAsync_v2(to: u64, from: usize, nbytes: usize, stream: usize) -> c_uint {
    call("cuMemcpyHtoDAsync_v2", |state| state.copy(from, to as usize, nbytes, stream, true))
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyDtoHAsync_v2(to: usize, from: u64, nbytes: usize, stream: usize) -> c_uint {
    call("cuMemcpyDtoHAsync_v2", |state| state.copy(from as usize, to, nbytes, stream, false))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorName(code: c_uint, name: *mut *const c_char) -> c_uint {
    let words = control::description(code).map(|(words, _)| words.as_ptr());
    // SAFETY: the caller's pointer.
    control::answer(words.ok_or(INVALID_VALUE).and_then(|words| unsafe { give(name, words) }))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorString(code: c_uint, text: *mut *const c_char) -> c_uint {
    let words = control::description(code).map(|(_, words)| words.as_ptr());
    // SAFETY: the caller's pointer.
    control::answer(words.ok_or(INVALID_VALUE).and_then(|words| unsafe { give(text, words) }))
}
