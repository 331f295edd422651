//! NumPy's memory as slices: the only place that reads or writes it.

#![allow(unsafe_code)]

use super::array::{Array, ndarray};
use super::dtype::Dtype;
use super::error::{changed, outs_overlap, overflow_error, overlaps};
use numpy::npyffi::objects::{_PyArray_GET_ITEM_DATA, PyArrayObject};
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NPY_ORDER, PY_ARRAY_API, PyArray_Dims, npy_intp};
use pyo3::ffi;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::ptr::{NonNull, null_mut};

/// A new plain array over `data`, or with null over memory of its own, its elements unset.
///
/// # Safety
///
/// `data` is null or points to elements of `dtype` in this shape and with these strides in bytes,
/// in order without, that outlive the array and may be written if `flags` say so.
#[inline(always)]
unsafe fn new_array<'py, const D: usize>(
    py: Python<'py>,
    dtype: &Dtype,
    shape: [usize; D],
    strides: Option<[usize; D]>,
    data: *mut u8,
    flags: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let mut shape = shape.map(|len| len as npy_intp);
    let mut strides = strides.map(|strides| strides.map(|stride| stride as npy_intp));
    // SAFETY: the call steals the reference to the descriptor that is made for it, reads `D`
    // lengths and strides, and returns a new array or null with an exception set.
    unsafe {
        let descr = dtype.descr.as_ptr();
        ffi::Py_INCREF(descr);
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            ndarray(py),
            descr.cast(),
            D as i32,
            shape.as_mut_ptr(),
            strides.as_mut().map_or(null_mut(), |strides| strides.as_mut_ptr()),
            data.cast(),
            flags,
            null_mut(),
        );
        Bound::from_owned_ptr_or_err(py, array)
    }
}

/// Makes `base` what keeps the memory of `array` alive.
fn keep<'py>(array: Bound<'py, PyAny>, base: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the array is new and has no base yet; the call steals the reference to `base`.
    match unsafe { PY_ARRAY_API.PyArray_SetBaseObject(array.py(), array.as_ptr().cast(), base.into_ptr()) } {
        0 => Ok(array),
        _ => Err(PyErr::fetch(array.py())),
    }
}

#[cold]
fn too_long(shape: &[usize], dtype: &Dtype) -> PyErr {
    let most = isize::MAX as usize / dtype.size;
    let given = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
    overflow_error("out", &format!("at most {most} samples"), given)
}

/// A read-only array over `memory`, elements of `dtype` that `owner` keeps where they are for its
/// whole life.
pub(super) fn lent<'py>(
    owner: &Bound<'py, PyAny>,
    dtype: &Dtype,
    memory: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    let (len, data) = (memory.len() / dtype.size, memory.as_ptr().cast_mut());
    // SAFETY: the data are there as long as `owner`, which the array keeps. Nobody writes through
    // the array. The kernel does, but never while the array can be read: its class does not release
    // the interpreter lock.
    let array = unsafe { new_array(owner.py(), dtype, [len], None, data, 0)? };
    keep(array, owner.clone())
}

/// An array of known type in `D` dimensions, in order and aligned, kept alive.
pub(crate) struct Samples<'a, 'py, const D: usize = 1> {
    pub(super) object: Cow<'a, Bound<'py, PyAny>>,
    data: NonNull<u8>,
    pub(super) shape: [usize; D],
    bytes: usize,
}

/// How an input and an output lie to each other.
pub(super) enum Slices<'a> {
    Apart(&'a [u8], &'a mut [u8]),
    Same(&'a mut [u8]),
    Overlapping,
}

/// Inputs and outputs that have no bytes in common.
type Apart<'a, const I: usize, const O: usize> = ([&'a [u8]; I], [&'a mut [u8]; O]);

impl<'a, 'py> Array<'a, 'py> {
    /// Its samples, where it holds `dtype` in `D` dimensions, in order and aligned.
    #[inline(always)]
    pub(super) fn samples<const D: usize>(self, dtype: &Dtype) -> Option<Samples<'a, 'py, D>> {
        let shape = self.shape()?;
        let fits = self.is_contiguous() && self.is_aligned(dtype) && self.holds(dtype);
        fits.then(|| Samples::of(self, shape, dtype))
    }
}

impl<'a, 'py, const D: usize> Samples<'a, 'py, D> {
    /// Those of an array that holds `dtype` in this shape, in order and aligned.
    #[inline(always)]
    pub(super) fn of(array: Array<'a, 'py>, shape: [usize; D], dtype: &Dtype) -> Self {
        Self {
            object: Cow::Borrowed(array.object),
            data: array.start(),
            shape,
            bytes: shape.iter().product::<usize>() * dtype.size,
        }
    }

    /// A new array, its elements unset.
    #[inline(always)]
    pub(super) fn new(py: Python<'py>, dtype: &Dtype, shape: [usize; D]) -> PyResult<Self> {
        let bytes = shape.iter().try_fold(dtype.size, |bytes, len| bytes.checked_mul(*len));
        let Some(bytes) = bytes.filter(|bytes| isize::try_from(*bytes).is_ok()) else {
            return Err(too_long(&shape, dtype));
        };
        // SAFETY: the array owns its data, which are where its struct says.
        unsafe {
            let object = new_array(py, dtype, shape, None, null_mut(), 0)?;
            let fields = &*_PyArray_GET_ITEM_DATA(object.as_ptr().cast::<PyArrayObject>());
            let data = NonNull::new(fields.data.cast()).unwrap_or(NonNull::<u128>::dangling().cast());
            Ok(Self { object: Cow::Owned(object), data, shape, bytes })
        }
    }

    /// The number of elements.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// A plain view of the first elements along each axis, by which no Python code of a subclass
    /// runs.
    pub(super) fn view(&self, dtype: &Dtype, shape: [usize; D]) -> PyResult<Bound<'py, PyAny>> {
        assert!(shape.iter().zip(&self.shape).all(|(len, own)| len <= own));
        let mut stride = dtype.size;
        let mut strides = self.shape;
        for (own, len) in strides.iter_mut().zip(self.shape).rev() {
            *own = stride;
            stride *= len;
        }
        let (py, data) = (self.object.py(), self.data.as_ptr());
        // SAFETY: the data hold these elements of the array's own, which the view keeps; they were
        // found writeable.
        let view = unsafe { new_array(py, dtype, shape, Some(strides), data, NPY_ARRAY_WRITEABLE)? };
        keep(view, self.object.clone().into_owned())
    }

    /// The same, keeping the array alive by itself.
    pub(super) fn into_owned(self) -> Samples<'py, 'py, D> {
        Samples { object: Cow::Owned(self.object.into_owned()), ..self }
    }

    /// Whether the array is still as it was found: Python code that ran since may have changed it.
    #[inline(always)]
    fn is_current(&self) -> bool {
        Array::of(&self.object).is_some_and(|array| {
            let same = array.start() == self.data && array.shape() == Some(self.shape);
            same && array.is_contiguous() && self.len() * array.item_size() == self.bytes
        })
    }

    fn start(&self) -> usize {
        self.data.addr().get()
    }

    /// Whether both have bytes in common.
    #[inline(always)]
    fn overlaps(&self, other: &Samples<'_, 'py, D>) -> bool {
        let (a, b) = (self.start(), other.start());
        self.bytes > 0 && other.bytes > 0 && a < b + other.bytes && b < a + self.bytes
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
        // it exists (`slices` and `apart` rule out an input over the same memory).
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.bytes) }
    }

    /// Inputs, by name, and outputs as slices that never cover the same bytes.
    pub(super) fn apart<'b, const I: usize, const O: usize>(
        inputs: [(&str, &'b Samples<'_, 'py, D>); I],
        outputs: [&'b mut Self; O],
    ) -> PyResult<Apart<'b, I, O>> {
        if let Some((name, _)) = inputs.iter().find(|(_, x)| !x.is_current()) {
            return Err(changed(name));
        }
        if !outputs.iter().all(|out| out.is_current()) {
            return Err(changed("out"));
        }
        for (i, out) in outputs.iter().enumerate() {
            if let Some((name, _)) = inputs.iter().find(|(_, x)| out.overlaps(x)) {
                return Err(overlaps(name));
            }
            if outputs.iter().skip(i + 1).any(|other| out.overlaps(other)) {
                return Err(outs_overlap());
            }
        }
        Ok((inputs.map(|(_, x)| x.bytes()), outputs.map(Self::bytes_mut)))
    }
}

impl<'py> Samples<'_, 'py> {
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

    /// Whether it may be state that a kernel shows to Python, which nobody else can write.
    #[inline(always)]
    pub(super) fn is_read_only(&self) -> bool {
        Array::of(&self.object).is_some_and(|array| !array.is_writeable())
    }

    /// A copy of the samples.
    #[cold]
    pub(super) fn copied(&self, dtype: &Dtype) -> PyResult<Samples<'py, 'py>> {
        let mut copy = Samples::new(self.object.py(), dtype, self.shape)?;
        copy.bytes_mut().copy_from_slice(self.bytes());
        Ok(copy)
    }

    /// Both as slices that never cover the same bytes. `out` was found last, no Python code having
    /// run since.
    #[inline(always)]
    pub(super) fn slices<'b>(x: &'b Samples<'_, 'py>, out: &'b mut Self) -> PyResult<Slices<'b>> {
        if !x.is_current() {
            return Err(changed("x"));
        }
        Ok(if x.start() == out.start() && x.bytes == out.bytes && x.bytes > 0 {
            Slices::Same(out.bytes_mut())
        } else if x.overlaps(out) {
            Slices::Overlapping
        } else {
            Slices::Apart(x.bytes(), out.bytes_mut())
        })
    }
}
