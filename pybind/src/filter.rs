//! `passband.filter`.

mod adaptive;
mod recursive;

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{
    Erased, Kernel, Map, MapInPlace, RateHeld, Taps, WithTaps, counted, fill, made_in_room, refused, shown,
};
use crate::shape::Blockwise;
use adaptive::{Lms, Nlms, Pid};
use num_complex::Complex;
use passband_kernels::filter::{
    BoxedFftFir, BoxedFir, BoxedHilbert, BoxedMovingAverage, BoxedMovingMedian, FftFilter, Filter,
};
use passband_kernels::sample::Sample;
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;
use recursive::{Allpass, DcBlocker, Deemphasis, OnePole, Sos};

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

struct MakeFir;

impl WithTaps for MakeFir {
    const INPUTS: &'static [&'static str] =
        &["float32", "float64", "complex64", "complex128", "q7", "q15", "q31"];
    type Made = Box<dyn Erased>;

    fn make<X: Filter<H>, H: Sample>(self, taps: &[H]) -> Result<Self::Made, ConfigError> {
        Ok(Map(BoxedFir::<X, H>::new(taps)?).boxed())
    }

    fn make_fixed<Q: Filter<Q>>(self, taps: &[Q]) -> Result<Self::Made, ConfigError> {
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
    type Made = Box<dyn Erased>;

    fn make<X: FftFilter<H>, H: Sample>(self, taps: &[H]) -> Result<Self::Made, ConfigError> {
        Ok(RateHeld(BoxedFftFir::<X, H>::new(taps)?).boxed())
    }

    /// Six frames of up to eight times the taps; more than the most taps are refused.
    fn bytes<X, H>(taps: usize) -> usize {
        if taps > 1 << 22 { 0 } else { taps * 6 * 8 * size_of::<Complex<f64>>() }
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
        // The taps, the past, and a scratch twice as long. A length and its remainder by 4 are
        // refused alike.
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => {
            made_in_room::<[f64; 4], _>(py, length % 4, length, |length| {
                BoxedHilbert::<X>::new(length, beta).map(|kernel| Map(kernel).boxed())
            })?
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
    "passband.filter" MovingAverage: Blockwise {}
    new(length, *, dtype=None) as "(length, *, dtype='float32')"
        = |py, length: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => made_in_room::<Complex<f64>, _>(py, length.min(1), length, |length| {
            BoxedMovingAverage::<X>::new(length).map(|kernel| MapInPlace(kernel).boxed())
        })?);
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
        let least = usize::from((1..1 << 31).contains(&length));
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => {
            made_in_room::<[u64; 2], _>(py, least, length, |length| {
                BoxedMovingMedian::<X>::new(length).map(|kernel| MapInPlace(kernel).boxed())
            })?
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
