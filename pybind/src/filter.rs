//! `passband.filter`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{
    Erased, Kernel, Map, MapInPlace, RateHeld, Sections, Taps, TwoIn, WithTaps, counted, fill, positive,
    refused, room, shown, whole,
};
use crate::shape::{Blockwise, TwoInput};
use num_complex::Complex;
use passband_kernels::filter::{
    self, BoxedFftFir, BoxedFir, BoxedHilbert, BoxedLms, BoxedMovingAverage, BoxedMovingMedian, BoxedNlms,
    FftFilter, Filter, PidConfig,
};
use passband_kernels::sample::{Q15, Sample};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "filter",
    doc: stub_doc!("filter"),
    at_top: true,
    items: &[
        Fir::ITEM,
        FftFir::ITEM,
        Hilbert::ITEM,
        Sos::ITEM,
        Allpass::ITEM,
        MovingAverage::ITEM,
        MovingMedian::ITEM,
        OnePole::ITEM,
        Deemphasis::ITEM,
        DcBlocker::ITEM,
        Nlms::ITEM,
        Lms::ITEM,
        Pid::ITEM,
    ],
};

type Made = Result<Box<dyn Erased>, ConfigError>;

struct MakeFir;

impl WithTaps for MakeFir {
    const INPUTS: &'static [&'static str] =
        &["float32", "float64", "complex64", "complex128", "q7", "q15", "q31"];

    fn make<X: Filter<H>, H: Sample>(self, taps: &[H]) -> Made {
        Ok(Map(BoxedFir::<X, H>::new(taps)?).boxed())
    }

    fn make_fixed<Q: Filter<Q>>(self, taps: &[Q]) -> Made {
        Ok(Map(BoxedFir::<Q, Q>::new(taps)?).boxed())
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
        "[64, 32, -16], dtype='q7'": "int8" => "int8",
        "[16384, 8192, -4096], dtype='q15'": "int16" => "int16",
        "[1 << 30, 1 << 29, -(1 << 28)], dtype='q31'": "int32" => "int32",
    }
    #[doc = stub_doc!("Fir.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
}

struct MakeFftFir;

impl WithTaps for MakeFftFir {
    const INPUTS: &'static [&'static str] = &["float32", "float64", "complex64", "complex128"];

    fn make<X: FftFilter<H>, H: Sample>(self, taps: &[H]) -> Made {
        Ok(RateHeld(BoxedFftFir::<X, H>::new(taps)?).boxed())
    }

    /// Six frames of up to eight times the taps.
    fn bytes<X, H>(taps: usize) -> usize {
        taps.saturating_mul(6 * 8 * size_of::<Complex<f64>>())
    }
}

declare! {
    "passband.filter" FftFir: Buffered { taps: Taps }
    new(taps, *, dtype=None) = |py, taps: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>| {
        let taps = Taps::new(taps, dtype, MakeFftFir::INPUTS)?;
        let kernel = Kernel::new(py, "FftFir", taps.kernel(py, MakeFftFir, &[])?)?;
        Ok((kernel.of(taps.parts(py)?).typed().ns_per_sample(20.0), Self { taps }))
    }
    examples {
        "[0.5, 0.25, -0.125]": "float64" => "float64",
        "[0.25] * 40, dtype='float32'": "float32" => "float32",
        "[0.5, 0.25, -0.125], dtype='complex64'": "complex64" => "complex64",
        "[0.5] * 9, dtype='complex128'": "complex128" => "complex128",
        "[0.5, 0.25j], dtype='float32'": "float32" => "complex64",
        "[0.5, 0.25j], dtype='float64'": "float64" => "complex128",
        "[0.5, 0.25j], dtype='complex64'": "complex64" => "complex64",
        "[0.5, 0.25j]": "complex128" => "complex128",
    }
    #[doc = stub_doc!("FftFir.taps")]
    #[getter]
    fn taps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.taps.copy(py)
    }
}

declare! {
    "passband.filter" Hilbert: Blockwise {}
    new(length, *, beta=8.0, dtype=None) as "(length, *, beta=8.0, dtype='float32')"
        = |py, length: usize = whole, beta: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        // The taps, the past, and a scratch twice as long.
        room::<[f64; 4]>(length)?;
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => {
            BoxedHilbert::<X>::new(length, beta).map(|kernel| Map(kernel).boxed())
        });
        let kernel = kernel.map_err(|error| refused(error, &[("length", &length), ("beta", &shown(beta))]))?;
        let kernel = Kernel::new(py, "Hilbert", kernel)?.of(counted(length, "tap"));
        Ok((kernel.typed().ns_per_sample(0.5 + 0.02 * length as f64), Self {}))
    }
    examples {
        "31": "float32" => "complex64",
        "7, beta=2.0, dtype='float64'": "float64" => "complex128",
    }
    #[doc = stub_doc!("Hilbert.taps")]
    #[getter]
    fn taps<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, kernel) = (this.py(), Blockwise::cell(this.as_super()));
        let name = kernel.spec.input.name;
        typed!(by name, ["float64": f64, "float32": f32], X => {
            let taps: Vec<X> = kernel.with(|hilbert: &mut BoxedHilbert<X>| hilbert.taps().collect())?;
            fill(py, "Hilbert", taps.len(), None, |to: &mut [X]| to.copy_from_slice(&taps))
        })
    }
}

declare! {
    "passband.filter" Sos: MultiChannel { sections: Sections }
    new(sos, *, channels=None, dtype=None)
        = |py, sos: &Bound<'_, PyAny>, channels: Option<&Bound<'_, PyAny>>, dtype: Option<&Bound<'_, PyAny>>| {
        let channels = channels.map(whole::channels).transpose()?;
        let sections = Sections::new(sos, dtype)?;
        let kernel = Kernel::new(py, "Sos", sections.kernel(sos, channels)?)?.of(sections.parts(channels));
        let ns = sections.work_ns();
        Ok((kernel.typed().ns_per_sample(ns), Self { sections }))
    }
    examples {
        "[[0.5, 0.25, -0.125, 1, -0.25, 0.5]]": "float64" => "float64",
        "[[1, 2, 1, 1, -0.5, 0.25], [0.5, 0, 0, 1, 0.5, 0]], dtype='float32'": "float32" => "float32",
        "[[1, 2, 1, 1, -0.5, 0.25]] * 9, dtype='complex64'": "complex64" => "complex64",
        "[[1, 2, 1, 1, -0.5, 0.25], [0.5, 0, 0, 1, 0.5, 0]], dtype='complex128'": "complex128" => "complex128",
        "[[4096, 8192, -4096, 16384, -16384, 8192]] * 2, dtype='q15'": "int16" => "int16",
        "[[1 << 28, 1 << 27, 0, 1 << 30, -(1 << 30), 1 << 29]], dtype='q31'": "int32" => "int32",
        "[[0.5, 0.25, -0.125, 1, -0.25, 0.5]], channels=1": "float64" => "float64",
        "[[1, 2, 1, 1, -0.5, 0.25]] * 3, channels=2, dtype='float32'": "float32" => "float32",
        "[[1, 2, 1, 1, -0.5, 0.25]] * 2, channels=5, dtype='complex64'": "complex64" => "complex64",
        "[[4096, 8192, -4096, 16384, -16384, 8192]], channels=3, dtype='q15'": "int16" => "int16",
    }
    #[doc = stub_doc!("Sos.sos")]
    #[getter]
    fn sos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.sections.copy(py)
    }
}

declare! {
    "passband.filter" MovingAverage: Blockwise {}
    new(length, *, dtype=None) as "(length, *, dtype='float32')"
        = |py, length: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        room::<Complex<f64>>(length)?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => BoxedMovingAverage::<X>::new(length).map(|kernel| MapInPlace(kernel).boxed()));
        let kernel = kernel.map_err(|error| refused(error, &[("length", &length)]))?;
        let kernel = Kernel::new(py, "MovingAverage", kernel)?.of(counted(length, "sample"));
        Ok((kernel.typed().ns_per_sample(1.5), Self {}))
    }
    examples {
        "5": "float32" => "float32",
        "1, dtype='float64'": "float64" => "float64",
        "7, dtype='complex64'": "complex64" => "complex64",
        "12, dtype='complex128'": "complex128" => "complex128",
    }
}

declare! {
    "passband.filter" MovingMedian: Blockwise {}
    new(length, *, dtype=None) as "(length, *, dtype='float32')"
        = |py, length: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        room::<[u64; 2]>(length)?;
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => {
            BoxedMovingMedian::<X>::new(length).map(|kernel| MapInPlace(kernel).boxed())
        });
        let kernel = kernel.map_err(|error| refused(error, &[("length", &length)]))?;
        let kernel = Kernel::new(py, "MovingMedian", kernel)?.of(counted(length, "sample"));
        Ok((kernel.typed().ns_per_sample(10.0 + 5.0 * (length as f64).log2()), Self {}))
    }
    examples {
        "5": "float32" => "float32",
        "8, dtype='float64'": "float64" => "float64",
    }
}

declare! {
    "passband.filter" OnePole: Blockwise {}
    new(alpha, *, dtype=None) as "(alpha, *, dtype='float32')"
        = |py, alpha: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => filter::OnePole::<X>::new(alpha).map(|kernel| MapInPlace(kernel).boxed()));
        let kernel = kernel.map_err(|error| refused(error, &[("alpha", &shown(alpha))]))?;
        let kernel = Kernel::new(py, "OnePole", kernel)?;
        Ok((kernel.typed().ns_per_sample(1.5), Self {}))
    }
    examples {
        "0.1": "float32" => "float32",
        "0.5, dtype='float64'": "float64" => "float64",
        "0.25, dtype='complex64'": "complex64" => "complex64",
        "1.0, dtype='complex128'": "complex128" => "complex128",
    }
}

declare! {
    "passband.filter" Deemphasis: Blockwise {}
    new(time_constant, *, fs=1.0, dtype=None) as "(time_constant, *, fs=1.0, dtype='float32')"
        = |py, time_constant: f64 = real, fs: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let samples = time_constant * positive("fs", fs)?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => filter::Deemphasis::<X>::new(samples).map(|kernel| MapInPlace(kernel).boxed()));
        let given = format!("{} at fs={}", shown(time_constant), shown(fs));
        let kernel = kernel.map_err(|error| refused(error, &[("time_constant", &given)]))?;
        let kernel = Kernel::new(py, "Deemphasis", kernel)?;
        Ok((kernel.typed().ns_per_sample(1.5), Self {}))
    }
    examples {
        "50e-6, fs=240e3": "float32" => "float32",
        "3.6, dtype='float64'": "float64" => "float64",
        "75e-6, fs=48000, dtype='complex64'": "complex64" => "complex64",
        "0.5, dtype='complex128'": "complex128" => "complex128",
    }
}

declare! {
    "passband.filter" Allpass: Blockwise {}
    new(a1, a2=None, *, dtype=None) as "(a1, a2=None, *, dtype='float32')"
        = |py, a1: f64 = real, a2: Option<f64> = real_or_none, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => match a2 {
            Some(a2) => filter::Allpass::<X>::second_order(a1, a2),
            None => filter::Allpass::first_order(a1),
        }.map(|kernel| MapInPlace(kernel).boxed()));
        let kernel = kernel.map_err(|error| {
            refused(error, &[("a1", &shown(a1)), ("a2", &shown(a2.unwrap_or_default()))])
        })?;
        let order = if a2.is_some() { 2 } else { 1 };
        let kernel = Kernel::new(py, "Allpass", kernel)?.of(format!("order {order}"));
        Ok((kernel.typed().ns_per_sample(3.0), Self {}))
    }
    examples {
        "0.5": "float32" => "float32",
        "-1.2, 0.81, dtype='float64'": "float64" => "float64",
        "0.25, -0.5, dtype='complex64'": "complex64" => "complex64",
        "-0.75, dtype='complex128'": "complex128" => "complex128",
    }
}

declare! {
    "passband.filter" DcBlocker: Blockwise {}
    new(pole, *, dtype=None) as "(pole, *, dtype='float32')"
        = |py, pole: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => filter::DcBlocker::<X>::new(pole).map(|kernel| MapInPlace(kernel).boxed()));
        let kernel = kernel.map_err(|error| refused(error, &[("pole", &shown(pole))]))?;
        let kernel = Kernel::new(py, "DcBlocker", kernel)?;
        Ok((kernel.typed().ns_per_sample(1.5), Self {}))
    }
    examples {
        "0.9": "float32" => "float32",
        "0.5, dtype='float64'": "float64" => "float64",
        "0.9, dtype='complex64'": "complex64" => "complex64",
        "0.99, dtype='complex128'": "complex128" => "complex128",
    }
}

/// A copy of the weights of an adaptive filter.
macro_rules! weights {
    ($this:ident, $name:literal, $Kernel:ident) => {{
        let (py, kernel) = ($this.py(), TwoInput::cell($this.as_super()));
        let name = kernel.spec.input.name;
        typed!(by name, [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "q15": Q15, "float32": f32
        ], X => {
            let taps: Vec<X> = kernel.with(|kernel: &mut $Kernel<X>| kernel.taps().collect())?;
            fill(py, $name, taps.len(), None, |to: &mut [X]| to.copy_from_slice(&taps))
        })
    }};
}

declare! {
    "passband.filter" Nlms: TwoInput {}
    new(length, step_size, *, regularization=1e-6, dtype=None)
        as "(length, step_size, *, regularization=1e-06, dtype='float32')"
        = |py, length: usize = whole, step_size: f64 = real, regularization: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        // The weights, the past, and a scratch twice as long.
        room::<[Complex<f64>; 4]>(length)?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "q15": Q15, "float32": f32
        ], X => BoxedNlms::<X>::new(length, step_size, regularization).map(|nlms| TwoIn(nlms).boxed()));
        let arguments: [(&str, &dyn std::fmt::Display); 3] = [
            ("length", &length),
            ("step_size", &shown(step_size)),
            ("regularization", &shown(regularization)),
        ];
        let kernel = kernel.map_err(|error| refused(error, &arguments))?;
        let kernel = Kernel::new(py, "Nlms", kernel)?.of(counted(length, "tap"));
        Ok((kernel.typed().ns_per_sample(5.0 + 0.2 * length as f64), Self {}))
    }
    examples {
        "4, 0.5": "float32" => "float32",
        "17, 0.25, regularization=0.0, dtype='float64'": "float64" => "float64",
        "3, 1.0, dtype='complex64'": "complex64" => "complex64",
        "1, 0.5, dtype='complex128'": "complex128" => "complex128",
        "3, 0.5, regularization=0.25, dtype='q15'": "int16" => "int16",
    }
    #[doc = stub_doc!("Nlms.taps")]
    #[getter]
    fn taps<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        weights!(this, "Nlms", BoxedNlms)
    }
}

declare! {
    "passband.filter" Lms: TwoInput {}
    new(length, step_size, *, dtype=None) as "(length, step_size, *, dtype='float32')"
        = |py, length: usize = whole, step_size: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        // The weights, the past, and a scratch twice as long.
        room::<[Complex<f64>; 4]>(length)?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "q15": Q15, "float32": f32
        ], X => BoxedLms::<X>::new(length, step_size).map(|lms| TwoIn(lms).boxed()));
        let arguments: [(&str, &dyn std::fmt::Display); 2] =
            [("length", &length), ("step_size", &shown(step_size))];
        let kernel = kernel.map_err(|error| refused(error, &arguments))?;
        let kernel = Kernel::new(py, "Lms", kernel)?.of(counted(length, "tap"));
        Ok((kernel.typed().ns_per_sample(4.0 + 0.15 * length as f64), Self {}))
    }
    examples {
        "4, 0.03125": "float32" => "float32",
        "17, 0.01, dtype='float64'": "float64" => "float64",
        "3, 0.0625, dtype='complex64'": "complex64" => "complex64",
        "1, 0.125, dtype='complex128'": "complex128" => "complex128",
        "5, 0.0625, dtype='q15'": "int16" => "int16",
    }
    #[doc = stub_doc!("Lms.taps")]
    #[getter]
    fn taps<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        weights!(this, "Lms", BoxedLms)
    }
}

declare! {
    "passband.filter" Pid: Blockwise {}
    new(kp, ki=0.0, kd=0.0, *, fs=1.0, derivative_time=0.0, low=None, high=None, dtype=None)
        as "(kp, ki=0.0, kd=0.0, *, fs=1.0, derivative_time=0.0, low=None, high=None, dtype='float32')"
        = |
            py,
            kp: f64 = real,
            ki: f64 = real,
            kd: f64 = real,
            fs: f64 = real,
            derivative_time: f64 = real,
            low: Option<f64> = real_or_none,
            high: Option<f64> = real_or_none,
            dtype: Option<&Bound<'_, PyAny>>
        | {
        let fs = positive("fs", fs)?;
        let config = PidConfig {
            kp,
            ki: ki / fs,
            kd: kd * fs,
            derivative_time: derivative_time * fs,
            low: low.unwrap_or(f64::NEG_INFINITY),
            high: high.unwrap_or(f64::INFINITY),
        };
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => {
            filter::Pid::<X>::new(config).map(|kernel| MapInPlace(kernel).boxed())
        });
        let arguments: [(&str, &dyn std::fmt::Display); 6] = [
            ("kp", &shown(kp)),
            ("ki", &shown(ki)),
            ("kd", &shown(kd)),
            ("derivative_time", &shown(derivative_time)),
            ("low", &shown(config.low)),
            ("high", &shown(config.high)),
        ];
        let kernel = kernel.map_err(|error| refused(error, &arguments))?;
        let kernel = Kernel::new(py, "Pid", kernel)?;
        Ok((kernel.typed().ns_per_sample(5.0), Self {}))
    }
    examples {
        "2.0": "float32" => "float32",
        "0.5, 0.25, 0.125, fs=4.0, derivative_time=0.5": "float32" => "float32",
        "1.0, 0.5, 0.25, low=-1.0, high=1.5, dtype='float64'": "float64" => "float64",
    }
}
