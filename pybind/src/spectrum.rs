//! `passband.spectrum`.

use crate::declare::{Family, function_item, stub_doc};
use crate::marshal::{chosen, fill, flag, real, refused, shown, whole};
use passband_kernels::shape::ConfigError;
use passband_kernels::spectrum;
use pyo3::prelude::*;

/// An [`Item`](crate::declare::Item) for a window without parameters.
macro_rules! window_item {
    ($name:ident) => {
        function_item!($name, examples {
            "": "count" => "float64",
            "sym=False, dtype='float32'": "count" => "float32",
        })
    };
}

pub(crate) const FAMILY: Family = Family {
    name: "spectrum",
    doc: stub_doc!("spectrum"),
    at_top: true,
    items: &[
        window_item!(hann),
        window_item!(hamming),
        window_item!(blackman),
        window_item!(blackman_harris),
        window_item!(flattop),
        function_item!(kaiser, examples {
            "beta=8.6": "count" => "float64",
            "beta=0.0, sym=False, dtype='float32'": "count" => "float32",
        }),
    ],
};

/// A window of the type that `dtype=` names.
fn window<'py>(
    py: Python<'py>,
    name: &str,
    n: usize,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    single: impl FnOnce(&mut [f32]) + Send,
    double: impl FnOnce(&mut [f64]) + Send,
) -> PyResult<Bound<'py, PyAny>> {
    match dtype.map(|dtype| chosen(dtype, &["float32", "float64"])).transpose()? {
        Some("float32") => fill(py, name, n, out, single),
        _ => fill(py, name, n, out, double),
    }
}

macro_rules! windows {
    ($($name:ident)*) => {$(
        #[doc = stub_doc!("spectrum.", stringify!($name))]
        #[pyfunction]
        #[pyo3(
            signature = (n, *, sym=true, dtype=None, out=None),
            text_signature = "(n, *, sym=True, dtype='float64', out=None)"
        )]
        fn $name<'py>(
            py: Python<'py>,
            #[pyo3(from_py_with = whole::n)] n: usize,
            #[pyo3(from_py_with = flag::sym)] sym: bool,
            dtype: Option<&Bound<'py, PyAny>>,
            out: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (single, double) = (|w: &mut [_]| spectrum::$name(w, sym), |w: &mut [_]| spectrum::$name(w, sym));
            window(py, stringify!($name), n, dtype, out, single, double)
        }
    )*};
}

windows!(hann hamming blackman blackman_harris flattop);

#[doc = stub_doc!("spectrum.kaiser")]
#[pyfunction]
#[pyo3(
    signature = (n, beta, *, sym=true, dtype=None, out=None),
    text_signature = "(n, beta, *, sym=True, dtype='float64', out=None)"
)]
fn kaiser<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::n)] n: usize,
    #[pyo3(from_py_with = real::beta)] beta: f64,
    #[pyo3(from_py_with = flag::sym)] sym: bool,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let refuse = |error: ConfigError| refused(error, &[("beta", &shown(beta))]);
    // Refuses before anything is allocated or written.
    spectrum::kaiser::<f64>(&mut [], beta, sym).map_err(refuse)?;
    let single = |w: &mut [f32]| spectrum::kaiser(w, beta, sym).unwrap_or_default();
    let double = |w: &mut [f64]| spectrum::kaiser(w, beta, sym).unwrap_or_default();
    window(py, "kaiser", n, dtype, out, single, double)
}
