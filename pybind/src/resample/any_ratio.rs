//! Resamplers at any ratio, which may change.

use super::INPUTS;
use crate::declare::{declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Rate, chosen, real, refused, shown, value_error};
use num_complex::Complex;
use passband_kernels::resample::{self, BoxedArbitraryResampler, Interpolate, Stopband};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

/// The attenuation in decibels as an argument.
pub(crate) fn stopband(decibels: usize) -> PyResult<Stopband> {
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

/// The ratio of a resampler whose ratio may change.
macro_rules! ratio_of {
    ($this:ident, $Kernel:ident) => {{
        let cell = crate::shape::VariableLength::cell($this.as_super());
        by_type!($this.get().dtype, X => cell.with(|kernel: &mut resample::$Kernel<X>| kernel.ratio()))
    }};
}

/// Sets it.
macro_rules! set_ratio {
    ($this:ident, $Kernel:ident, $ratio:ident) => {{
        let cell = crate::shape::VariableLength::cell($this.as_super());
        by_type!($this.get().dtype, X => {
            cell.with(|kernel: &mut resample::$Kernel<X>| kernel.set_ratio($ratio))
        })?
        .map_err(|error| refused(error, &[("ratio", &shown($ratio))]))
    }};
}

declare! {
    "passband.resample" ArbitraryResampler: VariableLength { dtype: &'static str, delay: f64 }
    new(ratio, *, stopband=100, phase=0.0, dtype=None) as "(ratio, *, stopband=100, phase=0.0, dtype='float32')"
        = |py, ratio: f64 = real, stopband: usize = whole, phase: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let dtype = dtype.map(|dtype| chosen(dtype, INPUTS)).transpose()?.unwrap_or("float32");
        let attenuation = self::stopband(stopband)?;
        let (kernel, delay) = by_type!(dtype, X => py.detach(|| arbitrary::<X>(ratio, attenuation, phase)))
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
        ratio_of!(this, BoxedArbitraryResampler)
    }
    #[setter]
    fn set_ratio(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::ratio)] ratio: f64) -> PyResult<()> {
        set_ratio!(this, BoxedArbitraryResampler, ratio)
    }
}

declare! {
    "passband.resample" Farrow: VariableLength { dtype: &'static str, delay: f64 }
    new(ratio, *, order=3, phase=0.0, dtype=None) as "(ratio, *, order=3, phase=0.0, dtype='float32')"
        = |py, ratio: f64 = real, order: usize = whole, phase: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let dtype = dtype.map(|dtype| chosen(dtype, INPUTS)).transpose()?.unwrap_or("float32");
        let made = by_type!(dtype, X => resample::Farrow::<X>::new(ratio, order, phase).map(|kernel| {
            let delay = kernel.group_delay();
            (Rate(kernel).boxed(), delay)
        }));
        let (kernel, delay) = made.map_err(|error| {
            refused(error, &[("ratio", &shown(ratio)), ("order", &order), ("phase", &shown(phase))])
        })?;
        let kernel = Kernel::new(py, "Farrow", kernel)?.of(format!("order {order}"));
        Ok((kernel.typed().ns_per_sample(2.0 * delay * ratio), Self { dtype, delay }))
    }
    examples {
        "1.5": "float32" => "float32",
        "0.4, order=1, phase=2.5": "float32" => "float32",
        "2.5, order=7, dtype='float64'": "float64" => "float64",
        "0.5, order=5, dtype='complex64'": "complex64" => "complex64",
        "3.5, phase=2.0, dtype='complex128'": "complex128" => "complex128",
    }
    #[doc = stub_doc!("Farrow.group_delay")]
    #[getter]
    fn group_delay(&self) -> f64 {
        self.delay
    }
    #[doc = stub_doc!("Farrow.ratio")]
    #[getter]
    fn ratio(this: &Bound<'_, Self>) -> PyResult<f64> {
        ratio_of!(this, Farrow)
    }
    #[setter]
    fn set_ratio(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::ratio)] ratio: f64) -> PyResult<()> {
        set_ratio!(this, Farrow, ratio)
    }
}
