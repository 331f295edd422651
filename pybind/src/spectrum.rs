//! `passband.spectrum`.

use crate::declare::{Family, function_item, stub_doc};
use crate::marshal::{chosen, fill, flag, whole};
use passband_kernels::spectrum;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "spectrum",
    doc: stub_doc!("spectrum"),
    at_top: true,
    items: &[function_item!(hann, examples {
        "": "count" => "float64",
        "sym=False, dtype='float32'": "count" => "float32",
    })],
};

#[doc = stub_doc!("hann")]
#[pyfunction]
#[pyo3(
    signature = (n, *, sym=true, dtype=None, out=None),
    text_signature = "(n, *, sym=True, dtype='float64', out=None)"
)]
fn hann<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::n)] n: usize,
    #[pyo3(from_py_with = flag::sym)] sym: bool,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    match dtype.map(|dtype| chosen(dtype, &["float32", "float64"])).transpose()? {
        Some("float32") => fill(py, "hann", n, out, |window: &mut [f32]| spectrum::hann(window, sym)),
        _ => fill(py, "hann", n, out, |window: &mut [f64]| spectrum::hann(window, sym)),
    }
}
