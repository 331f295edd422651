//! `passband._arena`: the arenas and their endpoints as Python classes.

mod body;
mod error;
mod export;
mod pool;
mod reader;
mod storage;
mod ticket;
mod unit;
mod writer;

pub(crate) use error::raise;
pub(crate) use export::{array_over, wrap};
pub(crate) use unit::Placement;

use crate::marshal::{because, flag, given, lengths, numpy, strides, type_error, value_error, whole};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// The Python package, which has the errors and the codec.
const PACKAGE: &str = "passband.arena";

#[doc = crate::declare::stub_doc!("_arena.bytes_copied")]
#[pyfunction]
fn bytes_copied() -> u64 {
    passband_arena::bytes_copied()
}

#[doc = crate::declare::stub_doc!("_arena.sweep")]
#[pyfunction]
fn sweep(py: Python<'_>) -> PyResult<Vec<String>> {
    py.detach(passband_arena::sweep).map_err(|error| error::raise(py, &error))
}

#[doc = crate::declare::stub_doc!("_arena.array")]
#[pyfunction]
#[pyo3(signature = (export, dtype, shape, strides=None, offset=0, writable=true))]
#[expect(clippy::needless_pass_by_value, reason = "extracted from Python")]
fn array<'py>(
    export: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = lengths::shape)] shape: Vec<isize>,
    #[pyo3(from_py_with = strides)] strides: Option<Vec<isize>>,
    #[pyo3(from_py_with = whole::offset)] offset: usize,
    #[pyo3(from_py_with = flag::writable)] writable: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = dtype_of(dtype)?;
    export::array_over(export, &dtype, &shape, strides.as_deref(), offset, writable)
}

/// The address of a leaf's bytes, and how many they are.
#[pyfunction]
fn memory(leaf: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let leaf = export::Leaf::of(leaf)?;
    Ok((leaf.address(), leaf.nbytes()))
}

/// A type of elements that can lie in shared memory.
fn dtype_of<'py>(dtype: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDescr>> {
    let py = dtype.py();
    let refused = || type_error("dtype", "a type of NumPy without references", &given(dtype));
    let descr = match dtype.cast::<PyArrayDescr>() {
        Ok(descr) => descr.clone(),
        Err(_) => PyArrayDescr::new(py, dtype.clone()).map_err(|raised| because(py, raised, refused()))?,
    };
    if descr.has_object() {
        return Err(refused());
    }
    // Text without a length: an array has some of its own.
    if descr.itemsize() == 0 {
        return Ok(numpy(py)?.call_method1("empty", (0, descr))?.getattr("dtype")?.cast_into()?);
    }
    Ok(descr)
}

/// The bytes of an array, or an error that names what is wrong with the shape.
fn nbytes_of(shape: &[isize], dtype: &Bound<'_, PyArrayDescr>) -> PyResult<usize> {
    let mut nbytes = dtype.itemsize();
    for &len in shape {
        let len = usize::try_from(len).ok();
        let product = len.and_then(|len| nbytes.checked_mul(len));
        nbytes = product.ok_or_else(|| {
            value_error("shape", "lengths of at least 0 that memory can have", format!("{shape:?}"))
        })?;
    }
    Ok(nbytes)
}

/// Adds the module `passband._arena` to the extension module.
pub(crate) fn add(native: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = native.py();
    let module = PyModule::new(py, "passband._arena")?;
    module.setattr("__doc__", crate::declare::stub_doc!("_arena"))?;
    module.add_class::<pool::Arena>()?;
    module.add_class::<pool::SharedMemorySegmentPool>()?;
    module.add_class::<pool::SharedMemoryRingBuffer>()?;
    module.add_class::<writer::Writer>()?;
    module.add_class::<unit::Unit>()?;
    module.add_class::<reader::Reader>()?;
    module.add_class::<reader::Delivery>()?;
    module.add_class::<ticket::Ticket>()?;
    module.add("Export", export::class(py)?)?;
    module.add_function(wrap_pyfunction!(array, &module)?)?;
    module.add_function(wrap_pyfunction!(memory, &module)?)?;
    module.add_function(wrap_pyfunction!(bytes_copied, &module)?)?;
    module.add_function(wrap_pyfunction!(sweep, &module)?)?;
    module.delattr("__all__")?;
    py.import("sys")?.getattr("modules")?.set_item("passband._arena", &module)?;
    native.setattr("_arena", module)
}
