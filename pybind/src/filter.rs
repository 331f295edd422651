//! `passband.filter`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Erased, Kernel, Map, Taps, WithTaps};
use passband_kernels::filter::{BoxedFir, Filter};
use passband_kernels::sample::{Q15, Sample};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family =
    Family { name: "filter", doc: stub_doc!("filter"), at_top: true, items: &[Fir::ITEM] };

struct MakeFir;

impl WithTaps for MakeFir {
    const INPUTS: &'static [&'static str] = &["float32", "float64", "complex64", "complex128", "q15"];

    fn make<X: Filter<H>, H: Sample>(self, taps: &[H]) -> Result<Box<dyn Erased>, ConfigError> {
        Ok(Box::new(Map(BoxedFir::<X, H>::new(taps)?)))
    }

    fn make_q15(self, taps: &[Q15]) -> Result<Box<dyn Erased>, ConfigError> {
        Ok(Box::new(Map(BoxedFir::<Q15, Q15>::new(taps)?)))
    }
}

declare! {
    "passband.filter" Fir: Blockwise { taps: Taps }
    new(taps, *, dtype=None) = |py, taps: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, MakeFir::INPUTS)?;
        let kernel = Kernel::new(py, "Fir", taps.kernel(py, MakeFir, &[])?)?;
        let ns = taps.work_ns(py)?;
        Ok((kernel.of(taps.parts(py)?).typed().ns_per_sample(ns), Self { taps }))
    }
    examples {
        "[0.5, 0.25, -0.125]": "float64" => "float64",
        "[0.5, 0.25, -0.125], dtype='float32'": "float32" => "float32",
        "[0.5, 0.25, -0.125], dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, -0.125], dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j], dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j]": "complex128" => "complex128",
        "[16384, 8192, -4096], dtype='q15'": "int16" => "int16",
    }
    #[doc = stub_doc!("Fir.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
}
