//! `passband._cuda`: pinned memory, arrays on a device, and copies between them.

mod array;
mod stream;

use crate::arena::{Placement, array_over, raise, wrap};
use crate::declare::stub_doc;
use crate::marshal::{keep_all_from_now_on, value_error, whole_or_none, whole_range};
use passband_arena::pin::{self, Cuda, Device, PinnedBlocks};
use pyo3::prelude::*;
use pyo3::types::PyModule;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The bytes of pinned blocks that are kept for later copies to the host, on each device.
const KEPT: usize = 256 << 20;

/// A device by its number, or the default one.
fn device(py: Python<'_>, ordinal: Option<usize>) -> PyResult<Device> {
    let found = py.detach(|| {
        let cuda = Cuda::get()?;
        ordinal.map_or_else(|| cuda.default_device(), |ordinal| cuda.device(ordinal))
    });
    found.map_err(|error| raise(py, &error))
}

#[doc = stub_doc!("_cuda.device_count")]
#[pyfunction]
fn device_count(py: Python<'_>) -> PyResult<usize> {
    py.detach(Cuda::get).map(Cuda::device_count).map_err(|error| raise(py, &error))
}

#[doc = stub_doc!("_cuda.default_device")]
#[pyfunction]
fn default_device(py: Python<'_>) -> PyResult<usize> {
    device(py, None).map(|device| device.ordinal())
}

#[doc = stub_doc!("_cuda.register_buffer")]
#[pyfunction]
#[pyo3(signature = (arr, *, device=None))]
fn register_buffer<'py>(
    py: Python<'py>,
    arr: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = whole_or_none::device)] device: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let range = whole_range("arr", arr)?;
    if range.nbytes() == 0 {
        return Err(value_error("arr", "at least one byte", "an empty array"));
    }
    let device = self::device(py, device)?;
    let registered = py.detach(|| device.register(range)).map_err(|error| raise(py, &error))?;
    array_like(&wrap(py, registered)?, arr)
}

/// The array again, over memory that is all of its own.
fn array_like<'py>(memory: &Bound<'py, PyAny>, arr: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (shape, strides): (Vec<isize>, Vec<isize>) =
        (arr.getattr("shape")?.extract()?, arr.getattr("strides")?.extract()?);
    // It begins behind what negative strides lead to.
    let reaches = shape.iter().zip(&strides).map(|(len, stride)| (len - 1) * stride);
    let offset = reaches.filter(|reach| *reach < 0).sum::<isize>().unsigned_abs();
    let dtype = arr.getattr("dtype")?.cast_into()?;
    array_over(memory, &dtype, &shape, Some(&strides), offset, true)
}

/// An array in a pinned block.
#[pyfunction]
fn pinned_empty<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = whole_or_none::device)] device: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let Placement { dtype, shape, nbytes, .. } = Placement::of(py, shape, Some(dtype), None)?;
    let blocks = blocks_of(&self::device(py, device)?);
    let block = py.detach(|| blocks.allocate(nbytes)).map_err(|error| raise(py, &error))?;
    array_over(&wrap(py, block)?, &dtype, &shape, None, 0, true)
}

/// The pinned blocks of a device.
fn blocks_of(device: &Device) -> Arc<PinnedBlocks> {
    static BLOCKS: Mutex<Vec<(usize, Arc<PinnedBlocks>)>> = Mutex::new(Vec::new());
    let mut all = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = all.iter().find(|(ordinal, _)| *ordinal == device.ordinal()) {
        return known.clone();
    }
    let made = Arc::new(device.pinned_blocks(KEPT));
    all.push((device.ordinal(), made.clone()));
    made
}

#[doc = stub_doc!("Pending")]
#[pyclass(frozen, module = "passband._cuda")]
pub(crate) struct Pending(pin::Pending);

#[pymethods]
impl Pending {
    #[getter]
    fn what(&self) -> &str {
        &self.0.what
    }

    #[getter]
    fn state(&self) -> String {
        self.0.state.to_string()
    }

    #[getter]
    fn why(&self) -> &str {
        &self.0.why
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.0.nbytes
    }

    #[getter]
    fn attempts(&self) -> u64 {
        self.0.attempts
    }

    fn __repr__(&self) -> String {
        format!("<Pending: {}>", self.0)
    }
}

#[doc = stub_doc!("_cuda.pending")]
#[pyfunction]
pub(crate) fn pending(py: Python<'_>) -> Vec<Pending> {
    // What the cleaner gives back takes the interpreter lock.
    py.detach(pin::pending).into_iter().map(Pending).collect()
}

#[doc = stub_doc!("_cuda.retry_cleanup")]
#[pyfunction]
pub(crate) fn retry_cleanup(py: Python<'_>) -> Vec<Pending> {
    py.detach(pin::retry_cleanup).into_iter().map(Pending).collect()
}

/// Adds the module `passband._cuda` to the extension module.
pub(crate) fn add(native: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = native.py();
    let module = PyModule::new(py, "passband._cuda")?;
    module.setattr("__doc__", stub_doc!("_cuda"))?;
    module.add_class::<array::DeviceArray>()?;
    module.add_class::<stream::Stream>()?;
    module.add_class::<stream::Transfer>()?;
    module.add_class::<Pending>()?;
    module.add_function(wrap_pyfunction!(device_count, &module)?)?;
    module.add_function(wrap_pyfunction!(default_device, &module)?)?;
    module.add_function(wrap_pyfunction!(register_buffer, &module)?)?;
    module.add_function(wrap_pyfunction!(pinned_empty, &module)?)?;
    module.add_function(wrap_pyfunction!(pending, &module)?)?;
    module.add_function(wrap_pyfunction!(retry_cleanup, &module)?)?;
    module.delattr("__all__")?;
    py.import("atexit")?
        .call_method1("register", (wrap_pyfunction!(at_exit, &module)?, std::process::id()))?;
    py.import("sys")?.getattr("modules")?.set_item("passband._cuda", &module)?;
    native.setattr("_cuda", module)
}

/// `loaded_by` is the process that loaded this module; a fork of it waits for none of its threads.
#[pyfunction]
fn at_exit(py: Python<'_>, loaded_by: u32) {
    let patience = if loaded_by == std::process::id() { Duration::from_secs(2) } else { Duration::ZERO };
    keep_all_from_now_on(py, patience);
}
