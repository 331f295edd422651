//! A kernel that breaks its contract, for the tests of what the marshalling makes of that.

use crate::marshal::{Dtype, Erased, Kernel, Run, refused};
use crate::shape::{Blockwise, Detector, Generator, VariableLength};
use passband_kernels::shape::{self, Progress};
use passband_kernels::source::Mixer;
use pyo3::prelude::*;
use std::any::Any;

/// Writes nothing and reports one output too many, or panics.
struct Planted {
    panics: bool,
    /// Lends its state.
    kernel: Mixer,
}

const SIZE: usize = size_of::<f32>();

impl Planted {
    fn break_contract(&self, x: &[u8], out: &[u8]) -> Progress {
        assert!(!self.panics, "a planted panic");
        Progress { consumed: x.len() / SIZE, produced: out.len() / SIZE + 1 }
    }
}

impl Run for Planted {
    fn max_out(&self, n_in: usize) -> usize {
        n_in
    }
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        self.break_contract(x, out)
    }
}

impl Erased for Planted {
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)> {
        Ok((Dtype::sample::<f32>(py)?, Dtype::sample::<f32>(py)?))
    }
    fn max_in(&self, n_out: usize) -> usize {
        n_out
    }
    fn flush(&mut self, out: &mut [u8]) -> Progress {
        self.break_contract(&[], out)
    }
    fn state(&mut self) -> &mut dyn shape::Kernel {
        &mut self.kernel
    }
    fn any(&mut self) -> &mut dyn Any {
        &mut self.kernel
    }
}

/// An object of the named shape over such a kernel.
#[pyfunction]
pub(crate) fn _planted(py: Python<'_>, shape: &str, panics: bool) -> PyResult<Py<PyAny>> {
    let kernel = Mixer::new(0.0, 0.0).map_err(|error| refused(error, &[]))?;
    let kernel = Kernel::new(py, "Planted", Box::new(Planted { panics, kernel }))?;
    Ok(match shape {
        "Blockwise" => Py::new(py, Blockwise::base(kernel))?.into_any(),
        "Generator" => Py::new(py, Generator::base(kernel))?.into_any(),
        "VariableLength" => Py::new(py, VariableLength::base(kernel))?.into_any(),
        _ => Py::new(py, Detector::base(kernel))?.into_any(),
    })
}
