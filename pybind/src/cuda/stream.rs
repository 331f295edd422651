//! Streams, and copies that are on their way.

use super::device;
use crate::arena::raise;
use crate::declare::stub_doc;
use crate::marshal::{
    Exclusive, busy, device_range, foreign_stream, host_range, time_or_none, whole, whole_or_none,
};
use passband_arena::{Result, SLICE, pin};
use pyo3::exceptions::PyTimeoutError;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

#[doc = stub_doc!("Stream")]
#[pyclass(frozen, module = "passband._cuda")]
pub(crate) struct Stream(pin::Stream);

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (device=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = whole_or_none::device)] device: Option<usize>,
    ) -> PyResult<Self> {
        let device = self::device(py, device)?;
        py.detach(|| device.stream()).map(Self).map_err(|error| raise(py, &error))
    }

    /// The stream of this number, which `owner` stands for.
    #[staticmethod]
    fn _of(
        py: Python<'_>,
        #[pyo3(from_py_with = whole::device)] device: usize,
        #[pyo3(from_py_with = whole::handle)] handle: usize,
        owner: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Ok(Self(foreign_stream(&self::device(py, Some(device))?, handle, owner)))
    }

    #[getter]
    fn device(&self) -> usize {
        self.0.device().ordinal()
    }

    #[getter]
    fn handle(&self) -> usize {
        self.0.handle()
    }

    #[doc = stub_doc!("Stream.synchronize")]
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.synchronize()).map_err(|error| raise(py, &error))
    }

    /// Begins to copy an array to an address of the device, which `target` owns.
    fn _to_device(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        address: u64,
    ) -> PyResult<Transfer> {
        let from = host_range("x", source, false)?;
        let to = device_range(address, from.nbytes(), target);
        self.begin(py, from.nbytes(), target, |stream| stream.copy_to_device(from, to))
    }

    /// Begins to copy from an address of the device, which `source` owns, to all of an array.
    #[pyo3(signature = (source, address, target, result=None))]
    fn _to_host(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        address: u64,
        target: &Bound<'_, PyAny>,
        result: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Transfer> {
        let to = host_range("out", target, true)?;
        let from = device_range(address, to.nbytes(), source);
        self.begin(py, to.nbytes(), result.unwrap_or(target), |stream| stream.copy_to_host(from, to))
    }

    fn __repr__(&self) -> String {
        format!("<Stream {:#x} on cuda:{}>", self.handle(), self.device())
    }
}

impl Stream {
    fn begin(
        &self,
        py: Python<'_>,
        nbytes: usize,
        result: &Bound<'_, PyAny>,
        copy: impl FnOnce(&pin::Stream) -> Result<pin::Transfer> + Send,
    ) -> PyResult<Transfer> {
        // Memory that is not pinned is copied at least in part before the driver returns.
        let begun = (nbytes > 0).then(|| py.detach(|| copy(&self.0))).transpose();
        let state = Exclusive::new(begun.map_err(|error| raise(py, &error))?);
        Ok(Transfer { state, nbytes, result: result.clone().unbind() })
    }
}

#[doc = stub_doc!("Transfer")]
#[pyclass(frozen, module = "passband._cuda")]
pub(crate) struct Transfer {
    /// None when it is complete.
    state: Exclusive<Option<pin::Transfer>>,
    nbytes: usize,
    result: Py<PyAny>,
}

#[pymethods]
impl Transfer {
    #[getter]
    fn nbytes(&self) -> usize {
        self.nbytes
    }

    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        let mut state = self.state.try_take().ok_or_else(|| busy("Transfer"))?;
        let is_complete = state.as_mut().map_or(Ok(true), pin::Transfer::is_complete);
        is_complete.map_err(|error| raise(py, &error))
    }

    #[doc = stub_doc!("Transfer.wait")]
    #[pyo3(signature = (timeout=None))]
    fn wait(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = time_or_none::timeout)] timeout: Option<Duration>,
    ) -> PyResult<Py<PyAny>> {
        let mut state = self.state.try_take().ok_or_else(|| busy("Transfer"))?;
        let since = Instant::now();
        while let Some(transfer) = state.as_mut() {
            let left = timeout.map_or(SLICE, |limit| limit.saturating_sub(since.elapsed()));
            let waited = py.detach(|| transfer.wait(Some(left.min(SLICE))));
            if waited.map_err(|error| raise(py, &error))? {
                *state = None;
            } else if left.is_zero() {
                let seconds = timeout.unwrap_or_default().as_secs_f64();
                let text = format!("timeout: the copy was not complete within {seconds} s");
                return Err(PyTimeoutError::new_err(text));
            }
            py.check_signals()?;
        }
        Ok(self.result.clone_ref(py))
    }

    fn __repr__(&self) -> String {
        format!("<Transfer of {} bytes>", self.nbytes)
    }
}
