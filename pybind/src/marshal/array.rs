//! Arrays as arguments: what NumPy says about them, read from its own struct.

#![allow(unsafe_code)]

use super::dtype::Dtype;
use numpy::PyArrayDescr;
use numpy::npyffi::objects::{_PyArray_GET_ITEM_DATA, PyArrayObject, PyArrayObject_fields};
use numpy::npyffi::{self, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The type `numpy.ndarray`.
#[inline(always)]
pub(super) fn ndarray(py: Python<'_>) -> *mut ffi::PyTypeObject {
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

    /// The lengths of an array of `D` dimensions.
    #[inline(always)]
    pub(super) fn shape<const D: usize>(self) -> Option<[usize; D]> {
        // SAFETY: with `D` dimensions, `dimensions` points to `D` lengths.
        (self.dimensions() == D).then(|| unsafe { *self.fields.dimensions.cast::<[usize; D]>() })
    }

    /// The lengths and the strides in bytes of all dimensions.
    pub(super) fn layout(self) -> (&'a [isize], &'a [isize]) {
        let dimensions = self.dimensions();
        if dimensions == 0 {
            return (&[], &[]);
        }
        // SAFETY: an alive array has as many lengths and strides as dimensions.
        unsafe {
            let lengths = std::slice::from_raw_parts(self.fields.dimensions, dimensions);
            (lengths, std::slice::from_raw_parts(self.fields.strides, dimensions))
        }
    }

    /// Where the data are; an empty array may have none, and its slice still has to be aligned.
    #[inline]
    pub(super) fn start(self) -> NonNull<u8> {
        NonNull::new(self.fields.data.cast()).unwrap_or(NonNull::<u128>::dangling().cast())
    }

    pub(super) fn descr(self) -> Bound<'py, PyArrayDescr> {
        // SAFETY: the descriptor of an alive array is alive; this takes a reference to it.
        unsafe {
            let descr = self.fields.descr.cast();
            Bound::from_borrowed_ptr(self.object.py(), descr).cast_into_unchecked()
        }
    }

    /// Bytes of an element.
    #[inline]
    pub(super) fn item_size(self) -> usize {
        // SAFETY: the descriptor of an alive array is alive.
        unsafe { npyffi::PyDataType_ELSIZE(self.object.py(), self.fields.descr) as usize }
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
