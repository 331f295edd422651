//! Memory of objects as transfers take it: where it lies, and what keeps it there.

#![allow(unsafe_code)]

use super::array::Array;
use super::error::{given, type_error};
use super::view::memory_of;
use passband_arena::pin::{Device, DeviceRange, HostRange, Owner, Stream};
use pyo3::prelude::*;
use std::sync::{RwLock, TryLockError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Held for reading by a thread that gives an object back, for writing once the interpreter ends.
static ENDING: RwLock<()> = RwLock::new(());

/// From here on objects that transfers kept stay: a thread of ours that waits for the interpreter lock while
/// the interpreter ends would not come back.
///
/// Waits at most for `patience`: a thread that gave an object back when this process was forked is not here
/// to let go of the lock.
pub(crate) fn keep_all_from_now_on(py: Python<'_>, patience: Duration) {
    let end = Instant::now() + patience;
    py.detach(|| {
        while matches!(ENDING.try_write().map(std::mem::forget), Err(TryLockError::WouldBlock))
            && Instant::now() < end
        {
            sleep(Duration::from_millis(1));
        }
    });
}

/// An object that is kept, and may be given back on any thread.
struct Kept(Option<Py<PyAny>>);

impl Drop for Kept {
    fn drop(&mut self) {
        let mut object = self.0.take();
        if let Ok(_not_yet) = ENDING.try_read() {
            Python::try_attach(|_| drop(object.take()));
        }
        std::mem::forget(object);
    }
}

/// What keeps an object until a transfer is complete.
pub(crate) fn owner(object: &Bound<'_, PyAny>) -> Owner {
    Box::new(Kept(Some(object.clone().unbind())))
}

/// The bytes of an array in C's order, which it keeps.
pub(crate) fn host_range(name: &str, array: &Bound<'_, PyAny>, is_written: bool) -> PyResult<HostRange> {
    let found = Array::of(array).filter(|array| array.is_contiguous());
    let found = found.filter(|array| array.is_writeable() || !is_written);
    let memory = found.and_then(|_| memory_of(array));
    let writable = if is_written { "a writable array" } else { "an array" };
    let expected = format!("{writable} of NumPy in C's order, without references");
    let (start, nbytes) = memory.ok_or_else(|| type_error(name, &expected, &given(array)))?;
    // SAFETY: an array keeps its memory, which is writable where it says so.
    Ok(unsafe { HostRange::from_raw(start, nbytes, owner(array)) })
}

/// All bytes of a writable array, from its lowest address to its highest, which it keeps.
pub(crate) fn whole_range(name: &str, array: &Bound<'_, PyAny>) -> PyResult<HostRange> {
    let writable = Array::of(array).filter(|array| array.is_writeable());
    let expected = "a writable array of NumPy, without references";
    let memory = writable.and_then(|_| memory_of(array));
    let (start, nbytes) = memory.ok_or_else(|| type_error(name, expected, &given(array)))?;
    // SAFETY: as above.
    Ok(unsafe { HostRange::from_raw(start, nbytes, owner(array)) })
}

/// Memory of a device, which an object says is its own.
pub(crate) fn device_range(address: u64, nbytes: usize, object: &Bound<'_, PyAny>) -> DeviceRange {
    // SAFETY: libraries tell each other of memory by its address, which is the object's for its life.
    unsafe { DeviceRange::from_raw(address, nbytes, owner(object)) }
}

/// A stream that another library made.
pub(crate) fn foreign_stream(device: &Device, handle: usize, object: &Bound<'_, PyAny>) -> Stream {
    // SAFETY: libraries tell each other of streams by this number, which is the object's for its life.
    unsafe { device.foreign_stream(handle, owner(object)) }
}
