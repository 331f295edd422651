//! Where results go: a new array of NumPy's, or the caller's `out`.

use super::array::Array;
use super::dtype::Dtype;
use super::error::{given, overflow_error, type_error, value_error};
use super::input::{dimensions, is_masked};
use super::samples::Samples;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyTupleMethods};

/// The array that a call writes to.
pub(super) struct Output<'a, 'py, const D: usize = 1> {
    pub(super) samples: Samples<'a, 'py, D>,
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
        Self::named("out", py, out, dtype, needed)
    }

    /// The same, called by another name in errors.
    #[inline(always)]
    pub(super) fn named(
        name: &str,
        py: Python<'py>,
        out: Option<&'a Bound<'py, PyAny>>,
        dtype: &Dtype,
        needed: usize,
    ) -> PyResult<Self> {
        let Some(out) = out else {
            let samples = Samples::new(py, dtype, [needed])?;
            return Ok(Self { samples, is_callers: false });
        };
        let samples: Samples<'_, '_> = checked(name, out, dtype)?;
        if samples.len() < needed {
            return Err(value_error(name, &format!("at least {needed} elements"), samples.len()));
        }
        Ok(Self { samples, is_callers: true })
    }

    /// The result of `produced` elements: `out` itself where it is filled exactly, else a view of
    /// its first elements; a new array is trimmed in place.
    #[inline(always)]
    pub(super) fn finish(self, dtype: &Dtype, produced: usize) -> PyResult<Bound<'py, PyAny>> {
        if produced == self.samples.len() {
            Ok(self.samples.object.into_owned())
        } else if self.is_callers {
            self.samples.view(dtype, [produced])
        } else {
            self.samples.trim(produced)
        }
    }
}

impl<'a, 'py> Output<'a, 'py, 2> {
    /// `out`, or without it a new array of the shape `needed`. Along the axis of time `out` may be
    /// longer.
    pub(super) fn grid(
        py: Python<'py>,
        out: Option<&'a Bound<'py, PyAny>>,
        dtype: &Dtype,
        needed: [usize; 2],
        time: usize,
    ) -> PyResult<Self> {
        let Some(out) = out else {
            let samples = Samples::new(py, dtype, needed)?;
            return Ok(Self { samples, is_callers: false });
        };
        let samples: Samples<'_, '_, 2> = checked("out", out, dtype)?;
        let [fits, other] = [time, 1 - time].map(|axis| samples.shape[axis].cmp(&needed[axis]));
        if fits.is_lt() || other.is_ne() {
            let mut expected = needed.map(|len| len.to_string());
            expected[time].insert_str(0, "at least ");
            let [rows, columns] = samples.shape;
            let expected = format!("shape ({})", expected.join(", "));
            return Err(value_error("out", &expected, format!("({rows}, {columns})")));
        }
        Ok(Self { samples, is_callers: true })
    }

    /// The result of the shape `needed`: `out` itself where it is filled exactly, else a view of its
    /// first elements along each axis.
    pub(super) fn finish(self, dtype: &Dtype, needed: [usize; 2]) -> PyResult<Bound<'py, PyAny>> {
        if self.is_callers && self.samples.shape != needed {
            return self.samples.view(dtype, needed);
        }
        Ok(self.samples.object.into_owned())
    }
}

/// Refuses a count, argument `name`, of elements that no new array can have.
pub(super) fn possible(
    name: &str,
    count: usize,
    out: Option<&Bound<'_, PyAny>>,
    dtype: &Dtype,
) -> PyResult<()> {
    let most = isize::MAX as usize / dtype.size;
    if out.is_some() || count <= most {
        Ok(())
    } else {
        Err(overflow_error(name, &format!("at most {most}"), count))
    }
}

/// The two arrays of an `out` that is a tuple.
pub(super) fn pair<'py>(out: Option<&Bound<'py, PyAny>>) -> PyResult<[Option<Bound<'py, PyAny>>; 2]> {
    let Some(out) = out else {
        return Ok([None, None]);
    };
    match out.cast::<PyTuple>() {
        Ok(tuple) if tuple.len() == 2 => Ok([Some(tuple.get_item(0)?), Some(tuple.get_item(1)?)]),
        Ok(tuple) => Err(type_error("out", "a tuple of 2 arrays", &format!("one of {}", tuple.len()))),
        Err(_) => Err(type_error("out", "a tuple of 2 arrays", &given(out))),
    }
}

/// The caller's `out`, if it can take elements of `dtype` as it is.
#[inline(always)]
pub(super) fn checked<'a, 'py, const D: usize>(
    name: &str,
    out: &'a Bound<'py, PyAny>,
    dtype: &Dtype,
) -> PyResult<Samples<'a, 'py, D>> {
    let array = Array::of(out);
    if let Some(array) = array.filter(|array| array.is_writeable() && array.is_plain)
        && let Some(samples) = array.samples(dtype)
    {
        return Ok(samples);
    }
    match array {
        Some(array) => unusual(name, array, dtype),
        None => Err(type_error(name, "a numpy.ndarray", &given(out))),
    }
}

/// A subclass, or an array to refuse.
#[cold]
fn unusual<'a, 'py, const D: usize>(
    name: &str,
    array: Array<'a, 'py>,
    dtype: &Dtype,
) -> PyResult<Samples<'a, 'py, D>> {
    let py = array.object.py();
    let refuse = |expected: &str, given: &str| Err(type_error(name, expected, given));
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
    let samples = array.samples(dtype);
    samples.ok_or_else(|| value_error(name, &dimensions(D), array.dimensions()))
}
