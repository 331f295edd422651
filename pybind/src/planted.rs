//! A kernel that breaks its contract, for the tests of what the marshalling makes of that.

use crate::marshal::{Dtype, Erased, Kernel, Run, refused};
use crate::shape::{
    Batch, Blockwise, Buffered, Detector, Generator, Measure, MultiChannel, Sink, TwoInput, TwoOutput,
    VariableLength, Windowed,
};
use passband_kernels::shape::{self, Progress};
use passband_kernels::source::Mixer;
use pyo3::prelude::*;
use std::any::Any;

/// Writes nothing and reports one output too many, or panics.
struct Planted {
    panics: bool,
    frame: Option<[usize; 2]>,
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
    fn frame(&self) -> Option<[usize; 2]> {
        self.frame
    }
    fn max_in(&self, n_out: usize) -> usize {
        n_out
    }
    fn flush(&mut self, out: &mut [u8]) -> Progress {
        self.break_contract(&[], out)
    }
    fn run_two_inputs(&mut self, x: &[u8], _d: &[u8], out: &mut [u8]) -> Progress {
        self.break_contract(x, out)
    }
    fn run_two_outputs(&mut self, x: &[u8], [first, _]: [&mut [u8]; 2]) -> Progress {
        self.break_contract(x, first)
    }
    fn run_planar(&mut self, x: &[u8], out: &mut [u8]) -> Progress {
        self.break_contract(x, out)
    }
    fn value(&self, to: &mut [u8]) {
        let _ = self.break_contract(&[], to);
    }
    fn state(&mut self) -> &mut dyn shape::Kernel {
        &mut self.kernel
    }
    fn any(&mut self) -> &mut dyn Any {
        &mut self.kernel
    }
}

/// An object of the named shape over such a kernel, of two channels where it takes them.
#[pyfunction]
pub(crate) fn _planted(py: Python<'_>, shape: &str, panics: bool) -> PyResult<Py<PyAny>> {
    let kernel = Mixer::new(0.0, 0.0).map_err(|error| refused(error, &[]))?;
    let frame = matches!(shape, "Batch" | "MultiChannel").then_some([2, 2]);
    let kernel = Kernel::new(py, "Planted", Box::new(Planted { panics, frame, kernel }))?;
    macro_rules! object {
        ($($Shape:ident)*) => {
            match shape {
                $(stringify!($Shape) => Py::new(py, $Shape::base(kernel))?.into_any(),)*
                _ => py.None(),
            }
        };
    }
    Ok(object! {
        Batch Blockwise Buffered Detector Generator Measure MultiChannel Sink TwoInput TwoOutput
        VariableLength Windowed
    })
}
