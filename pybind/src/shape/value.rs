//! What a kernel knows: the value of a sink, a record of a block, a view of its state.

use super::{Blockwise, Kernel, shape};
use crate::declare::stub_doc;
use crate::marshal::{self, Kernel as Cell};
use pyo3::prelude::*;

shape!(Sink: Kernel);
shape!(Measure: Kernel);
shape!(Windowed: Blockwise, keeping_the_lock);

#[pymethods]
impl Sink {
    #[doc = stub_doc!("Sink.push")]
    fn push(this: &Bound<'_, Self>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        marshal::push(Self::cell(this), x)
    }

    #[doc = stub_doc!("Sink.value")]
    fn value<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        marshal::value(this.py(), Self::cell(this))
    }
}

#[pymethods]
impl Measure {
    #[doc = stub_doc!("Measure.measure")]
    fn measure<'py>(this: &Bound<'py, Self>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        marshal::measure(Self::cell(this), x)
    }
}

#[pymethods]
impl Windowed {
    #[doc = stub_doc!("Windowed.window_view")]
    fn window_view<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        marshal::window_view(this.as_any(), Self::cell(this))
    }
}
