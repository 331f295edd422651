//! Pure functions: results from nothing but arguments, under the same rules as calls.

use super::array::scalar;
use super::call::{first, guarded};
use super::dtype::Dtype;
use super::error::{checked, overlaps};
use super::output::{Output, pair, possible};
use super::samples::{Samples, Slices};
use bytemuck::{cast_slice, cast_slice_mut};
use passband_kernels::sample::Sample;
use passband_kernels::shape::Record;
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
    let dtype = Dtype::sample::<Y>(x.object.py())?;
    over(name, x, out, &dtype, x.len(), |x, out| f(cast_slice(x), cast_slice_mut(out)))
}

/// One output of `n`, for each sample of arguments of these names, which are as long; `f` tells how
/// many it gave.
pub(crate) fn map_several<'py, X: Sample, Y: Sample, const N: usize>(
    py: Python<'py>,
    name: &str,
    n: usize,
    inputs: [(&str, &Samples<'_, 'py>); N],
    out: Option<&Bound<'py, PyAny>>,
    f: impl FnOnce([&[X]; N], &mut [Y]) -> usize + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = Dtype::sample::<Y>(py)?;
    let mut out = Output::new(py, out, &dtype, n)?;
    let (from, [to]) = Samples::apart(inputs, [&mut out.samples])?;
    let to = first(to, &dtype, n);
    let run = || f(from.map(cast_slice), cast_slice_mut(to));
    let made = guarded(py, name, n as f64 * NS_PER_SAMPLE, run)?;
    out.finish(&dtype, checked(name, "outputs", made, n)?)
}

/// Two outputs per sample of `x`, in the tuple `out` or in new arrays; `f` tells how many it gave.
pub(crate) fn map_to_two<'py, X: Sample, Y: Sample>(
    name: &str,
    x: &Samples<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
    f: impl FnOnce(&[X], &mut [Y], &mut [Y]) -> usize + Send,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (py, n) = (x.object.py(), x.len());
    let (dtype, [one, two]) = (Dtype::sample::<Y>(py)?, pair(out)?);
    let mut one = Output::named("out[0]", py, one.as_ref(), &dtype, n)?;
    let mut two = Output::named("out[1]", py, two.as_ref(), &dtype, n)?;
    let ([x], [a, b]) = Samples::apart([("x", x)], [&mut one.samples, &mut two.samples])?;
    let (a, b) = (first(a, &dtype, n), first(b, &dtype, n));
    let run = || f(cast_slice(x), cast_slice_mut(a), cast_slice_mut(b));
    let made = guarded(py, name, n as f64 * NS_PER_SAMPLE, run)?;
    let made = checked(name, "outputs", made, n)?;
    Ok((one.finish(&dtype, made)?, two.finish(&dtype, made)?))
}

/// What `f` gives of `x`.
pub(crate) fn value_of<X: Sample, T: Send>(
    name: &str,
    x: &Samples<'_, '_>,
    f: impl FnOnce(&[X]) -> T + Send,
) -> PyResult<T> {
    let (py, work_ns) = (x.object.py(), x.len() as f64 * NS_PER_SAMPLE);
    let ([x], []) = Samples::apart([("x", x)], [])?;
    guarded(py, name, work_ns, || f(cast_slice(x)))
}

/// A sample as a NumPy scalar.
pub(crate) fn sample<Y: Sample>(py: Python<'_>, mut y: Y) -> PyResult<Bound<'_, PyAny>> {
    scalar(py, &Dtype::sample::<Y>(py)?, bytemuck::bytes_of_mut(&mut y))
}

/// The number that `f` gives of `a` and `b`, arguments of these names.
pub(crate) fn value_of_two<A: Sample, B: Sample, T: Send>(
    name: &str,
    inputs: [(&str, &Samples<'_, '_>); 2],
    f: impl FnOnce(&[A], &[B]) -> T + Send,
) -> PyResult<T> {
    let (py, work_ns) = (inputs[0].1.object.py(), inputs[0].1.len() as f64 * NS_PER_SAMPLE);
    let ([a, b], []) = Samples::apart(inputs, [])?;
    guarded(py, name, work_ns, || f(cast_slice(a), cast_slice(b)))
}

/// The records of `x`, at most `most`; `f` tells how many it gave.
pub(crate) fn find<'py, X: Sample, R: Record>(
    name: &str,
    x: &Samples<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
    most: usize,
    f: impl FnOnce(&[X], &mut [R]) -> usize + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = Dtype::record::<R>(x.object.py())?;
    over(name, x, out, &dtype, most, |x, out| f(cast_slice(x), cast_slice_mut(out)))
}

/// At most `most` outputs of `dtype`; `f` tells how many it gave.
fn over<'py>(
    name: &str,
    x: &Samples<'_, 'py>,
    out: Option<&Bound<'py, PyAny>>,
    dtype: &Dtype,
    most: usize,
    f: impl FnOnce(&[u8], &mut [u8]) -> usize + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.object.py();
    let mut out = Output::new(py, out, dtype, most)?;
    let Slices::Apart(from, to) = Samples::slices(x, &mut out.samples)? else {
        return Err(overlaps("x"));
    };
    let to = first(to, dtype, most);
    let made = guarded(py, name, x.len() as f64 * NS_PER_SAMPLE, || f(from, to))?;
    out.finish(dtype, checked(name, "outputs", made, most)?)
}

/// `n` outputs, as many as the argument `n` asks for.
pub(crate) fn fill<'py, Y: Sample>(
    py: Python<'py>,
    name: &str,
    n: usize,
    out: Option<&Bound<'py, PyAny>>,
    f: impl FnOnce(&mut [Y]) + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = Dtype::sample::<Y>(py)?;
    possible("n", n, out, &dtype)?;
    let mut out = Output::new(py, out, &dtype, n)?;
    let to: &mut [Y] = cast_slice_mut(out.samples.bytes_mut());
    let to = to.get_mut(..n).unwrap_or_default();
    guarded(py, name, n as f64 * NS_PER_SAMPLE, || f(to))?;
    out.finish(&dtype, n)
}
