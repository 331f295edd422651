//! Arrays as bytes, and bytes as arrays of any type, shape and order.

#![allow(unsafe_code)]

use super::array::{Array, ndarray};
use super::error::value_error;
use numpy::npyffi::{self, NPY_ARRAY_WRITEABLE, NPY_TYPES, PY_ARRAY_API};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::ffi;
use pyo3::prelude::*;
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null_mut};

/// The bytes of an `ndarray`, from its lowest address to its highest; `None` for anything else, and where
/// elements are references, whose bytes are nobody's business.
pub(crate) fn memory_of(object: &Bound<'_, PyAny>) -> Option<(NonNull<u8>, usize)> {
    let array = Array::of(object).filter(|array| !array.descr().has_object())?;
    let (shape, strides) = array.layout();
    if shape.contains(&0) {
        return Some((array.start(), 0));
    }
    let (mut low, mut high) = (0isize, array.item_size() as isize);
    for (len, stride) in shape.iter().zip(strides) {
        let reach = (len - 1) * stride;
        if reach < 0 { low += reach } else { high += reach }
    }
    // SAFETY: NumPy keeps all elements inside one allocation.
    Some((unsafe { array.start().offset(low) }, (high - low) as usize))
}

/// A new array of any type over a part of `memory`, which `base` keeps; `base` is its base itself.
///
/// # Safety
///
/// `memory` is a start and a number of bytes that `base` keeps in place for as long as it lives, and that
/// may be written if `writable`.
pub(crate) unsafe fn new_view<'py>(
    base: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyArrayDescr>,
    shape: &[isize],
    strides: Option<&[isize]>,
    memory: (NonNull<u8>, usize),
    offset: usize,
    writable: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = base.py();
    // SAFETY: reads the size of an alive descriptor.
    let item = unsafe { npyffi::PyDataType_ELSIZE(py, dtype.as_ptr().cast()) };
    if !inside(shape, strides, item, offset, memory.1) || dtype.has_object() {
        let given = format!("{} of shape {shape:?} at {offset} in {} bytes", dtype, memory.1);
        return Err(value_error("shape", "elements without references, inside the export", given));
    }
    let mut shape = shape.to_vec();
    let mut strides = strides.map(<[isize]>::to_vec);
    let flags = if writable { NPY_ARRAY_WRITEABLE } else { 0 };
    // SAFETY: all elements lie in `memory`, as checked; the call steals the reference to the descriptor,
    // reads the lengths and strides, and returns a new array or null with an exception set. The second
    // steals the reference to the base of an array that has none yet.
    unsafe {
        ffi::Py_INCREF(dtype.as_ptr());
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            ndarray(py),
            dtype.as_ptr().cast(),
            shape.len() as i32,
            shape.as_mut_ptr(),
            strides.as_mut().map_or(null_mut(), Vec::as_mut_ptr),
            memory.0.as_ptr().add(offset).cast(),
            flags,
            null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        match PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), base.clone().into_ptr()) {
            0 => Ok(array),
            _ => Err(PyErr::fetch(py)),
        }
    }
}

/// Whether all elements of an array at `offset` lie in `nbytes` bytes.
fn inside(shape: &[isize], strides: Option<&[isize]>, item: isize, offset: usize, nbytes: usize) -> bool {
    let reaches = || {
        let (mut low, mut high, mut dense) = (0isize, item, item);
        if strides.is_some_and(|strides| strides.len() != shape.len()) || item < 0 {
            return None;
        }
        for (axis, &len) in shape.iter().enumerate().rev() {
            let stride = strides.map_or(dense, |strides| strides[axis]);
            dense = dense.checked_mul(len)?;
            let reach = len.checked_sub(1)?.checked_mul(stride)?;
            if reach < 0 { low = low.checked_add(reach)? } else { high = high.checked_add(reach)? }
        }
        let offset = isize::try_from(offset).ok()?;
        Some((offset.checked_add(low)?, offset.checked_add(high)?))
    };
    let empty = shape.contains(&0) && shape.iter().all(|&len| len >= 0) && offset <= nbytes;
    empty
        || shape.iter().all(|&len| len > 0)
            && reaches().is_some_and(|(low, high)| low >= 0 && high as usize <= nbytes)
}

/// The type numbers of NumPy's own numbers, from `bool` to `clongdouble`, and `half`.
const HALF: u8 = 23;
const LAST: u8 = 16;

/// The type number, lengths and writability of an `ndarray` of numbers in this machine's byte order, in
/// order and without gaps; `None` for anything else.
pub(crate) fn plain_array<'a>(object: &'a Bound<'_, PyAny>) -> Option<(u8, &'a [isize], bool)> {
    let array = Array::of(object).filter(|array| array.is_plain && array.is_contiguous())?;
    let descr = array.descr();
    let number = u8::try_from(descr.num()).ok().filter(|number| *number <= LAST || *number == HALF)?;
    // Of a number type that is not this machine's own, the descriptor is another.
    let own = number_type(object.py(), number)?;
    own.is(&descr).then(|| (number, array.layout().0, array.is_writeable()))
}

/// NumPy's own descriptor of a number type.
pub(crate) fn number_type(py: Python<'_>, number: u8) -> Option<Bound<'_, PyArrayDescr>> {
    if number > LAST && number != HALF {
        return None;
    }
    // SAFETY: the number is that of a builtin type, whose descriptor is returned as a new reference.
    unsafe {
        let descr = PY_ARRAY_API.PyArray_DescrFromType(py, i32::from(number));
        Some(Bound::from_owned_ptr_or_opt(py, descr.cast())?.cast_into_unchecked())
    }
}

/// A new array of bytes in memory of its own, which `fill` writes, once.
pub(crate) fn new_octets(
    py: Python<'_>,
    nbytes: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> PyResult<()>,
) -> PyResult<Bound<'_, PyAny>> {
    let mut shape = [nbytes as isize];
    // SAFETY: a new array of bytes, or null with an exception set; its memory is seen by nobody else
    // until it is filled.
    unsafe {
        let array = PY_ARRAY_API.PyArray_New(
            py,
            ndarray(py),
            1,
            shape.as_mut_ptr(),
            NPY_TYPES::NPY_UBYTE as i32,
            null_mut(),
            null_mut(),
            0,
            0,
            null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        let start = memory_of(&array).map_or(NonNull::dangling(), |(start, _)| start);
        fill(std::slice::from_raw_parts_mut(start.as_ptr().cast(), nbytes))?;
        Ok(array)
    }
}
