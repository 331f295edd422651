//! `passband.resample`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Rate, Taps, WithTaps, chosen, real, refused, shown, value_error};
use num_complex::Complex;
use passband_kernels::resample::{
    BoxedArbitraryResampler, BoxedFirDecimator, BoxedRationalResampler, Decimate, Interpolate, Resample,
    Stopband,
};
use passband_kernels::sample::Sample;
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;
use std::cell::Cell;

pub(crate) const FAMILY: Family = Family {
    name: "resample",
    doc: stub_doc!("resample"),
    at_top: true,
    items: &[FirDecimator::ITEM, FirInterpolator::ITEM, RationalResampler::ITEM, ArbitraryResampler::ITEM],
};

const INPUTS: &[&str] = &["float32", "float64", "complex64", "complex128"];

type Made = Result<Box<dyn Erased>, ConfigError>;

/// Makes a kernel, and tells its delay.
struct MakeDecimator<'a> {
    factor: usize,
    phase: usize,
    delay: &'a Cell<Option<f64>>,
}

impl WithTaps for MakeDecimator<'_> {
    const INPUTS: &'static [&'static str] = INPUTS;

    fn make<X: Decimate<H>, H: Sample>(self, taps: &[H]) -> Made {
        let kernel = BoxedFirDecimator::<X, H>::new(taps, self.factor, self.phase)?;
        self.delay.set(kernel.config().group_delay());
        Ok(Box::new(Rate(kernel)))
    }
}

declare! {
    "passband.resample" FirDecimator: VariableLength { taps: Taps, delay: Option<f64> }
    new(taps, factor, *, phase=0, dtype=None)
        = |py, taps: &Bound<'_, PyAny>, factor: usize = ratio, phase: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, INPUTS)?;
        let delay = Cell::new(None);
        let make = MakeDecimator { factor, phase, delay: &delay };
        let kernel = taps.kernel(py, make, &[("factor", &factor), ("phase", &phase)])?;
        let ns = taps.work_ns(py)? / factor as f64;
        let kernel = Kernel::new(py, "FirDecimator", kernel)?.of(taps.parts(py)?);
        Ok((kernel.typed().ns_per_sample(ns), Self { taps, delay: delay.get() }))
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
    #[doc = stub_doc!("FirDecimator.group_delay")]
    #[getter]
    fn group_delay(&self) -> Option<f64> {
        self.delay
    }
}

struct MakeInterpolator<'a> {
    factor: usize,
    delay: &'a Cell<Option<f64>>,
}

impl WithTaps for MakeInterpolator<'_> {
    const INPUTS: &'static [&'static str] = INPUTS;

    fn make<X: Resample<H>, H: Sample>(self, taps: &[H]) -> Made {
        let kernel = BoxedRationalResampler::<X, H>::interpolator(taps, self.factor)?;
        self.delay.set(kernel.config().group_delay());
        Ok(Box::new(Rate(kernel)))
    }
}

declare! {
    "passband.resample" FirInterpolator: VariableLength { taps: Taps, delay: Option<f64> }
    new(taps, factor, *, dtype=None)
        = |py, taps: &Bound<'_, PyAny>, factor: usize = ratio, dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, INPUTS)?;
        let delay = Cell::new(None);
        let kernel = taps.kernel(py, MakeInterpolator { factor, delay: &delay }, &[("factor", &factor)])?;
        let kernel = Kernel::new(py, "FirInterpolator", kernel)?.of(taps.parts(py)?);
        Ok((kernel.typed().ns_per_sample(taps.work_ns(py)?), Self { taps, delay: delay.get() }))
    }
    examples {
        "[0.5, 1.0, 0.5], 2": "float64" => "float64",
        "[0.5, 1.0, 0.25, 2.0, -1.0], 3, dtype='float32'": "float32" => "float32",
        "[1.0, 0.25], 5, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, 0.125], 2, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], 2, dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], 1, dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j, 1.0], 2, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j, 1.0], 2": "complex128" => "complex128",
    }
    #[doc = stub_doc!("FirInterpolator.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
    #[doc = stub_doc!("FirInterpolator.group_delay")]
    #[getter]
    fn group_delay(&self) -> Option<f64> {
        self.delay
    }
}

struct MakeResampler<'a> {
    up: usize,
    down: usize,
    phase: usize,
    delay: &'a Cell<Option<f64>>,
}

impl WithTaps for MakeResampler<'_> {
    const INPUTS: &'static [&'static str] = INPUTS;

    fn make<X: Resample<H>, H: Sample>(self, taps: &[H]) -> Made {
        let kernel = BoxedRationalResampler::<X, H>::new(taps, self.up, self.down, self.phase)?;
        self.delay.set(kernel.config().group_delay());
        Ok(Box::new(Rate(kernel)))
    }
}

declare! {
    "passband.resample" RationalResampler: VariableLength { taps: Taps, delay: Option<f64> }
    new(taps, up, down, *, phase=0, dtype=None)
        = |py, taps: &Bound<'_, PyAny>, up: usize = ratio, down: usize = ratio, phase: usize = whole,
           dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, INPUTS)?;
        let delay = Cell::new(None);
        let make = MakeResampler { up, down, phase, delay: &delay };
        let kernel = taps.kernel(py, make, &[("up", &up), ("down", &down), ("phase", &phase)])?;
        let ns = taps.work_ns(py)? / down as f64;
        let kernel = Kernel::new(py, "RationalResampler", kernel)?.of(taps.parts(py)?);
        Ok((kernel.typed().ns_per_sample(ns), Self { taps, delay: delay.get() }))
    }
    examples {
        "[0.5, 1.0, 0.5], 2, 3": "float64" => "float64",
        "[0.5, 1.0, 0.25, 2.0, -1.0], 3, 2, phase=1, dtype='float32'": "float32" => "float32",
        "[1.0, 0.25], 5, 7, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25, 0.125], 4, 6, phase=5, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], 2, 1, dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], 1, 3, dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j, 1.0], 2, 5, dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j, 1.0], 5, 2": "complex128" => "complex128",
    }
    #[doc = stub_doc!("RationalResampler.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
    #[doc = stub_doc!("RationalResampler.group_delay")]
    #[getter]
    fn group_delay(&self) -> Option<f64> {
        self.delay
    }
}

/// The attenuation in decibels as an argument.
fn stopband(decibels: usize) -> PyResult<Stopband> {
    let known = [Stopband::Db60, Stopband::Db100, Stopband::Db140];
    let found = known.into_iter().find(|known| known.decibels() as usize == decibels);
    found.ok_or_else(|| value_error("stopband", "60, 100 or 140", decibels))
}

/// A resampler with its delay.
fn arbitrary<X: Interpolate>(
    ratio: f64,
    stopband: Stopband,
    phase: f64,
) -> Result<(Box<dyn Erased>, f64), ConfigError> {
    let kernel = BoxedArbitraryResampler::<X>::new(ratio, stopband, phase)?;
    let delay = kernel.config().group_delay();
    Ok((Box::new(Rate(kernel)), delay))
}

/// `$make` for the sample type that a resampler was made for.
macro_rules! by_type {
    ($dtype:expr, $X:ident => $make:expr) => {{
        let dtype = $dtype;
        typed!(by dtype, [
            "float32": f32,
            "float64": f64,
            "complex64": Complex<f32>,
            "complex128": Complex<f64>
        ], $X => $make)
    }};
}

declare! {
    "passband.resample" ArbitraryResampler: VariableLength { dtype: &'static str, delay: f64 }
    new(ratio, *, stopband=100, phase=0.0, dtype=None) as "(ratio, *, stopband=100, phase=0.0, dtype='float32')"
        = |py, ratio: f64 = real, stopband: usize = whole, phase: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let dtype = dtype.map(|dtype| chosen(dtype, INPUTS)).transpose()?.unwrap_or("float32");
        let attenuation = self::stopband(stopband)?;
        let (kernel, delay) = by_type!(dtype, X => arbitrary::<X>(ratio, attenuation, phase))
            .map_err(|error| refused(error, &[("ratio", &shown(ratio)), ("phase", &shown(phase))]))?;
        let kernel = Kernel::new(py, "ArbitraryResampler", kernel)?.of(format!("{stopband} dB"));
        Ok((kernel.typed().ns_per_sample(0.2 * delay * ratio), Self { dtype, delay }))
    }
    examples {
        "1.5": "float32" => "float32",
        "0.5, stopband=60, phase=2.5": "float32" => "float32",
        "2.5, stopband=140, dtype='float64'": "float64" => "float64",
        "0.5, stopband=60, dtype='complex64'": "complex64" => "complex64",
        "3.5, dtype='complex128'": "complex128" => "complex128",
    }
    #[doc = stub_doc!("ArbitraryResampler.group_delay")]
    #[getter]
    fn group_delay(&self) -> f64 {
        self.delay
    }
    #[doc = stub_doc!("ArbitraryResampler.ratio")]
    #[getter]
    fn ratio(this: &Bound<'_, Self>) -> PyResult<f64> {
        let cell = crate::shape::VariableLength::cell(this.as_super());
        by_type!(this.get().dtype, X => cell.with(|kernel: &mut BoxedArbitraryResampler<X>| kernel.ratio()))
    }
    #[setter]
    fn set_ratio(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::ratio)] ratio: f64) -> PyResult<()> {
        let cell = crate::shape::VariableLength::cell(this.as_super());
        by_type!(this.get().dtype, X => {
            cell.with(|kernel: &mut BoxedArbitraryResampler<X>| kernel.set_ratio(ratio))
        })?
        .map_err(|error| refused(error, &[("ratio", &shown(ratio))]))
    }
}
