//! The Python face of an export: a heap type with nothing but a buffer, and arrays over it.
//!
//! Written by hand, as a `#[pyclass]` would be tracked by the garbage collector and run pending
//! decrements when it is dropped: this one only drops Rust values, and may be dropped anywhere.

#![allow(unsafe_code)]

use super::storage::Storage;
use crate::declare::stub_doc;
use crate::marshal::{because, new_view, type_error, value_error};
use numpy::PyArrayDescr;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyTuple};
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// An instance: the object's head, and the memory that it stands for.
#[repr(C)]
struct Instance {
    head: ffi::PyObject,
    storage: Storage,
    /// Whether buffers of it are read-only from now on.
    frozen: AtomicBool,
}

static TYPE: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(null_mut());

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: called once, by the last decrement, with an instance whose fields `wrap` initialised.
    // Dropping the storage releases the backing reference first and tells the lease then.
    unsafe {
        let class = ffi::Py_TYPE(object);
        std::ptr::drop_in_place(&raw mut (*object.cast::<Instance>()).storage);
        let free: ffi::freefunc = std::mem::transmute(ffi::PyType_GetSlot(class, ffi::Py_tp_free));
        free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}

unsafe extern "C" fn get_buffer(
    object: *mut ffi::PyObject,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> c_int {
    // SAFETY: `object` is an instance; the view takes a reference to it, so that the bytes outlive the
    // view. There is nothing to release: the buffers of an export are not counted.
    unsafe {
        let instance = &*object.cast::<Instance>();
        let readonly = instance.storage.is_readonly() || instance.frozen.load(Ordering::Relaxed);
        let (start, nbytes) = (instance.storage.start(), instance.storage.nbytes());
        ffi::PyBuffer_FillInfo(view, object, start.as_ptr().cast(), nbytes as isize, readonly.into(), flags)
    }
}

unsafe extern "C" fn length(object: *mut ffi::PyObject) -> isize {
    // SAFETY: `object` is an instance.
    unsafe { (*object.cast::<Instance>()).storage.nbytes() as isize }
}

/// Makes the type `Export`, once.
pub(super) fn class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let known = TYPE.load(Ordering::Acquire);
    if !known.is_null() {
        // SAFETY: the type was made below and is never freed.
        return Ok(unsafe { Bound::from_borrowed_ptr(py, known.cast()) });
    }
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_doc, concat!(stub_doc!("Export"), "\0").as_ptr() as *mut c_void),
        slot(ffi::Py_tp_dealloc, dealloc as *mut c_void),
        slot(ffi::Py_bf_getbuffer, get_buffer as *mut c_void),
        slot(ffi::Py_sq_length, length as *mut c_void),
        slot(0, null_mut()),
    ];
    let flags =
        ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_IMMUTABLETYPE | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION;
    let mut spec = ffi::PyType_Spec {
        name: c"passband._arena.Export".as_ptr(),
        basicsize: size_of::<Instance>() as c_int,
        itemsize: 0,
        flags: flags as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the slots and names are read during the call, and the name is static.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec))? };
    TYPE.store(made.clone().into_ptr().cast(), Ordering::Release);
    Ok(made)
}

/// The object for memory, which it adopts: from here on only its destruction releases that.
pub(crate) fn wrap(py: Python<'_>, memory: impl Into<Storage>) -> PyResult<Bound<'_, PyAny>> {
    let class = class(py)?.as_ptr().cast::<ffi::PyTypeObject>();
    // SAFETY: a fresh instance of the type, or null with an exception set; its fields are written before
    // anybody can see it. On failure the memory is dropped here, and rolls back by itself.
    unsafe {
        let object = Bound::from_owned_ptr_or_err(py, ffi::PyType_GenericAlloc(class, 0))?;
        let instance = object.as_ptr().cast::<Instance>();
        (&raw mut (*instance).storage).write(memory.into());
        (&raw mut (*instance).frozen).write(AtomicBool::new(false));
        Ok(object)
    }
}

/// The instance behind an object, if it is one.
fn instance<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a Instance> {
    // SAFETY: only the type itself passes, as it has no subclasses, and `wrap` initialised it.
    unsafe {
        let is_export = ffi::Py_TYPE(object.as_ptr()) == TYPE.load(Ordering::Acquire);
        is_export.then(|| &*object.as_ptr().cast::<Instance>())
    }
}

/// Makes every later buffer of an export read-only.
pub(super) fn freeze(object: &Bound<'_, PyAny>) {
    if let Some(instance) = instance(object) {
        instance.frozen.store(true, Ordering::Relaxed);
    }
}

/// An array over memory that `base` keeps alive: an export, or any object with a contiguous buffer.
pub(crate) fn array_over<'py>(
    base: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyArrayDescr>,
    shape: &[isize],
    strides: Option<&[isize]>,
    offset: usize,
    writable: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (start, nbytes, readonly) = if let Some(instance) = instance(base) {
        let readonly = instance.storage.is_readonly() || instance.frozen.load(Ordering::Relaxed);
        (instance.storage.start(), instance.storage.nbytes(), readonly)
    } else {
        let view = View::of("export", base)?;
        (view.start(), view.nbytes(), view.is_readonly())
    };
    // SAFETY: `new_view` checks that all elements lie in these bytes, which `base` keeps.
    unsafe { new_view(base, dtype, shape, strides, (start, nbytes), offset, writable && !readonly) }
}

/// A contiguous buffer of any object, given back when dropped.
pub(super) struct View(Box<ffi::Py_buffer>);

impl View {
    /// The buffer of the argument `name`, whose elements must not be references.
    fn of(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let expected = "an object with a contiguous buffer of elements without references";
        let refused = || type_error(name, expected, &crate::marshal::given(object));
        let mut buffer = Box::new(ffi::Py_buffer::new());
        let flags = ffi::PyBUF_ND | ffi::PyBUF_FORMAT;
        // SAFETY: fills the buffer, or sets an exception and leaves it empty.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *buffer, flags) } != 0 {
            return Err(because(object.py(), PyErr::fetch(object.py()), refused()));
        }
        let view = Self(buffer);
        if view.has_references() { Err(refused()) } else { Ok(view) }
    }

    /// Whether elements are references to objects: `O` in the format, but not in the name of a field,
    /// which stands between colons.
    fn has_references(&self) -> bool {
        if self.0.format.is_null() {
            return false;
        }
        // SAFETY: a format is a string that ends in a zero, and lives as long as the buffer.
        let format = unsafe { CStr::from_ptr(self.0.format) };
        format.to_bytes().split(|byte| *byte == b':').step_by(2).any(|part| part.contains(&b'O'))
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        NonNull::new(self.0.buf.cast()).unwrap_or(NonNull::dangling())
    }

    pub(super) fn nbytes(&self) -> usize {
        self.0.len as usize
    }

    fn is_readonly(&self) -> bool {
        self.0.readonly != 0
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: the buffer was filled by `of`, is given back once, and by a thread that holds the
        // interpreter lock, as views never leave a call.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.0) };
    }
}

/// New `bytes` that `fill` writes, once.
pub(super) fn new_bytes(
    py: Python<'_>,
    nbytes: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> PyResult<()>,
) -> PyResult<Bound<'_, PyBytes>> {
    // SAFETY: a new object of uninitialised bytes, seen by nobody else until it is filled.
    unsafe {
        let object = ffi::PyBytes_FromStringAndSize(std::ptr::null(), nbytes as isize);
        let bytes = Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyBytes>();
        let start = ffi::PyBytes_AsString(bytes.as_ptr()).cast::<MaybeUninit<u8>>();
        fill(std::slice::from_raw_parts_mut(start, nbytes))?;
        Ok(bytes)
    }
}

/// A new `bytearray` that `fill` writes, once.
pub(super) fn new_bytearray(
    py: Python<'_>,
    nbytes: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> PyResult<()>,
) -> PyResult<Bound<'_, PyByteArray>> {
    // SAFETY: as in `new_bytes`.
    unsafe {
        let object = ffi::PyByteArray_FromStringAndSize(std::ptr::null(), nbytes as isize);
        let bytes = Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyByteArray>();
        let start = ffi::PyByteArray_AsString(bytes.as_ptr()).cast::<MaybeUninit<u8>>();
        fill(std::slice::from_raw_parts_mut(start, nbytes))?;
        Ok(bytes)
    }
}

/// A view of an object's whole buffer.
pub(super) fn memoryview<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: a new object, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(object.py(), ffi::PyMemoryView_FromObject(object.as_ptr())) }
}

/// The bytes of a leaf, to be copied: for an array those from its lowest address to its highest, for any
/// other object its contiguous buffer; of these a part, where the leaf is `(object, offset, nbytes)`.
pub(super) struct Leaf<'py> {
    start: NonNull<u8>,
    nbytes: usize,
    /// What keeps the bytes where they are.
    _view: Option<View>,
    _owner: Bound<'py, PyAny>,
}

impl<'py> Leaf<'py> {
    pub(super) fn of(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        // Most leaves are no tuples, and a failed extraction makes an exception.
        let part = given.cast::<PyTuple>().ok();
        let part = part.and_then(|part| part.extract::<(Bound<'py, PyAny>, usize, usize)>().ok());
        let Some((object, offset, nbytes)) = part else { return Self::whole(given) };
        let mut leaf = Self::whole(&object)?;
        if offset.checked_add(nbytes).is_none_or(|end| end > leaf.nbytes) {
            let given = format!("bytes {offset} and {nbytes} on, of {}", leaf.nbytes);
            return Err(value_error("leaves", "parts inside their objects", given));
        }
        // SAFETY: inside the object's bytes, as just checked.
        leaf.start = unsafe { leaf.start.add(offset) };
        leaf.nbytes = nbytes;
        Ok(leaf)
    }

    fn whole(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let owner = object.clone();
        if let Some((start, nbytes)) = crate::marshal::memory_of(object) {
            return Ok(Self { start, nbytes, _view: None, _owner: owner });
        }
        let view = View::of("data", object)?;
        Ok(Self { start: view.start(), nbytes: view.nbytes(), _view: Some(view), _owner: owner })
    }

    pub(super) fn address(&self) -> usize {
        self.start.as_ptr() as usize
    }

    pub(super) fn nbytes(&self) -> usize {
        self.nbytes
    }

    pub(super) fn source(&self) -> passband_arena::Source<'_> {
        // SAFETY: the view or the array keeps the bytes where they are for as long as the leaf lives.
        unsafe { passband_arena::Source::from_raw(self.start, self.nbytes) }
    }
}

/// A new descriptor of what the caller's leads to.
pub(super) fn duplicate(fd: RawFd) -> PyResult<OwnedFd> {
    if fd < 0 {
        return Err(value_error("fd", "an open descriptor", fd));
    }
    // SAFETY: borrowed for this call; one that is not open only leads to an error.
    Ok(unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned()?)
}
