//! Filters that adapt, and a controller.

use crate::declare::{declare, stub_doc, typed};
use crate::marshal::{
    Erased, Kernel, MapInPlace, TwoIn, counted, fill, made_in_room, positive, refused, shown,
};
use crate::shape::TwoInput;
use crate::source::scaled;
use num_complex::Complex;
use passband_kernels::filter::{self, BoxedLms, BoxedNlms, PidConfig};
use passband_kernels::sample::Q15;
use pyo3::prelude::*;

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
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "q15": Q15, "float32": f32
        ], X => made_in_room::<[Complex<f64>; 4], _>(py, length.min(1), length, |length| {
            BoxedNlms::<X>::new(length, step_size, regularization).map(|nlms| TwoIn(nlms).boxed())
        })?);
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
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "q15": Q15, "float32": f32
        ], X => made_in_room::<[Complex<f64>; 4], _>(py, length.min(1), length, |length| {
            BoxedLms::<X>::new(length, step_size).map(|lms| TwoIn(lms).boxed())
        })?);
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
            ki: scaled("ki / fs", ki, ki / fs, fs)?,
            kd: scaled("kd * fs", kd, kd * fs, fs)?,
            derivative_time: scaled("derivative_time * fs", derivative_time, derivative_time * fs, fs)?,
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
