//! Two inputs, and two outputs.

use super::{Kernel, shape};
use crate::declare::stub_doc;
use crate::marshal::{self, Kernel as Cell};
use pyo3::prelude::*;

shape!(TwoInput: Kernel);
shape!(TwoOutput: Kernel);

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl TwoInput {
    #[doc = stub_doc!("TwoInput.steps")]
    #[pyo3(signature = (x, d, out=None))]
    fn steps<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        d: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::call_two_inputs(Self::cell(this), x, d, out)
    }

    #[doc = stub_doc!("TwoInput.step")]
    fn step<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        d: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        marshal::step_two_inputs(Self::cell(this), x, d)
    }
}

#[pymethods]
impl TwoOutput {
    #[doc = stub_doc!("TwoOutput.steps")]
    #[pyo3(signature = (x, out=None))]
    fn steps<'py>(
        this: &Bound<'py, Self>,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Pair<'py>> {
        marshal::call_two_outputs(Self::cell(this), x, out)
    }

    #[doc = stub_doc!("TwoOutput.step")]
    fn step<'py>(this: &Bound<'py, Self>, x: &Bound<'py, PyAny>) -> PyResult<Pair<'py>> {
        marshal::step_two_outputs(Self::cell(this), x)
    }
}
