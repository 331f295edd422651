//! Second-order sections as an argument.

use super::argument::counted;
use super::dtype::Dtype;
use super::erased::Erased;
use super::error::{given, refused, room, type_error, value_error};
use super::input::convert;
use super::samples::Samples;
use super::taps::coefficients;
use super::wrap::{Channels, MapInPlace};
use bytemuck::cast_slice;
use num_complex::Complex;
use passband_kernels::BoxedChannels;
use passband_kernels::filter::{Recursive, Section, Sos, SosConfig};
use passband_kernels::sample::{Q15, Q31, Sample};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Sections of a filter, rounded once, with the type of the samples that they filter.
pub(crate) struct Sections {
    input: &'static str,
    array: Py<PyAny>,
    count: usize,
}

const INPUTS: &[&str] = &["float32", "float64", "complex64", "complex128", "q15", "q31"];

/// All channels share one config.
fn made<X, H>(sections: Box<[Section<H>]>, channels: Option<usize>) -> Result<Box<dyn Erased>, ConfigError>
where
    X: Recursive<Component = H> + 'static,
    H: Sample + 'static,
{
    let states: Box<[[X; 4]]> = vec![[X::ZERO; 4]; sections.len()].into();
    let sos = Sos::over(Arc::new(SosConfig::new(sections)?), states)?;
    match channels {
        None => Ok(MapInPlace(sos).boxed()),
        Some(channels) => BoxedChannels::new(sos, channels).map(|sos| Channels(sos).boxed()),
    }
}

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

    /// The kernel over these sections, with a state for each of so many channels.
    pub(crate) fn kernel(
        &self,
        sos: &Bound<'_, PyAny>,
        channels: Option<usize>,
    ) -> PyResult<Box<dyn Erased>> {
        let py = sos.py();
        macro_rules! make {
            ($X:ty, $H:ty) => {{
                let dtype = Dtype::sample::<$H>(py)?;
                let rows: Samples<'_, '_, 2> = convert("sos", self.array.bind(py), &dtype, "")?;
                let rows: &[[$H; 6]] = cast_slice(rows.bytes());
                let mut sections = room(rows.len())?;
                let read = rows.iter().try_for_each(|row| {
                    sections.push(Section::<$H>::new(*row)?);
                    Ok(())
                });
                if read.is_ok() {
                    // What the kernel allocates for a section, in each channel once more.
                    room::<[$X; 18]>(rows.len().saturating_mul(channels.unwrap_or(1)))?;
                }
                read.and_then(|()| made::<$X, $H>(sections.into(), channels))
            }};
        }
        let made = match self.input {
            "float32" => make!(f32, f32),
            "complex64" => make!(Complex<f32>, f32),
            "complex128" => make!(Complex<f64>, f64),
            "q15" => make!(Q15, Q15),
            "q31" => make!(Q31, Q31),
            _ => make!(f64, f64),
        };
        made.map_err(|error| refused(error, &[("sos", &given(sos)), ("channels", &0)]))
    }

    /// Their number, for a `repr`.
    pub(crate) fn parts(&self, channels: Option<usize>) -> String {
        let sections = counted(self.count, "section");
        channels.map_or(sections.clone(), |channels| format!("{sections}, {}", counted(channels, "channel")))
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
