//! Calls with two inputs, and calls with two outputs.

use super::array::scalar;
use super::call::{Kernel, first};
use super::error::{checked, value_error};
use super::input::{convert, read_one};
use super::output::{Output, pair};
use super::samples::Samples;
use pyo3::prelude::*;

/// Feeds all pairs of `x` and `d` and gives an output for each, in `out` or a new array.
pub(crate) fn call_two_inputs<'py>(
    kernel: &Kernel,
    x: &Bound<'py, PyAny>,
    d: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, spec) = (x.py(), &kernel.spec);
    let x = spec.input(x)?;
    let d: Samples<'_, '_> = convert("d", d, &spec.second, spec.hint)?;
    let n = x.len();
    if d.len() != n {
        return Err(value_error("d", &format!("as many samples as x, {n}"), d.len()));
    }
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let mut out = Output::new(py, out, &spec.output, n)?;
    let ([x, d], [to]) = Samples::apart([("x", &x), ("d", &d)], [&mut out.samples])?;
    let to = first(to, &spec.output, n);
    let progress = spec.run(py, n, || kernel.run_two_inputs(x, d, to))?;
    checked(spec.name, "unread inputs", n.saturating_sub(progress.consumed), 0)?;
    out.finish(&spec.output, checked(spec.name, "outputs", progress.produced, n)?)
}

/// One pair in, one NumPy scalar out.
pub(crate) fn step_two_inputs<'py>(
    kernel: &Kernel,
    x: &Bound<'py, PyAny>,
    d: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, spec) = (x.py(), &kernel.spec);
    let (mut from, mut other, mut to) = ([0u128; 1], [0u128; 1], [0u128; 1]);
    let from = first(bytemuck::cast_slice_mut(&mut from), &spec.input, 1);
    let other = first(bytemuck::cast_slice_mut(&mut other), &spec.second, 1);
    let to = first(bytemuck::cast_slice_mut(&mut to), &spec.output, 1);
    read_one("x", x, &spec.input, spec.hint, from)?;
    read_one("d", d, &spec.second, spec.hint, other)?;
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let progress = spec.run(py, 1, || kernel.run_two_inputs(from, other, to))?;
    checked(spec.name, "outputs", progress.produced, 1)?;
    scalar(py, &spec.output, to)
}

/// Feeds all of `x` and gives two outputs for each input, in the tuple `out` or in new arrays.
pub(crate) fn call_two_outputs<'py>(
    kernel: &Kernel,
    x: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (py, spec) = (x.py(), &kernel.spec);
    let x = spec.input(x)?;
    let n = x.len();
    let [one, other] = pair(out)?;
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let mut one = Output::named("out[0]", py, one.as_ref(), &spec.output, n)?;
    let mut other = Output::named("out[1]", py, other.as_ref(), &spec.second, n)?;
    let ([x], [a, b]) = Samples::apart([("x", &x)], [&mut one.samples, &mut other.samples])?;
    let to = [first(a, &spec.output, n), first(b, &spec.second, n)];
    let progress = spec.run(py, n, || kernel.run_two_outputs(x, to))?;
    checked(spec.name, "unread inputs", n.saturating_sub(progress.consumed), 0)?;
    let produced = checked(spec.name, "outputs", progress.produced, n)?;
    Ok((one.finish(&spec.output, produced)?, other.finish(&spec.second, produced)?))
}

/// One sample in, two NumPy scalars out.
pub(crate) fn step_two_outputs<'py>(
    kernel: &Kernel,
    x: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (py, spec) = (x.py(), &kernel.spec);
    let (mut from, mut one, mut other) = ([0u128; 1], [0u128; 1], [0u128; 1]);
    let from = first(bytemuck::cast_slice_mut(&mut from), &spec.input, 1);
    let one = first(bytemuck::cast_slice_mut(&mut one), &spec.output, 1);
    let other = first(bytemuck::cast_slice_mut(&mut other), &spec.second, 1);
    read_one("x", x, &spec.input, spec.hint, from)?;
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let progress = spec.run(py, 1, || kernel.run_two_outputs(from, [&mut *one, &mut *other]))?;
    checked(spec.name, "outputs", progress.produced, 1)?;
    Ok((scalar(py, &spec.output, one)?, scalar(py, &spec.second, other)?))
}
