//! Where results go: a new array of NumPy's, or the caller's `out`.

use super::array::{Array, Samples};
use super::dtype::Dtype;
use super::error::{given, type_error, value_error};
use super::input::is_masked;
use pyo3::prelude::*;

/// The array that a call writes to.
pub(super) struct Output<'a, 'py> {
    pub(super) samples: Samples<'a, 'py>,
    is_callers: bool,
}

impl<'a, 'py> Output<'a, 'py> {
    /// `out`, or without it a new array of `needed` elements.
    #[inline(always)]
    pub(super) fn new(
        py: Python<'py>,
        out: Option<&'a Bound<'py, PyAny>>,
        dtype: &Dtype,
        needed: usize,
    ) -> PyResult<Self> {
        let Some(out) = out else {
            let samples = Samples::new(py, dtype, needed)?;
            return Ok(Self { samples, is_callers: false });
        };
        let samples = checked(out, dtype)?;
        if samples.len < needed {
            return Err(value_error("out", &format!("at least {needed} elements"), samples.len));
        }
        Ok(Self { samples, is_callers: true })
    }

    /// The result of `produced` elements: `out` itself where it is filled exactly, else a view of
    /// its first elements; a new array is trimmed in place.
    #[inline(always)]
    pub(super) fn finish(self, dtype: &Dtype, produced: usize) -> PyResult<Bound<'py, PyAny>> {
        if produced == self.samples.len {
            Ok(self.samples.object.into_owned())
        } else if self.is_callers {
            self.samples.view(dtype, produced)
        } else {
            self.samples.trim(produced)
        }
    }
}

/// The caller's `out`, if it can take elements of `dtype` as it is.
#[inline(always)]
pub(super) fn checked<'a, 'py>(out: &'a Bound<'py, PyAny>, dtype: &Dtype) -> PyResult<Samples<'a, 'py>> {
    let array = Array::of(out);
    if let Some(array) = array.filter(|array| array.is_writeable() && array.is_plain)
        && let Some(samples) = array.samples(dtype)
    {
        return Ok(samples);
    }
    match array {
        Some(array) => unusual(array, dtype),
        None => Err(type_error("out", "a numpy.ndarray", &given(out))),
    }
}

/// A subclass, or an array to refuse.
#[cold]
fn unusual<'a, 'py>(array: Array<'a, 'py>, dtype: &Dtype) -> PyResult<Samples<'a, 'py>> {
    let py = array.object.py();
    let refuse = |expected: &str, given: &str| Err(type_error("out", expected, given));
    if is_masked(array)? {
        return refuse("an array without a mask", "a masked array");
    }
    if !array.holds(dtype) {
        let expected = format!("an array with dtype={}", dtype.describe(py));
        return refuse(&expected, &format!("dtype={}", array.object.getattr("dtype")?));
    }
    if !array.is_contiguous() {
        return refuse("a C-contiguous array", "a strided or Fortran-ordered one");
    }
    if !array.is_writeable() {
        return refuse("a writeable array", "a read-only one");
    }
    if !array.is_aligned(dtype) {
        return refuse(&format!("an array aligned to {} bytes", dtype.align), "a misaligned one");
    }
    let dimensions = array.dimensions();
    array.samples(dtype).ok_or_else(|| value_error("out", "1 dimension", dimensions))
}
