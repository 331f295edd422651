//! Snapshots: the state of a kernel as bytes.

use super::call::{Kernel, Spec};
use super::erased::Erased;
use super::error::{given, state_error, type_error};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Bytes from which on the interpreter lock is released: a millisecond of work or more. Below, other
/// threads never meet the busy flag.
const LARGE: usize = 1 << 20;

/// Saves the state.
pub(crate) fn save<'py>(py: Python<'py>, kernel: &Kernel) -> PyResult<Bound<'py, PyBytes>> {
    let (spec, mut taken) = (&kernel.spec, kernel.take()?);
    let kernel = &mut **taken;
    let len = kernel.state().save_len();
    PyBytes::new_with(py, len, |blob| {
        let saved = run(py, spec, len, || kernel.state().save(blob).map(drop))?;
        saved.map_err(state_error)
    })
}

/// Continues from the argument `state`.
pub(crate) fn load(kernel: &Kernel, state: &Bound<'_, PyAny>) -> PyResult<()> {
    let blob: &[u8] = state.extract().map_err(|_| type_error("state", "bytes", &given(state)))?;
    let (spec, mut taken) = (&kernel.spec, kernel.take()?);
    let kernel: &mut dyn Erased = &mut **taken;
    run(state.py(), spec, blob.len(), || kernel.state().load(blob))?.map_err(state_error)
}

/// Works through so many bytes.
fn run<T: Send>(py: Python<'_>, spec: &Spec, bytes: usize, f: impl FnOnce() -> T + Send) -> PyResult<T> {
    if bytes < LARGE { Ok(f()) } else { spec.run(py, bytes, f) }
}
