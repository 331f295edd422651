//! `passband.math`.

use crate::declare::{Family, function_item, stub_doc};
use crate::marshal::{floating, map, one_of};
use num_complex::Complex;
use passband_kernels::math;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "math",
    doc: stub_doc!("math"),
    at_top: false,
    items: &[
        function_item!(magnitude, examples {
            "": "float32" => "float32",
            "": "float64" => "float64",
            "": "complex64" => "float32",
            "": "complex128" => "float64",
        }),
        function_item!(magnitude_squared, examples {
            "": "float32" => "float32",
            "": "float64" => "float64",
            "": "complex64" => "float32",
            "": "complex128" => "float64",
        }),
    ],
};

/// A function of samples of any floating-point type.
macro_rules! of_samples {
    ($name:ident) => {
        #[doc = stub_doc!("math.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = (x, out=None))]
        fn $name<'py>(x: &Bound<'py, PyAny>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
            let name = stringify!($name);
            let (dtype, x) = one_of("x", x, &floating(x.py())?)?;
            match dtype {
                "float32" => map(name, &x, out, |x: &[f32], y| math::$name(x, y)),
                "float64" => map(name, &x, out, |x: &[f64], y| math::$name(x, y)),
                "complex64" => map(name, &x, out, |x: &[Complex<f32>], y| math::$name(x, y)),
                _ => map(name, &x, out, |x: &[Complex<f64>], y| math::$name(x, y)),
            }
        }
    };
}

of_samples!(magnitude);
of_samples!(magnitude_squared);
