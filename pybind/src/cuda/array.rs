//! Arrays on a device.

use super::device;
use crate::arena::{Placement, raise};
use crate::declare::stub_doc;
use crate::marshal::{CUDA, capsule, whole_or_none};
use numpy::PyArrayDescr;
use passband_arena::pin::DeviceBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

#[doc = stub_doc!("DeviceArray")]
#[pyclass(frozen, module = "passband._cuda")]
pub(crate) struct DeviceArray {
    buffer: DeviceBuffer,
    shape: Vec<isize>,
    dtype: Py<PyArrayDescr>,
    nbytes: usize,
}

#[pymethods]
impl DeviceArray {
    #[new]
    #[pyo3(signature = (shape, dtype=None, *, device=None),
        text_signature = "(shape, dtype='float32', *, device=None)")]
    fn new(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole_or_none::device)] device: Option<usize>,
    ) -> PyResult<Self> {
        let Placement { dtype, shape, nbytes, .. } = Placement::of(py, shape, dtype, None)?;
        let device = self::device(py, device)?;
        // The driver has no empty memory.
        let made = py.detach(|| device.allocate(nbytes.max(1)));
        let buffer = made.map_err(|error| raise(py, &error))?;
        Ok(Self { buffer, shape, dtype: dtype.unbind(), nbytes })
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    #[getter]
    fn dtype(&self, py: Python<'_>) -> Py<PyArrayDescr> {
        self.dtype.clone_ref(py)
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.nbytes
    }

    #[getter]
    fn device(&self) -> usize {
        self.buffer.device().ordinal()
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dtype = self.dtype.bind(py);
        let interface = PyDict::new(py);
        interface.set_item("shape", self.shape(py)?)?;
        interface.set_item("typestr", dtype.getattr("str")?)?;
        interface.set_item("descr", dtype.getattr("descr")?)?;
        interface.set_item("data", (self.buffer.address(), false))?;
        // Nothing is on its way to it: no stream is to be waited for.
        interface.set_item("stream", py.None())?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    fn __dlpack_device__(&self) -> (i32, usize) {
        (CUDA, self.device())
    }

    #[pyo3(signature = (*, stream=None, **_options))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        _options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // As above.
        let _ = stream;
        capsule(&self.buffer, &self.shape, self.dtype.bind(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (shape, dtype) = (self.shape(py)?, self.dtype.bind(py));
        Ok(format!("<DeviceArray of {dtype}, shape {shape}, on cuda:{}>", self.device()))
    }
}
