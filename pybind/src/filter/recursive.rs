//! Filters with feedback.

use crate::declare::{declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, MapInPlace, Sections, positive, refused, shown, whole};
use num_complex::Complex;
use passband_kernels::filter;
use pyo3::prelude::*;

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
