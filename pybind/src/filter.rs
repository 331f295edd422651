//! `passband.filter`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{
    Erased, Kernel, Map, MapInPlace, RateHeld, Sections, Taps, TwoIn, WithTaps, counted, fill, refused, room,
    shown, whole,
};
use crate::shape::TwoInput;
use num_complex::Complex;
use passband_kernels::filter::{
    self, BoxedFftFir, BoxedFir, BoxedMovingAverage, BoxedNlms, FftFilter, Filter,
};
use passband_kernels::sample::{Q15, Sample};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "filter",
    doc: stub_doc!("filter"),
    at_top: true,
    items: &[Fir::ITEM, FftFir::ITEM, Sos::ITEM, MovingAverage::ITEM, DcBlocker::ITEM, Nlms::ITEM],
};

type Made = Result<Box<dyn Erased>, ConfigError>;

struct MakeFir;

impl WithTaps for MakeFir {
    const INPUTS: &'static [&'static str] = &["float32", "float64", "complex64", "complex128", "q15"];

    fn make<X: Filter<H>, H: Sample>(self, taps: &[H]) -> Made {
        Ok(Map(BoxedFir::<X, H>::new(taps)?).boxed())
    }

    fn make_q15(self, taps: &[Q15]) -> Made {
        Ok(Map(BoxedFir::<Q15, Q15>::new(taps)?).boxed())
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
        "[[0.5, 0.25, -0.125, 1, -0.25, 0.5]], channels=1": "float64" => "float64",
        "[[1, 2, 1, 1, -0.5, 0.25]] * 3, channels=2, dtype='float32'": "float32" => "float32",
        "[[1, 2, 1, 1, -0.5, 0.25]] * 2, channels=5, dtype='complex64'": "complex64" => "complex64",
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

declare! {
    "passband.filter" Nlms: TwoInput {}
    new(length, step_size, *, regularization=1e-6, dtype=None)
        as "(length, step_size, *, regularization=1e-06, dtype='float32')"
        = |py, length: usize = whole, step_size: f64 = real, regularization: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        // The weights, the past, and a scratch twice as long.
        room::<[Complex<f64>; 4]>(length)?;
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
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
    }
    #[doc = stub_doc!("Nlms.taps")]
    #[getter]
    fn taps<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, kernel) = (this.py(), TwoInput::cell(this.as_super()));
        let name = kernel.spec.input.name;
        typed!(by name, [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => {
            let taps: Vec<X> = kernel.with(|nlms: &mut BoxedNlms<X>| nlms.taps().collect())?;
            fill(py, "Nlms", taps.len(), None, |to: &mut [X]| to.copy_from_slice(&taps))
        })
    }
}
