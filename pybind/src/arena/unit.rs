//! Units, and the arrays that are placed in them.

use super::error::named;
use super::export::Leaf;
use super::ticket::Ticket;
use super::writer::{State, Writer};
use super::{dtype_of, nbytes_of};
use crate::declare::stub_doc;
use crate::marshal::{Guard, lengths, word};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;

#[doc = stub_doc!("Unit")]
#[pyclass(frozen, module = "passband._arena")]
pub(crate) struct Unit {
    writer: Py<Writer>,
    /// Which of the writer's units it is, counted as they are begun.
    number: u64,
}

#[pymethods]
impl Unit {
    #[doc = stub_doc!("Unit.empty")]
    #[pyo3(signature = (shape, dtype=None, order=None), text_signature = "($self, shape, dtype='float32', order='C')")]
    fn empty<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let placement = Placement::of(py, shape, dtype, order)?;
        self.take(py)?.place(py, &placement)
    }

    #[doc = stub_doc!("Unit.write")]
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let leaf = Leaf::of(data)?;
        let extent = self.take(py)?.write(py, &leaf)?;
        Ok((extent.offset, extent.nbytes))
    }

    #[doc = stub_doc!("Unit.commit")]
    #[pyo3(signature = (envelope=None), text_signature = "($self, envelope=b'')")]
    fn commit(&self, py: Python<'_>, envelope: Option<&[u8]>) -> PyResult<Ticket> {
        self.take(py)?.commit_unit(py, envelope)
    }

    #[doc = stub_doc!("Unit.abort")]
    fn abort(&self, py: Python<'_>) -> PyResult<()> {
        self.take(py)?.abort_unit(py)
    }
}

impl Unit {
    pub(super) fn new(writer: Py<Writer>, number: u64) -> Self {
        Self { writer, number }
    }

    /// The writer's state, if this is the unit that is open.
    fn take(&self, py: Python<'_>) -> PyResult<Guard<'_, State>> {
        let state = self.writer.get().take()?;
        if state.has_begun(self.number) {
            return Ok(state);
        }
        Err(named(py, "EndpointError", ("this unit was sent or given up: begin another one",)))
    }
}

/// An array that is to be placed in a unit.
pub(crate) struct Placement<'py> {
    pub(crate) dtype: Bound<'py, PyArrayDescr>,
    pub(crate) shape: Vec<isize>,
    pub(crate) strides: Option<Vec<isize>>,
    pub(crate) nbytes: usize,
}

impl<'py> Placement<'py> {
    pub(crate) fn of(
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let mut dtype = dtype.map_or_else(|| Ok(numpy::dtype::<f32>(py)), dtype_of)?;
        let mut shape = lengths::shape(shape)?;
        // Axes of the elements are the array's last ones.
        if dtype.has_subarray() {
            shape.extend(dtype.shape().into_iter().map(|len| len as isize));
            dtype = dtype.base();
        }
        let nbytes = nbytes_of(&shape, &dtype)?;
        let order = order.map_or(Ok("C"), |given| word("order", ["C", "F"], given))?;
        let strides = (order == "F").then(|| fortran(&shape, nbytes));
        Ok(Self { dtype, shape, strides, nbytes })
    }
}

/// The strides of an array in Fortran's order.
fn fortran(shape: &[isize], nbytes: usize) -> Vec<isize> {
    let elements = shape.iter().product::<isize>().max(1);
    let mut stride = nbytes as isize / elements;
    let mut strides = Vec::with_capacity(shape.len());
    for &len in shape {
        strides.push(stride);
        stride *= len.max(1);
    }
    strides
}
