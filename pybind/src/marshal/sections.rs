//! Second-order sections as an argument.

use super::dtype::Dtype;
use super::erased::Erased;
use super::error::{given, refused, room, type_error, value_error};
use super::input::convert;
use super::samples::Samples;
use super::taps::coefficients;
use super::wrap::MapInPlace;
use bytemuck::cast_slice;
use num_complex::Complex;
use passband_kernels::filter::{BoxedSos, Section};
use pyo3::prelude::*;

/// Sections of a filter, rounded once, with the type of the samples that they filter.
pub(crate) struct Sections {
    input: &'static str,
    array: Py<PyAny>,
    count: usize,
}

const INPUTS: &[&str] = &["float32", "float64", "complex64", "complex128"];

impl Sections {
    /// Reads the arguments `sos` and `dtype`.
    pub(crate) fn new(sos: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (input, array) = coefficients("sos", 2, sos, dtype, INPUTS)?;
        let (rows, columns): (usize, usize) = array.getattr("shape")?.extract()?;
        if columns != 6 {
            return Err(value_error("sos", "shape (n, 6)", format!("({rows}, {columns})")));
        }
        let own: String = array.getattr("dtype")?.str()?.extract()?;
        if own.starts_with("complex") {
            return Err(type_error("sos", "real coefficients", &own));
        }
        Ok(Self { input, array: array.unbind(), count: rows })
    }

    /// The kernel over these sections.
    pub(crate) fn kernel(&self, sos: &Bound<'_, PyAny>) -> PyResult<Box<dyn Erased>> {
        let py = sos.py();
        macro_rules! make {
            ($X:ty, $H:ty) => {{
                let dtype = Dtype::sample::<$H>(py)?;
                let rows: Samples<'_, '_, 2> = convert("sos", self.array.bind(py), &dtype, "")?;
                let rows: &[[$H; 6]] = cast_slice(rows.bytes());
                // What the kernel allocates for a section.
                room::<[$X; 16]>(rows.len())?;
                let sections = rows.iter().map(|row| Section::<$H>::new(*row));
                let sections = sections.collect::<Result<Vec<_>, _>>();
                sections
                    .and_then(|sections| BoxedSos::<$X>::new(&sections))
                    .map(|sos| MapInPlace(sos).boxed())
            }};
        }
        let made = match self.input {
            "float32" => make!(f32, f32),
            "complex64" => make!(Complex<f32>, f32),
            "complex128" => make!(Complex<f64>, f64),
            _ => make!(f64, f64),
        };
        made.map_err(|error| refused(error, &[("sos", &given(sos))]))
    }

    /// Their number, for a `repr`.
    pub(crate) fn parts(&self) -> String {
        format!("{} section{}", self.count, if self.count == 1 { "" } else { "s" })
    }

    /// The estimated work per sample.
    pub(crate) fn work_ns(&self) -> f64 {
        2.0 + self.count as f64
    }

    /// A copy of the sections.
    pub(crate) fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).call_method0("copy")
    }
}
