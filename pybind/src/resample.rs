//! `passband.resample`.

mod ddc;

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Rate, Taps, WithTaps, chosen, real, refused, shown, value_error};
use num_complex::Complex;
use passband_kernels::resample::{
    self, BoxedArbitraryResampler, BoxedFirDecimator, BoxedHalfbandDecimator, BoxedHalfbandInterpolator,
    BoxedRationalResampler, Decimate, Halve, Interpolate, Resample, Stopband,
};
use passband_kernels::sample::{Q15, Q31, Sample};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;
use std::cell::Cell;

pub(crate) const FAMILY: Family = Family {
    name: "resample",
    doc: stub_doc!("resample"),
    at_top: true,
    items: &[
        FirDecimator::ITEM,
        FirInterpolator::ITEM,
        RationalResampler::ITEM,
        ArbitraryResampler::ITEM,
        Farrow::ITEM,
        HalfbandDecimator::ITEM,
        HalfbandInterpolator::ITEM,
        CicDecimator::ITEM,
        CicInterpolator::ITEM,
        ddc::Ddc::ITEM,
        ddc::Duc::ITEM,
    ],
};

const INPUTS: &[&str] = &["float32", "float64", "complex64", "complex128"];
const WITH_FIXED_POINT: &[&str] = &["float32", "float64", "complex64", "complex128", "q7", "q15", "q31"];

type Made = Result<Box<dyn Erased>, ConfigError>;

/// Makes a kernel, and tells its delay.
struct MakeDecimator<'a> {
    factor: usize,
    phase: usize,
    delay: &'a Cell<Option<f64>>,
}

impl MakeDecimator<'_> {
    fn of<X: Decimate<H>, H: Sample>(&self, taps: &[H]) -> Made {
        let kernel = BoxedFirDecimator::<X, H>::new(taps, self.factor, self.phase)?;
        self.delay.set(kernel.config().group_delay());
        Ok(Box::new(Rate(kernel)))
    }
}

impl WithTaps for MakeDecimator<'_> {
    const INPUTS: &'static [&'static str] = WITH_FIXED_POINT;

    fn make<X: Decimate<H>, H: Sample>(self, taps: &[H]) -> Made {
        self.of::<X, H>(taps)
    }

    fn make_fixed<Q: Decimate<Q>>(self, taps: &[Q]) -> Made {
        self.of::<Q, Q>(taps)
    }
}

declare! {
    "passband.resample" FirDecimator: VariableLength { taps: Taps, delay: Option<f64> }
    new(taps, factor, *, phase=0, dtype=None)
        = |py, taps: &Bound<'_, PyAny>, factor: usize = ratio, phase: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, MakeDecimator::INPUTS)?;
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
        "[64, 32, -16], 3, dtype='q7'": "int8" => "int8",
        "[16384, 8192, -4096], 2, phase=1, dtype='q15'": "int16" => "int16",
        "[1 << 30, 1 << 29, -(1 << 28)], 3, dtype='q31'": "int32" => "int32",
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

/// A kernel with its delay.
macro_rules! cic {
    ($dtype:ident, $Class:ident($($argument:ident),*)) => {{
        let made = typed!($dtype, "q15", ["q15": Q15, "q31": Q31], Q => {
            resample::$Class::<Q>::new($($argument),*).map(|kernel| {
                let delay = kernel.group_delay();
                (Box::new(Rate(kernel)) as Box<dyn Erased>, delay)
            })
        });
        made.map_err(|error| refused(error, &[$((stringify!($argument), &$argument)),*]))?
    }};
}

declare! {
    "passband.resample" CicDecimator: VariableLength { group_delay: f64 }
    new(factor, order, *, delay=1, phase=0, dtype=None) as "(factor, order, *, delay=1, phase=0, dtype='q15')"
        = |py, factor: usize = ratio, order: usize = whole, delay: usize = whole, phase: usize = whole,
           dtype: Option<&Bound<'_, PyAny>>| {
        let (kernel, group_delay) = cic!(dtype, CicDecimator(factor, order, delay, phase));
        let kernel = Kernel::new(py, "CicDecimator", kernel)?;
        Ok((kernel.typed().ns_per_sample(0.5 * order as f64), Self { group_delay }))
    }
    examples {
        "3, 2": "int16" => "int16",
        "7, 3, delay=2, phase=3": "int16" => "int16",
        "2, 4, dtype='q31'": "int32" => "int32",
    }
    #[doc = stub_doc!("CicDecimator.group_delay")]
    #[getter]
    fn group_delay(&self) -> f64 {
        self.group_delay
    }
}

declare! {
    "passband.resample" CicInterpolator: VariableLength { group_delay: f64 }
    new(factor, order, *, delay=1, dtype=None) as "(factor, order, *, delay=1, dtype='q15')"
        = |py, factor: usize = ratio, order: usize = whole, delay: usize = whole,
           dtype: Option<&Bound<'_, PyAny>>| {
        let (kernel, group_delay) = cic!(dtype, CicInterpolator(factor, order, delay));
        let kernel = Kernel::new(py, "CicInterpolator", kernel)?;
        let ns = (5.0 + order as f64) * factor as f64;
        Ok((kernel.typed().ns_per_sample(ns), Self { group_delay }))
    }
    examples {
        "3, 2": "int16" => "int16",
        "2, 3, delay=2": "int16" => "int16",
        "4, 4, dtype='q31'": "int32" => "int32",
    }
    #[doc = stub_doc!("CicInterpolator.group_delay")]
    #[getter]
    fn group_delay(&self) -> f64 {
        self.group_delay
    }
}

/// A maker of a half-band kernel, which tells its delay in input samples.
macro_rules! half_band {
    ($Make:ident: $Boxed:ident, $inputs_per_sample:literal) => {
        struct $Make<'a> {
            delay: &'a Cell<Option<f64>>,
        }

        impl $Make<'_> {
            fn of<X: Halve<H>, H: Sample>(&self, taps: &[H]) -> Made {
                let kernel = $Boxed::<X, H>::new(taps)?;
                self.delay.set(kernel.config().group_delay().map(|delay| delay * $inputs_per_sample));
                Ok(Box::new(Rate(kernel)))
            }
        }

        impl WithTaps for $Make<'_> {
            const INPUTS: &'static [&'static str] = WITH_FIXED_POINT;

            fn make<X: Halve<H>, H: Sample>(self, taps: &[H]) -> Made {
                self.of::<X, H>(taps)
            }

            fn make_fixed<Q: Halve<Q>>(self, taps: &[Q]) -> Made {
                self.of::<Q, Q>(taps)
            }
        }
    };
}

half_band!(MakeHalfbandDecimator: BoxedHalfbandDecimator, 1.0);
half_band!(MakeHalfbandInterpolator: BoxedHalfbandInterpolator, 0.5);

/// A class around a half-band kernel.
macro_rules! half_band_class {
    ($Class:ident by $Make:ident, $work:literal) => {
        declare! {
            "passband.resample" $Class: VariableLength { taps: Taps, delay: Option<f64> }
            new(taps, *, dtype=None) = |py, taps: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>| {
                let taps = Taps::new(taps, dtype, WITH_FIXED_POINT)?;
                let delay = Cell::new(None);
                let kernel = taps.kernel(py, $Make { delay: &delay }, &[])?;
                let kernel = Kernel::new(py, stringify!($Class), kernel)?.of(taps.parts(py)?);
                let ns = $work * taps.work_ns(py)?;
                Ok((kernel.typed().ns_per_sample(ns), Self { taps, delay: delay.get() }))
            }
            examples {
                "[0.25, 0.5, 0.25]": "float64" => "float64",
                "[-0.0625, 0, 0.25, 0.5, 0.25, 0, -0.0625], dtype='float32'": "float32" => "float32",
                "[0.25, 0.5, 0.25], dtype='complex64'": "complex64" => "complex64",
                "[0.5, 1.0, 0.25], dtype='complex128'": "complex128" => "complex128",
                "[0.5, 1.0, 0.25j], dtype='float32'": "float32" => "complex64",
                "[0.5, 1.0, 0.25j], dtype='float64'": "float64" => "complex128",
                "[0.5, 1.0, 0.25j], dtype='complex64'": "complex64" => "complex64",
                "[0.5, 1.0, 0.25j]": "complex128" => "complex128",
                "[32, 64, 32], dtype='q7'": "int8" => "int8",
                "[-2048, 0, 8192, 16384, 8192, 0, -2048], dtype='q15'": "int16" => "int16",
                "[1 << 29, 1 << 30, 1 << 29], dtype='q31'": "int32" => "int32",
            }
            #[doc = stub_doc!(stringify!($Class), ".taps")]
            #[getter]
            fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.taps.copy(py)
            }
            #[doc = stub_doc!(stringify!($Class), ".group_delay")]
            #[getter]
            fn group_delay(&self) -> Option<f64> {
                self.delay
            }
        }
    };
}

half_band_class!(HalfbandDecimator by MakeHalfbandDecimator, 0.25);
half_band_class!(HalfbandInterpolator by MakeHalfbandInterpolator, 0.5);
