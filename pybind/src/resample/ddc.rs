//! Converters between a band and samples around zero: real taps in single precision, and a frequency
//! that may change.

use crate::declare::{declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Rate, Taps, positive, real, refused, shown};
use crate::shape::VariableLength;
use crate::source::ratio;
use num_complex::Complex;
use passband_kernels::resample::{self, BoxedFirDecimator, BoxedRationalResampler};
use pyo3::prelude::*;
use pyo3::types::PyString;

type Decimator = BoxedFirDecimator<Complex<f32>, f32>;
type Interpolator = BoxedRationalResampler<Complex<f32>, f32>;

const INPUTS: &[&str] = &["float32", "complex64"];

/// Samples between shift and filter: several times what long taps look back on.
const SCRATCH: usize = 1024;

type Down<X> = resample::Ddc<X, Decimator, SCRATCH>;
type Up<Y> = resample::Duc<Y, Interpolator, SCRATCH>;

/// The kernel of a converter whose full rate has samples of the type that `$end` names.
macro_rules! kernel_of {
    ($this:ident.$end:ident, $X:ident => |$kernel:ident: $Kernel:ty| $what:expr) => {{
        let cell = VariableLength::cell($this.as_super());
        let name = cell.spec.$end.name;
        typed!(by name, ["complex64": Complex<f32>, "float32": f32], $X => {
            cell.with(|$kernel: &mut $Kernel| $what)
        })
    }};
}

declare! {
    "passband.resample" Ddc: VariableLength { taps: Taps, delay: Option<f64>, fs: f64 }
    new(freq, taps, factor, *, fs=1.0, phase=0.0, dtype=None)
        as "(freq, taps, factor, *, fs=1.0, phase=0.0, dtype='complex64')"
        = |py, freq: f64 = real, taps: &Bound<'_, PyAny>, factor: usize = ratio, fs: f64 = real,
           phase: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let cycles = ratio(freq, positive("fs", fs)?)?;
        let complex = PyString::new(py, "complex64").into_any();
        let taps = Taps::new(taps, Some(dtype.unwrap_or(&complex)), INPUTS)?;
        let (input, real) = (taps.input(), taps.real(py)?);
        let made = py.detach(|| {
            let decimator = Decimator::new(&real, factor, 0)?;
            let delay = decimator.config().group_delay();
            let kernel = typed!(by input, ["complex64": Complex<f32>, "float32": f32], X => {
                Down::<X>::new(cycles, phase, decimator).map(|kernel| Rate(kernel).boxed())
            });
            Ok((kernel?, delay))
        });
        let (kernel, delay) = made.map_err(|error| {
            let (freq, phase) = (shown(freq), shown(phase));
            refused(error, &[("freq", &freq), ("phase", &phase), ("taps", &0), ("factor", &factor)])
        })?;
        let kernel = Kernel::new(py, "Ddc", kernel)?.of(taps.parts(py)?);
        let ns = 0.5 + taps.work_ns(py)? / factor as f64;
        Ok((kernel.typed().ns_per_sample(ns), Self { taps, delay, fs }))
    }
    examples {
        "0.125, [0.5, 0.25, -0.125], 3": "complex64" => "complex64",
        "-150e3, [0.5, 0.5], 2, fs=2e6, phase=0.25, dtype='float32'": "float32" => "complex64",
    }
    #[doc = stub_doc!("Ddc.freq")]
    #[getter]
    fn freq(this: &Bound<'_, Self>) -> PyResult<f64> {
        let freq = kernel_of!(this.input, X => |ddc: Down<X>| ddc.freq())?;
        Ok(freq * this.get().fs)
    }
    #[setter]
    fn set_freq(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::freq)] freq: f64) -> PyResult<()> {
        let cycles = ratio(freq, this.get().fs)?;
        kernel_of!(this.input, X => |ddc: Down<X>| ddc.set_freq(cycles))?
            .map_err(|error| refused(error, &[("freq", &shown(freq))]))
    }
    #[doc = stub_doc!("Ddc.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
    #[doc = stub_doc!("Ddc.group_delay")]
    #[getter]
    fn group_delay(&self) -> Option<f64> {
        self.delay
    }
}

declare! {
    "passband.resample" Duc: VariableLength { taps: Taps, delay: Option<f64>, fs: f64 }
    new(freq, taps, factor, *, fs=1.0, phase=0.0, real_part=false)
        = |py, freq: f64 = real, taps: &Bound<'_, PyAny>, factor: usize = ratio, fs: f64 = real,
           phase: f64 = real, real_part: bool = flag| {
        let cycles = ratio(freq, positive("fs", fs)?)?;
        let taps = Taps::new(taps, Some(&PyString::new(py, "complex64").into_any()), INPUTS)?;
        let real = taps.real(py)?;
        let made = py.detach(|| {
            let interpolator = Interpolator::interpolator(&real, factor)?;
            let delay = interpolator.config().group_delay();
            let output = if real_part { "float32" } else { "complex64" };
            let kernel = typed!(by output, ["complex64": Complex<f32>, "float32": f32], Y => {
                Up::<Y>::new(cycles, phase, interpolator).map(|kernel| Rate(kernel).boxed())
            });
            Ok((kernel?, delay))
        });
        let (kernel, delay) = made.map_err(|error| {
            let (freq, phase) = (shown(freq), shown(phase));
            refused(error, &[("freq", &freq), ("phase", &phase), ("taps", &0), ("factor", &factor)])
        })?;
        let kernel = Kernel::new(py, "Duc", kernel)?.of(taps.parts(py)?);
        let ns = 0.5 * factor as f64 + taps.work_ns(py)?;
        Ok((kernel.typed().ns_per_sample(ns), Self { taps, delay, fs }))
    }
    examples {
        "0.125, [0.5, 1.0, 0.5], 2": "complex64" => "complex64",
        "-150e3, [1.0, 0.5], 3, fs=2e6, phase=0.25, real_part=True": "complex64" => "float32",
    }
    #[doc = stub_doc!("Duc.freq")]
    #[getter]
    fn freq(this: &Bound<'_, Self>) -> PyResult<f64> {
        let freq = kernel_of!(this.output, Y => |duc: Up<Y>| duc.freq())?;
        Ok(freq * this.get().fs)
    }
    #[setter]
    fn set_freq(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::freq)] freq: f64) -> PyResult<()> {
        let cycles = ratio(freq, this.get().fs)?;
        kernel_of!(this.output, Y => |duc: Up<Y>| duc.set_freq(cycles))?
            .map_err(|error| refused(error, &[("freq", &shown(freq))]))
    }
    #[doc = stub_doc!("Duc.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
    #[doc = stub_doc!("Duc.group_delay")]
    #[getter]
    fn group_delay(&self) -> Option<f64> {
        self.delay
    }
}
