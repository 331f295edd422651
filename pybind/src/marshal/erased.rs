//! Kernels behind one trait on bytes, whatever their shape and types.

use super::dtype::Dtype;
use super::named::NamedTuple;
use passband_kernels::shape::{Kernel, Progress};
use pyo3::prelude::*;
use std::any::Any;

/// What a call runs.
pub(crate) trait Run: Send {
    /// The number of outputs that `n_in` inputs give now, or the most.
    fn max_out(&self, n_in: usize) -> usize;

    /// Takes inputs until the next output has no room.
    fn run(&mut self, x: &[u8], out: &mut [u8]) -> Progress;

    /// Runs over the input, where the kernel can; otherwise changes nothing.
    fn run_in_place(&mut self, _io: &mut [u8]) -> Option<Progress> {
        None
    }

    /// Whether `x` lies in state that arrays show to Python.
    fn shows(&self, _x: &[u8]) -> bool {
        false
    }
}

/// A kernel of any shape and type. What a shape does not have does nothing.
pub(crate) trait Erased: Run {
    /// The types of input and output; a generator's input is its output.
    fn dtypes(&self, py: Python<'_>) -> PyResult<(Dtype, Dtype)>;

    /// The type of the second input or output.
    fn second(&self, _py: Python<'_>) -> PyResult<Option<Dtype>> {
        Ok(None)
    }

    /// The fixed lengths of the two-dimensional arrays that it takes and gives.
    fn frame(&self) -> Option<[usize; 2]> {
        None
    }

    /// The number of inputs that a call is sure to consume with room for `n_out` outputs.
    fn max_in(&self, n_out: usize) -> usize;

    /// Ends the stream.
    fn flush(&mut self, _out: &mut [u8]) -> Progress {
        Progress::default()
    }

    /// The number of outputs of [`flush`](Self::flush).
    fn max_flush(&self) -> usize {
        0
    }

    /// Runs over pairs of inputs.
    fn run_two_inputs(&mut self, _x: &[u8], _d: &[u8], _out: &mut [u8]) -> Progress {
        Progress::default()
    }

    /// Gives pairs of outputs.
    fn run_two_outputs(&mut self, _x: &[u8], _out: [&mut [u8]; 2]) -> Progress {
        Progress::default()
    }

    /// Runs over one channel after the other, where [`run`](Run::run) takes them interleaved.
    fn run_planar(&mut self, _x: &[u8], _out: &mut [u8]) -> Progress {
        Progress::default()
    }

    /// Writes what is known of the stream so far.
    fn value(&self, _to: &mut [u8]) {}

    /// The class of what it measures.
    fn named(&self) -> Option<&'static NamedTuple> {
        None
    }

    /// The state that arrays may show to Python.
    fn window(&self) -> &[u8] {
        &[]
    }

    /// Its state: reset, save, load.
    fn state(&mut self) -> &mut dyn Kernel;

    /// The kernel itself.
    fn any(&mut self) -> &mut dyn Any;

    /// The same, whatever it is.
    fn boxed(self) -> Box<dyn Erased>
    where
        Self: Sized + 'static,
    {
        Box::new(self)
    }
}
