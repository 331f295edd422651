//! The extension module `passband._native`: declarations of classes, and the marshalling below.

// The documentation of Python names is Python's, doctests included.
#![allow(
    clippy::doc_markdown,
    clippy::doc_lazy_continuation,
    clippy::doc_link_with_quotes,
    clippy::too_long_first_doc_paragraph
)]

mod arena;
mod chain;
mod convert;
mod cuda;
mod declare;
mod delay;
mod demod;
mod detect;
mod filter;
mod fixed;
mod level;
mod marshal;
mod math;
mod planted;
mod resample;
mod shape;
mod source;
mod spectrum;
mod sync;
mod transform;

use declare::{Family, Item};
use passband_kernels::SimdLevel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is at the top of the package only.
const TOP: &[Item] = &[chain::CHAIN, shape::PROGRESS];

const FAMILIES: &[Family] = &[
    shape::FAMILY,
    convert::FAMILY,
    delay::FAMILY,
    demod::FAMILY,
    detect::FAMILY,
    filter::FAMILY,
    fixed::FAMILY,
    level::FAMILY,
    math::FAMILY,
    resample::FAMILY,
    source::FAMILY,
    spectrum::FAMILY,
    sync::FAMILY,
    transform::FAMILY,
];

#[doc = declare::stub_doc!("simd_level")]
#[pyfunction]
fn simd_level() -> &'static str {
    SimdLevel::best().name()
}

/// Each example of each class and function, for the tests of the surface.
#[pyfunction]
fn _surface(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    declare::surface(py, TOP, FAMILIES)
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
    declare::add(module, TOP, FAMILIES)?;
    arena::add(module)?;
    cuda::add(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(simd_level, module)?)?;
    // Set, not added: the tests' names are not among those that `*` takes.
    module.setattr("_surface", wrap_pyfunction!(_surface, module)?)?;
    module.setattr("_planted", wrap_pyfunction!(planted::_planted, module)?)
}
