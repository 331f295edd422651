//! Memory of a device for other libraries: a capsule of DLPack.

#![allow(unsafe_code)]

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use passband_arena::pin::DeviceBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

/// `kDLCUDA`.
pub(crate) const CUDA: i32 = 2;
const FRESH: &CStr = c"dltensor";

#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: (i32, i32),
    dimensions: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    offset: u64,
}

/// What the consumer gets, and gives to the deleter; behind it what only this library knows.
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
    shape: Vec<i64>,
    _buffer: DeviceBuffer,
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: the box that `capsule` made, given back once, by whoever took the tensor.
    drop(unsafe { Box::from_raw(managed) });
}

unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: called once for a capsule of `capsule`. A consumer renames it, and deletes the tensor itself.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, FRESH.as_ptr()) != 0 {
            delete(ffi::PyCapsule_GetPointer(capsule, FRESH.as_ptr()).cast());
        }
    }
}

/// An array in C's order on a device, which the capsule keeps.
pub(crate) fn capsule<'py>(
    buffer: &DeviceBuffer,
    shape: &[isize],
    dtype: &Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyAny>> {
    let code = match dtype.kind() {
        b'i' => 0,
        b'u' => 1,
        b'f' => 2,
        b'c' => 5,
        b'b' => 6,
        _ => return Err(PyBufferError::new_err(format!("DLPack has no elements of type {dtype}"))),
    };
    let mut managed = Box::new(Managed {
        tensor: Tensor {
            data: buffer.address() as *mut c_void,
            device: (CUDA, buffer.device().ordinal() as i32),
            dimensions: shape.len() as i32,
            code,
            bits: (8 * dtype.itemsize()) as u8,
            lanes: 1,
            shape: null_mut(),
            strides: null_mut(),
            offset: 0,
        },
        context: null_mut(),
        deleter: Some(delete),
        shape: shape.iter().map(|&len| len as i64).collect(),
        _buffer: buffer.clone(),
    });
    managed.tensor.shape = managed.shape.as_mut_ptr();
    let managed = Box::into_raw(managed);
    // SAFETY: the name is static; `destroy` gives the box back, here where there is no capsule for it.
    unsafe {
        let capsule = ffi::PyCapsule_New(managed.cast(), FRESH.as_ptr(), Some(destroy));
        Bound::from_owned_ptr_or_err(dtype.py(), capsule).inspect_err(|_| delete(managed))
    }
}
