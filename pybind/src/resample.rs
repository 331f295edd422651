//! `passband.resample`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Erased, Kernel, Rate, Taps, WithTaps};
use passband_kernels::resample::{BoxedFirDecimator, Decimate};
use passband_kernels::sample::Sample;
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family =
    Family { name: "resample", doc: stub_doc!("resample"), at_top: true, items: &[FirDecimator::ITEM] };

struct MakeDecimator {
    factor: usize,
    phase: usize,
}

impl WithTaps for MakeDecimator {
    const INPUTS: &'static [&'static str] = &["float32", "float64", "complex64", "complex128"];

    fn make<X: Decimate<H>, H: Sample>(self, taps: &[H]) -> Result<Box<dyn Erased>, ConfigError> {
        Ok(Box::new(Rate(BoxedFirDecimator::<X, H>::new(taps, self.factor, self.phase)?)))
    }
}

declare! {
    "passband.resample" FirDecimator: VariableLength { taps: Taps }
    new(taps, factor, *, phase=0, dtype=None)
        = |py, taps: &Bound<'_, PyAny>, factor: usize = ratio, phase: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, MakeDecimator::INPUTS)?;
        let make = MakeDecimator { factor, phase };
        let kernel = taps.kernel(py, make, &[("factor", &factor), ("phase", &phase)])?;
        let ns = taps.work_ns(py)? / factor as f64;
        let kernel = Kernel::new(py, "FirDecimator", kernel)?.of(taps.parts(py)?);
        Ok((kernel.typed().ns_per_sample(ns), Self { taps }))
    }
    examples {
        "[0.5, 0.25, -0.125], 3": "float64" => "float64",
        "[0.5, 0.25, -0.125], 1": "float64" => "float64",
        "[0.5, 0.25, -0.125], 2, phase=1, dtype='float32'": "float32" => "float32",
        "[0.5, 0.25, -0.125], 7, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, -0.125], 2, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], 2, dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], 2, dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j], 2, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j], 2": "complex128" => "complex128",
    }
    #[doc = stub_doc!("FirDecimator.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
}
