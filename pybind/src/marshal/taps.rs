//! Taps as arguments: which types they and the samples have, and the taps rounded to theirs.

use super::argument::counted;
use super::dtype::{Dtype, chosen, codes};
use super::error::{refused, room, type_error, value_error};
use super::input::{self, convert, is_literal, natural, rounded};
use super::samples::Samples;
use num_complex::Complex;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use passband_kernels::filter::FftFilter;
use passband_kernels::resample::{Decimate, Halve, Resample};
use passband_kernels::sample::{Q7, Q15, Q31, Sample};
use passband_kernels::shape::ConfigError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Taps of a filter, rounded once, with the type of the samples that they filter.
pub(crate) struct Taps {
    input: &'static str,
    array: Py<PyAny>,
}

/// Makes a kernel from taps of whatever type.
pub(crate) trait WithTaps: Send + Sized {
    /// The values of `dtype=`.
    const INPUTS: &'static [&'static str];

    /// The kernel, with what its class keeps of it.
    type Made: Send;

    /// Makes the kernel for floating-point samples.
    fn make<X, H>(self, taps: &[H]) -> Result<Self::Made, ConfigError>
    where
        X: Decimate<H> + FftFilter<H> + Halve<H> + Resample<H>,
        H: Sample;

    /// The most bytes that a kernel allocates: its taps, its history, and a scratch twice as long.
    fn bytes<X, H>(taps: usize) -> usize {
        taps.saturating_mul(size_of::<H>() + 3 * size_of::<X>())
    }

    /// Makes the kernel for fixed point; called where [`INPUTS`](Self::INPUTS) has such types.
    fn make_fixed<Q>(self, _taps: &[Q]) -> Result<Self::Made, ConfigError>
    where
        Q: Decimate<Q> + Halve<Q>,
    {
        Err(ConfigError { argument: "dtype", expected: "a floating-point type" })
    }
}

/// Raises MemoryError where a kernel would abort the process: it allocates without a way to fail.
fn room_for<K: WithTaps, X, H>(_: &K, taps: usize) -> PyResult<()> {
    room::<u8>(K::bytes::<X, H>(taps)).map(drop)
}

/// Reads the argument `name` as coefficients in so many dimensions, and `dtype`: the type of the
/// samples, and the coefficients rounded once to its precision.
pub(super) fn coefficients<'py>(
    name: &str,
    dimensions: usize,
    given: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    inputs: &[&'static str],
) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
    const TYPES: &str = "float32, float64, complex64 or complex128";
    let dtype = dtype.map(|dtype| chosen(dtype, inputs)).transpose()?;
    let array = natural(name, given, TYPES)?;
    let array = array.cast::<PyUntypedArray>()?;
    if array.ndim() != dimensions {
        return Err(value_error(name, &input::dimensions(dimensions), array.ndim()));
    }
    let (kind, own) = (array.dtype().kind(), array.dtype().to_string());
    let integers = kind != b'f' && kind != b'c';
    let literal = is_literal(given)?;
    let input = match (dtype, kind, array.dtype().itemsize()) {
        (Some(dtype), ..) => dtype,
        (None, b'f', 4) => "float32",
        (None, b'c', 8) => "complex64",
        (None, b'c', 16) => "complex128",
        (None, b'f', 8) => "float64",
        (None, ..) if integers => "float64",
        _ => return Err(type_error(name, TYPES, &own)),
    };
    // Whole numbers in a list are numbers; in an array they are codes.
    let fixed = codes(input).is_some();
    let mistaken = if fixed { !integers && !array.is_empty() } else { integers && !literal };
    if mistaken {
        let (expected, numbers) = if fixed {
            ("integer codes", String::new())
        } else {
            ("floating-point numbers", format!("; {name}.astype(float) makes them numbers"))
        };
        let q = if fixed { input } else { "q15" };
        let codes = if inputs.contains(&q) {
            format!("; passband.to_{q} turns numbers into codes, which are {name} with dtype='{q}'")
        } else {
            String::new()
        };
        let text = format!("{name}: expected {expected} with dtype={input}, given {own}{numbers}{codes}");
        return Err(PyTypeError::new_err(text));
    }
    let py = given.py();
    let rounded_to = match (input, kind) {
        ("q7", _) => Dtype::sample::<Q7>(py)?,
        ("q15", _) => Dtype::sample::<Q15>(py)?,
        ("q31", _) => Dtype::sample::<Q31>(py)?,
        ("float32" | "complex64", b'c') => Dtype::sample::<Complex<f32>>(py)?,
        ("float32" | "complex64", _) => Dtype::sample::<f32>(py)?,
        (_, b'c') => Dtype::sample::<Complex<f64>>(py)?,
        (..) => Dtype::sample::<f64>(py)?,
    };
    Ok((input, rounded(name, array, &rounded_to)?))
}

impl Taps {
    /// Reads the arguments `taps` and `dtype`.
    pub(crate) fn new(
        taps: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        inputs: &[&'static str],
    ) -> PyResult<Self> {
        let (input, array) = coefficients("taps", 1, taps, dtype, inputs)?;
        Ok(Self { input, array: array.unbind() })
    }

    /// The type of the samples.
    pub(crate) fn input(&self) -> &'static str {
        self.input
    }

    fn is_complex(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.array.bind(py).cast::<PyUntypedArray>()?.dtype().kind() == b'c')
    }

    /// Real taps in single precision, for a filter of complex samples.
    pub(crate) fn real(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        if self.is_complex(py)? {
            return Err(type_error("taps", "real numbers", "complex ones"));
        }
        let taps: Samples<'_, '_> = convert("taps", self.array.bind(py), &Dtype::sample::<f32>(py)?, "")?;
        let taps: &[f32] = bytemuck::cast_slice(taps.bytes());
        // The taps, the history, and a scratch twice as long.
        room::<Complex<f32>>(taps.len().saturating_mul(4))?;
        Ok(taps.to_vec())
    }

    /// The kernel over these taps, made while other threads run; `arguments` are the others of its
    /// constructor.
    pub(crate) fn kernel<W: WithTaps>(
        &self,
        py: Python<'_>,
        with: W,
        arguments: &[(&str, &dyn std::fmt::Display)],
    ) -> PyResult<W::Made> {
        let count = self.array.bind(py).len()?;
        macro_rules! make {
            ($X:ty, $H:ty) => {
                make!($X, $H, make::<$X, $H>)
            };
            ($Q:ty) => {
                make!($Q, $Q, make_fixed::<$Q>)
            };
            ($X:ty, $H:ty, $make:ident::<$($T:ty),*>) => {{
                let dtype = Dtype::sample::<$H>(py)?;
                let taps: Samples<'_, '_> = convert("taps", self.array.bind(py), &dtype, "")?;
                room_for::<_, $X, $H>(&with, count)?;
                let taps = bytemuck::cast_slice(taps.bytes());
                py.detach(|| with.$make::<$($T),*>(taps))
            }};
        }
        let complex = self.is_complex(py)?;
        let made = match (self.input, complex) {
            ("float32", false) => make!(f32, f32),
            ("float32", true) => make!(f32, Complex<f32>),
            ("float64", false) => make!(f64, f64),
            ("float64", true) => make!(f64, Complex<f64>),
            ("complex64", false) => make!(Complex<f32>, f32),
            ("complex64", true) => make!(Complex<f32>, Complex<f32>),
            ("complex128", false) => make!(Complex<f64>, f64),
            ("complex128", true) => make!(Complex<f64>, Complex<f64>),
            ("q7", _) => make!(Q7),
            ("q15", _) => make!(Q15),
            _ => make!(Q31),
        };
        let mut all: Vec<(&str, &dyn std::fmt::Display)> = vec![("taps", &count)];
        all.extend(arguments);
        made.map_err(|error| refused(error, &all))
    }

    /// The estimated work per output of a filter.
    pub(crate) fn work_ns(&self, py: Python<'_>) -> PyResult<f64> {
        const NS_PER_PRODUCT: f64 = 0.02;
        let complex = self.is_complex(py)?;
        let products = [complex, self.input.starts_with("complex")].map(|both| if both { 2.0 } else { 1.0 });
        let count = self.array.bind(py).len()? as f64;
        Ok(0.5 + NS_PER_PRODUCT * count * products[0] * products[1])
    }

    /// Their number, for a `repr`.
    pub(crate) fn parts(&self, py: Python<'_>) -> PyResult<String> {
        Ok(counted(self.array.bind(py).len()?, "tap"))
    }

    /// A copy of the taps.
    pub(crate) fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).call_method0("copy")
    }
}
