//! The extension module `passband._native`: declarations of classes, and the marshalling below.

mod declare;
mod filter;
mod marshal;
mod shape;

use declare::Family;
use passband_kernels::SimdLevel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

const FAMILIES: &[Family] = &[shape::FAMILY, filter::FAMILY];

#[doc = declare::stub_doc!("simd_level")]
#[pyfunction]
fn simd_level() -> &'static str {
    SimdLevel::best().name()
}

/// Each example of each class and function, for the tests of the surface.
#[pyfunction]
fn _surface(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    declare::surface(py, FAMILIES)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if let Some(level) = SimdLevel::rejected() {
        let usable: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
        return Err(PyValueError::new_err(format!(
            "PASSBAND_SIMD: expected one of {}, given {level}",
            usable.join(", ")
        )));
    }
    declare::add(module, FAMILIES)?;
    module.add_function(wrap_pyfunction!(simd_level, module)?)?;
    module.add_function(wrap_pyfunction!(_surface, module)?)
}
