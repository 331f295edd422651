//! What a kernel knows: the value of a sink, a record of a block, a view of its state.

use super::array::scalar;
use super::call::{Kernel, first};
use super::error::{checked, panicked};
use super::samples::lent;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Room for a record, aligned for any.
pub(super) type RecordRoom = [u128; 8];

/// Feeds all of `x`.
pub(crate) fn push(kernel: &Kernel, x: &Bound<'_, PyAny>) -> PyResult<()> {
    let (py, spec) = (x.py(), &kernel.spec);
    let x = spec.input(x)?;
    let (n, from) = (x.len(), x.bytes());
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let progress = spec.run(py, n, || kernel.run(from, &mut []))?;
    checked(spec.name, "unread inputs", n.saturating_sub(progress.consumed), 0)?;
    checked(spec.name, "outputs", progress.produced, 0).map(drop)
}

/// What is known of the stream so far, as a NumPy scalar.
pub(crate) fn value<'py>(py: Python<'py>, kernel: &Kernel) -> PyResult<Bound<'py, PyAny>> {
    let (spec, taken) = (&kernel.spec, kernel.take()?);
    let mut value = [0u128; 1];
    let value = first(bytemuck::cast_slice_mut(&mut value), &spec.output, 1);
    spec.run(py, 1, || taken.value(value))?;
    scalar(py, &spec.output, value)
}

/// One record of all of `x`, as a named tuple of Python's numbers.
pub(crate) fn measure<'py>(kernel: &Kernel, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, spec) = (x.py(), &kernel.spec);
    let x = spec.input(x)?;
    let (n, from) = (x.len(), x.bytes());
    let mut record: RecordRoom = Default::default();
    let record = first(bytemuck::cast_slice_mut(&mut record), &spec.output, 1);
    let mut taken = kernel.take()?;
    let kernel = &mut **taken;
    let progress = spec.run(py, n, || kernel.run(from, record))?;
    checked(spec.name, "unread inputs", n.saturating_sub(progress.consumed), 0)?;
    checked(spec.name, "outputs", progress.produced, 1)?;
    let named = kernel.named().ok_or_else(|| panicked(spec.name))?;
    // The class is Python's, and lets other threads run.
    drop(taken);
    let numbers = scalar(py, &spec.output, record)?.call_method0("item")?;
    named.class(py)?.call1(numbers.cast_into::<PyTuple>()?)
}

/// A read-only array over the kernel's state, which keeps `owner`, the object around it, alive.
pub(crate) fn window_view<'py>(owner: &Bound<'py, PyAny>, kernel: &Kernel) -> PyResult<Bound<'py, PyAny>> {
    let taken = kernel.take()?;
    lent(owner, &kernel.spec.output, taken.window())
}
