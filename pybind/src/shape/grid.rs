//! Two-dimensional arrays: frames, and channels.

use super::{Blockwise, Kernel, shape};
use crate::declare::stub_doc;
use crate::marshal::{self, Kernel as Cell, Layout, axis, value_error};
use pyo3::prelude::*;

shape!(Batch: Kernel);
shape!(MultiChannel: Blockwise);

#[pymethods]
impl Batch {
    #[doc = stub_doc!("Batch.batch")]
    #[pyo3(signature = (frames, out=None))]
    fn batch<'py>(
        this: &Bound<'py, Self>,
        frames: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call_grid(Self::cell(this), Layout::Frames, frames, out)
    }
}

#[pymethods]
impl MultiChannel {
    #[doc = stub_doc!("MultiChannel.steps")]
    #[pyo3(signature = (x, out=None, axis=-1), text_signature = "($self, x, out=None, axis=-1)")]
    fn steps<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = axis)] axis: isize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kernel = Self::cell(this);
        if kernel.spec.frame.is_some() {
            marshal::call_grid(kernel, Layout::with_time_along(axis)?, x, out)
        } else if matches!(axis, -1 | 0) {
            marshal::call(kernel, x, out)
        } else {
            Err(value_error("axis", "-1 or 0, the only one", axis))
        }
    }

    #[doc = stub_doc!("MultiChannel.step")]
    fn step<'py>(this: &Bound<'py, Self>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        marshal::step(Self::cell(this).of_one_stream("step")?, x)
    }
}
