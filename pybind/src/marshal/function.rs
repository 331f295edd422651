//! Pure functions: results from nothing but arguments, under the same rules as calls.

use super::call::guarded;
use super::dtype::Dtype;
use super::error::{checked, overlaps};
use super::output::Output;
use super::samples::{Samples, Slices};
use bytemuck::{cast_slice, cast_slice_mut};
use passband_kernels::sample::Sample;
use pyo3::prelude::*;

/// The estimated work of a function per sample.
const NS_PER_SAMPLE: f64 = 1.0;

/// One output per sample of `x`; `f` tells how many it gave.
pub(crate) fn map<'py, X: Sample, Y: Sample>(
    name: &str,
    x: &Samples<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
    f: impl FnOnce(&[X], &mut [Y]) -> usize + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.object.py();
    let dtype = Dtype::sample::<Y>(py)?;
    let mut out = Output::new(py, out, &dtype, x.len())?;
    let Slices::Apart(from, to) = Samples::slices(x, &mut out.samples)? else {
        return Err(overlaps("x"));
    };
    let (from, to) = (cast_slice(from), cast_slice_mut(to));
    let made = guarded(py, name, x.len() as f64 * NS_PER_SAMPLE, || f(from, to))?;
    out.finish(&dtype, checked(name, "outputs", made, x.len())?)
}

/// `n` outputs.
pub(crate) fn fill<'py, Y: Sample>(
    py: Python<'py>,
    name: &str,
    n: usize,
    out: Option<&Bound<'py, PyAny>>,
    f: impl FnOnce(&mut [Y]) + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = Dtype::sample::<Y>(py)?;
    let mut out = Output::new(py, out, &dtype, n)?;
    let to: &mut [Y] = cast_slice_mut(out.samples.bytes_mut());
    let to = to.get_mut(..n).unwrap_or_default();
    guarded(py, name, n as f64 * NS_PER_SAMPLE, || f(to))?;
    out.finish(&dtype, n)
}
