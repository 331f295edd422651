//! NumPy's memory as slices: the only place that reads or writes it.

#![allow(unsafe_code)]

use super::dtype::Dtype;
use super::error::{changed, overflow_error};
use numpy::npyffi::objects::{_PyArray_GET_ITEM_DATA, PyArrayObject, PyArrayObject_fields};
use numpy::npyffi::{self, NpyTypes, PY_ARRAY_API, PyArray_Dims, npy_intp};
use numpy::npyffi::{NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, NPY_ORDER};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::borrow::Cow;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The type `numpy.ndarray`.
#[inline(always)]
fn ndarray(py: Python<'_>) -> *mut ffi::PyTypeObject {
    static NDARRAY: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(null_mut());
    let known = NDARRAY.load(Ordering::Relaxed);
    if !known.is_null() {
        return known;
    }
    // SAFETY: reads NumPy's table of types, which is loaded on first use and stays.
    let found = unsafe { npyffi::get_type_object(py, NpyTypes::PyArray_Type) };
    NDARRAY.store(found, Ordering::Relaxed);
    found
}

/// An `ndarray` as an argument, before anything about it is known.
#[derive(Clone, Copy)]
pub(super) struct Array<'a, 'py> {
    pub(super) object: &'a Bound<'py, PyAny>,
    fields: &'a PyArrayObject_fields,
    /// Whether it is an `ndarray` itself and not of a subclass.
    pub(super) is_plain: bool,
}

/// Where the data are; an empty array may have none, and its slice still has to be aligned.
#[inline]
fn start(fields: &PyArrayObject_fields) -> NonNull<u8> {
    NonNull::new(fields.data.cast()).unwrap_or(NonNull::<u128>::dangling().cast())
}

impl<'a, 'py> Array<'a, 'py> {
    /// `None` for anything but an `ndarray` or a subclass.
    #[inline(always)]
    pub(super) fn of(object: &'a Bound<'py, PyAny>) -> Option<Self> {
        // SAFETY: the object is alive; the check proves that it starts with NumPy's struct, whose
        // fields do not change while this thread holds the interpreter lock and runs no Python.
        unsafe {
            let (own, ndarray) = (ffi::Py_TYPE(object.as_ptr()), ndarray(object.py()));
            let is_plain = own == ndarray;
            if !is_plain && ffi::PyType_IsSubtype(own, ndarray) == 0 {
                return None;
            }
            let fields = &*_PyArray_GET_ITEM_DATA(object.as_ptr().cast::<PyArrayObject>());
            Some(Self { object, fields, is_plain })
        }
    }

    #[inline]
    pub(super) fn dimensions(self) -> usize {
        self.fields.nd as usize
    }

    /// The length of a one-dimensional array.
    #[inline]
    pub(super) fn len(self) -> Option<usize> {
        // SAFETY: with one dimension, `dimensions` points to its length.
        (self.fields.nd == 1).then(|| unsafe { *self.fields.dimensions as usize })
    }

    #[inline]
    pub(super) fn is_contiguous(self) -> bool {
        self.fields.flags & NPY_ARRAY_C_CONTIGUOUS != 0
    }

    #[inline]
    pub(super) fn is_writeable(self) -> bool {
        self.fields.flags & NPY_ARRAY_WRITEABLE != 0
    }

    #[inline]
    pub(super) fn is_aligned(self, dtype: &Dtype) -> bool {
        self.fields.data.addr() & (dtype.align - 1) == 0
    }

    /// Whether the elements are exactly those of `dtype`: kind, item size and byte order.
    #[inline(always)]
    pub(super) fn holds(self, dtype: &Dtype) -> bool {
        let (own, other) = (self.fields.descr, dtype.descr.as_ptr().cast());
        // SAFETY: both are alive descriptors, borrowed for the comparison.
        own == other || unsafe { PY_ARRAY_API.PyArray_EquivTypes(self.object.py(), own, other) != 0 }
    }

    /// Whether it is of a class or a subclass; unlike `isinstance`, this runs no Python code.
    pub(super) fn is_of(self, class: &Bound<'py, PyType>) -> bool {
        // SAFETY: both types are alive.
        unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(self.object.as_ptr()), class.as_ptr().cast()) != 0 }
    }

    /// Its samples, where it holds `dtype` in one dimension, in order and aligned.
    #[inline(always)]
    pub(super) fn samples(self, dtype: &Dtype) -> Option<Samples<'a, 'py>> {
        let len = self.len()?;
        let fits = self.is_contiguous() && self.is_aligned(dtype) && self.holds(dtype);
        fits.then(|| Samples {
            data: start(self.fields),
            len,
            bytes: len * dtype.size,
            object: Cow::Borrowed(self.object),
        })
    }
}

/// A new plain array over `data`, or with null over memory of its own, its elements unset.
///
/// # Safety
///
/// `data` is null or points to `len` writeable elements of `dtype` that outlive the array.
#[inline(always)]
unsafe fn new_array<'py>(
    py: Python<'py>,
    dtype: &Dtype,
    len: usize,
    data: *mut u8,
) -> PyResult<Bound<'py, PyAny>> {
    let mut dims = [len as npy_intp];
    let flags = if data.is_null() { 0 } else { NPY_ARRAY_WRITEABLE };
    // SAFETY: the call steals the reference to the descriptor that is made for it, reads one
    // dimension, and returns a new array or null with an exception set.
    unsafe {
        let descr = dtype.descr.as_ptr();
        ffi::Py_INCREF(descr);
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            ndarray(py),
            descr.cast(),
            1,
            dims.as_mut_ptr(),
            null_mut(),
            data.cast(),
            flags,
            null_mut(),
        );
        Bound::from_owned_ptr_or_err(py, array)
    }
}

/// A one-dimensional array of known type, in order and aligned, kept alive.
pub(crate) struct Samples<'a, 'py> {
    pub(super) object: Cow<'a, Bound<'py, PyAny>>,
    data: NonNull<u8>,
    pub(super) len: usize,
    bytes: usize,
}

/// How an input and an output lie to each other.
pub(super) enum Slices<'a> {
    Apart(&'a [u8], &'a mut [u8]),
    Same(&'a mut [u8]),
    Overlapping,
}

impl<'py> Samples<'_, 'py> {
    /// A new array, its elements unset.
    #[inline(always)]
    pub(super) fn new(py: Python<'py>, dtype: &Dtype, len: usize) -> PyResult<Self> {
        let bytes = len.checked_mul(dtype.size).filter(|bytes| isize::try_from(*bytes).is_ok());
        let Some(bytes) = bytes else {
            let most = isize::MAX as usize / dtype.size;
            return Err(overflow_error("out", &format!("at most {most} samples"), len));
        };
        // SAFETY: the array owns its data, which are where its struct says.
        unsafe {
            let object = new_array(py, dtype, len, null_mut())?;
            let fields = &*_PyArray_GET_ITEM_DATA(object.as_ptr().cast::<PyArrayObject>());
            let data = start(fields);
            Ok(Self { object: Cow::Owned(object), data, len, bytes })
        }
    }

    /// A plain view of the first `len` samples, by which no Python code of a subclass runs.
    pub(super) fn view(&self, dtype: &Dtype, len: usize) -> PyResult<Bound<'py, PyAny>> {
        assert!(len <= self.len);
        let py = self.object.py();
        // SAFETY: the data hold at least `len` samples and live as long as the array, which the
        // view keeps: the call steals the reference to it.
        unsafe {
            let view = new_array(py, dtype, len, self.data.as_ptr())?;
            let base = self.object.clone().into_owned().into_ptr();
            match PY_ARRAY_API.PyArray_SetBaseObject(py, view.as_ptr().cast(), base) {
                0 => Ok(view),
                _ => Err(PyErr::fetch(py)),
            }
        }
    }

    /// The same, keeping the array alive by itself.
    pub(super) fn into_owned(self) -> Samples<'py, 'py> {
        Samples { object: Cow::Owned(self.object.into_owned()), ..self }
    }

    /// Gives the memory after the first `len` samples back. Only for an array of
    /// [`new`](Self::new) that nobody else has seen.
    pub(super) fn trim(self, len: usize) -> PyResult<Bound<'py, PyAny>> {
        let mut lengths = [len as npy_intp];
        let mut dims = PyArray_Dims { ptr: lengths.as_mut_ptr(), len: 1 };
        let (py, array) = (self.object.py(), self.object.as_ptr().cast());
        // SAFETY: the array owns its memory and has no other reference, so that it may move it;
        // `self` and its pointer end here. The result is `None`, a new reference, or null.
        unsafe {
            let order = NPY_ORDER::NPY_CORDER;
            let none = PY_ARRAY_API.PyArray_Resize(py, array, &raw mut dims, 0, order);
            Bound::from_owned_ptr_or_err(py, none)?;
        }
        Ok(self.object.into_owned())
    }

    /// Whether the array is still as it was found: Python code that ran since may have changed it.
    #[inline(always)]
    fn is_current(&self) -> bool {
        let py = self.object.py();
        Array::of(&self.object).is_some_and(|array| {
            // SAFETY: the descriptor of an alive array is alive.
            let size = unsafe { npyffi::PyDataType_ELSIZE(py, array.fields.descr) };
            let same = start(array.fields) == self.data && array.len() == Some(self.len);
            same && array.is_contiguous() && self.len * size as usize == self.bytes
        })
    }

    fn start(&self) -> usize {
        self.data.addr().get()
    }

    /// The samples as bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the array is alive and holds this many contiguous bytes of plain numbers.
        // Nothing writes them while the slice lives: Python code cannot run under the interpreter
        // lock, and when it is released, writing is documented as the caller's fault.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.bytes) }
    }

    /// The samples as bytes to write.
    #[inline(always)]
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`; the array is new or was found writeable, and no other slice of
        // it exists (`slices` rules out an input over the same memory).
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.bytes) }
    }

    /// Both as slices that never cover the same bytes. `out` was found last, no Python code having
    /// run since.
    #[inline(always)]
    pub(super) fn slices<'b>(x: &'b Samples<'_, 'py>, out: &'b mut Self) -> PyResult<Slices<'b>> {
        if !x.is_current() {
            return Err(changed());
        }
        let (from, to) = (x.start(), out.start());
        Ok(if from == to && x.bytes == out.bytes && x.bytes > 0 {
            Slices::Same(out.bytes_mut())
        } else if x.bytes > 0 && out.bytes > 0 && from < to + out.bytes && to < from + x.bytes {
            Slices::Overlapping
        } else {
            Slices::Apart(x.bytes(), out.bytes_mut())
        })
    }
}

/// One sample as a NumPy scalar.
#[inline]
pub(super) fn scalar<'py>(py: Python<'py>, dtype: &Dtype, sample: &mut [u8]) -> PyResult<Bound<'py, PyAny>> {
    assert_eq!(sample.len(), dtype.size);
    let (data, descr) = (sample.as_mut_ptr().cast(), dtype.descr.as_ptr().cast());
    // SAFETY: `data` holds one element of the descriptor's type, which is copied.
    unsafe { Bound::from_owned_ptr_or_err(py, PY_ARRAY_API.PyArray_Scalar(py, data, descr, null_mut())) }
}

/// Reads a NumPy scalar of exactly this type; `false` where it is something else.
#[inline]
pub(super) fn read_scalar(object: &Bound<'_, PyAny>, dtype: &Dtype, sample: &mut [u8]) -> bool {
    assert_eq!(sample.len(), dtype.size);
    // SAFETY: the descriptor is alive and names its scalar type, whose instances hold one element
    // of the descriptor's size; `sample` has that size.
    unsafe {
        let descr = dtype.descr.as_ptr().cast::<npyffi::objects::PyArray_Descr>();
        let fields = &*npyffi::objects::_PyDataType_GET_ITEM_DATA(descr);
        let same = ffi::Py_TYPE(object.as_ptr()) == fields.typeobj;
        if same {
            PY_ARRAY_API.PyArray_ScalarAsCtype(object.py(), object.as_ptr(), sample.as_mut_ptr().cast());
        }
        same
    }
}
