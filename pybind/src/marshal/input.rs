//! What a caller may pass as samples: arrays as they are, or copied once; lists and numbers.

use super::array::{Array, read_scalar};
use super::dtype::Dtype;
use super::error::{because, given, type_error, value_error};
use super::samples::Samples;
use num_complex::Complex;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use passband_kernels::sample::{Q7, Q15, Q31};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyComplex, PyDict, PyFloat, PyFloatMethods, PyInt, PyList, PyTuple, PyType};

/// The samples of argument `name`; `hint` says how the type that is expected was chosen.
#[inline(always)]
pub(crate) fn convert<'a, 'py, const D: usize>(
    name: &str,
    x: &'a Bound<'py, PyAny>,
    dtype: &Dtype,
    hint: &str,
) -> PyResult<Samples<'a, 'py, D>> {
    let array = Array::of(x);
    if let Some(samples) = array.filter(|a| a.is_plain).and_then(|a| a.samples(dtype)) {
        return Ok(samples);
    }
    match array {
        Some(array) => unusual(name, array, dtype, hint),
        None => of_object(name, x, dtype, hint),
    }
}

/// A subclass, an array to copy, or one to refuse.
#[cold]
fn unusual<'a, 'py, const D: usize>(
    name: &str,
    array: Array<'a, 'py>,
    dtype: &Dtype,
    hint: &str,
) -> PyResult<Samples<'a, 'py, D>> {
    let py = array.object.py();
    if is_masked(array)? {
        return Err(type_error(name, "an array without a mask", "a masked array"));
    }
    let descr = array.object.cast::<PyUntypedArray>()?.dtype();
    if (descr.kind(), descr.itemsize()) != (dtype.kind(py), dtype.size) {
        return Err(wrong_dtype(name, dtype, hint, &descr));
    }
    // A number without dimensions is one sample.
    if array.dimensions() != D && (D, array.dimensions()) != (1, 0) {
        return Err(value_error(name, &dimensions(D), array.dimensions()));
    }
    if let Some(samples) = array.samples(dtype) {
        return Ok(samples);
    }
    let order = PyDict::new(py);
    order.set_item("order", "C")?;
    let copy = numpy(py)?.call_method("array", (array.object, &dtype.descr), Some(&order))?;
    in_order(name, &copy, dtype)
}

/// A list, a tuple or a number, converted; another object only if it gives an array of `dtype`.
#[cold]
fn of_object<'py, const D: usize>(
    name: &str,
    x: &Bound<'py, PyAny>,
    dtype: &Dtype,
    hint: &str,
) -> PyResult<Samples<'py, 'py, D>> {
    let py = x.py();
    let array = natural(name, x, &dtype.describe(py))?;
    let descr = array.cast::<PyUntypedArray>()?.dtype();
    let fits = if is_literal(x)? {
        let empty = array.len().is_ok_and(|len| len == 0);
        empty || casts(descr.kind(), dtype.kind(py))
    } else {
        (descr.kind(), descr.itemsize()) == (dtype.kind(py), dtype.size)
    };
    if !fits {
        return Err(wrong_dtype(name, dtype, hint, &descr));
    }
    let converted = rounded(name, &array, dtype)?;
    in_order(name, &converted, dtype)
}

/// The samples of argument `name` in whichever of `dtypes` they have, and its name; of lists and
/// numbers in the first of `dtypes` that holds such numbers.
pub(crate) fn one_of<'py>(
    name: &str,
    x: &Bound<'py, PyAny>,
    dtypes: &[Dtype],
) -> PyResult<(&'static str, Samples<'py, 'py>)> {
    let (dtype, x) = typed(name, x, dtypes)?;
    Ok((dtype.name, x))
}

/// The samples of two arguments, as many and of the same type: that of the first.
pub(crate) fn two_of<'py>(
    [(name, a), b]: [(&str, &Bound<'py, PyAny>); 2],
    dtypes: &[Dtype],
) -> PyResult<(&'static str, [Samples<'py, 'py>; 2])> {
    let (dtype, a) = typed(name, a, dtypes)?;
    let b = like((name, &a), dtype, b)?;
    Ok((dtype.name, [a, b]))
}

/// The samples of three arguments, as many and of the same type: that of the first.
pub(crate) fn three_of<'py>(
    [(name, a), b, c]: [(&str, &Bound<'py, PyAny>); 3],
    dtypes: &[Dtype],
) -> PyResult<(&'static str, [Samples<'py, 'py>; 3])> {
    let (dtype, a) = typed(name, a, dtypes)?;
    let (b, c) = (like((name, &a), dtype, b)?, like((name, &a), dtype, c)?);
    Ok((dtype.name, [a, b, c]))
}

/// The samples of another argument than the first, as many as there, whose type is `dtype`.
fn like<'py>(
    (first, samples): (&str, &Samples<'_, 'py>),
    dtype: &Dtype,
    (name, x): (&str, &Bound<'py, PyAny>),
) -> PyResult<Samples<'py, 'py>> {
    let x: Samples<'_, '_> = convert(name, x, dtype, &format!(", the type of {first}"))?;
    if x.len() != samples.len() {
        let expected = format!("as many samples as {first}, {}", samples.len());
        return Err(value_error(name, &expected, x.len()));
    }
    Ok(x.into_owned())
}

fn typed<'py, 'd>(
    name: &str,
    x: &Bound<'py, PyAny>,
    dtypes: &'d [Dtype],
) -> PyResult<(&'d Dtype, Samples<'py, 'py>)> {
    let py = x.py();
    let expected = dtypes.iter().map(|dtype| dtype.describe(py)).collect::<Vec<_>>().join(", ");
    let array = natural(name, x, &expected)?;
    let descr = array.cast::<PyUntypedArray>()?.dtype();
    let is_literal = is_literal(x)?;
    let fits = |dtype: &&Dtype| {
        let kind = dtype.kind(py);
        if is_literal {
            array.len().is_ok_and(|len| len == 0) || casts(descr.kind(), kind)
        } else {
            (descr.kind(), descr.itemsize()) == (kind, dtype.size)
        }
    };
    let refused = || type_error(name, &format!("dtype={expected}"), &format!("dtype={descr}"));
    let dtype = dtypes.iter().find(fits).ok_or_else(refused)?;
    let x = if is_literal { x } else { &array };
    Ok((dtype, convert(name, x, dtype, "")?.into_owned()))
}

/// The types of real and complex floating-point samples; lists are in double precision.
pub(crate) fn floating(py: Python<'_>) -> PyResult<[Dtype; 4]> {
    Ok([
        Dtype::sample::<f64>(py)?,
        Dtype::sample::<f32>(py)?,
        Dtype::sample::<Complex<f64>>(py)?,
        Dtype::sample::<Complex<f32>>(py)?,
    ])
}

/// The types of real samples; lists are in double precision.
pub(crate) fn real_numbers(py: Python<'_>) -> PyResult<[Dtype; 2]> {
    Ok([Dtype::sample::<f64>(py)?, Dtype::sample::<f32>(py)?])
}

/// The types of complex samples; lists are in double precision.
pub(crate) fn complex(py: Python<'_>) -> PyResult<[Dtype; 2]> {
    Ok([Dtype::sample::<Complex<f64>>(py)?, Dtype::sample::<Complex<f32>>(py)?])
}

/// The types of fixed-point samples; lists are of Q15.
pub(crate) fn fixed_point(py: Python<'_>) -> PyResult<[Dtype; 3]> {
    Ok([Dtype::sample::<Q15>(py)?, Dtype::sample::<Q7>(py)?, Dtype::sample::<Q31>(py)?])
}

/// What NumPy makes of an object by itself.
pub(super) fn natural<'py>(name: &str, x: &Bound<'py, PyAny>, expected: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let error = || type_error(name, &format!("samples of {expected}"), &given(x));
    // Any array at first, so that a mask is seen before it is lost.
    let any = numpy(py)?.call_method1("asanyarray", (x,));
    let any = any.map_err(|raised| because(py, raised, error()))?;
    if let Some(array) = Array::of(&any)
        && is_masked(array)?
    {
        return Err(type_error(name, "an array without a mask", "a masked array"));
    }
    let array = numpy(py)?.call_method1("asarray", (&any,))?;
    let kind = array.cast::<PyUntypedArray>()?.dtype().kind();
    if b"biufc".contains(&kind) { Ok(array) } else { Err(error()) }
}

/// Whether numbers of one kind are numbers of another: integers are real, real ones complex.
pub(super) fn casts(from: u8, to: u8) -> bool {
    match to {
        b'c' => true,
        b'f' => from != b'c',
        _ => matches!(from, b'b' | b'i' | b'u'),
    }
}

/// An array with its numbers rounded once to `dtype`; integers out of range are refused.
pub(super) fn rounded<'py>(
    name: &str,
    array: &Bound<'py, PyAny>,
    dtype: &Dtype,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    // Rounding to infinity or zero is no error, whatever `np.seterr` says.
    let quiet = PyDict::new(py);
    quiet.set_item("all", "ignore")?;
    let quiet = numpy(py)?.call_method("errstate", (), Some(&quiet))?;
    quiet.call_method0("__enter__")?;
    let cast = array.call_method1("astype", (&dtype.descr,));
    quiet.call_method1("__exit__", (py.None(), py.None(), py.None()))?;
    let cast = cast?;
    let exact = !matches!(dtype.kind(py), b'i' | b'u')
        || numpy(py)?.call_method1("array_equal", (&cast, array))?.is_truthy()?;
    if exact {
        return Ok(cast);
    }
    let range = numpy(py)?.call_method1("iinfo", (&dtype.descr,))?;
    let expected = format!("codes from {} to {}", range.getattr("min")?, range.getattr("max")?);
    Err(value_error(name, &expected, given(array)))
}

/// What error messages call a number of dimensions.
pub(super) fn dimensions(count: usize) -> String {
    format!("{count} dimension{}", if count == 1 { "" } else { "s" })
}

/// The samples of an array that NumPy made of an argument.
fn in_order<'py, const D: usize>(
    name: &str,
    array: &Bound<'py, PyAny>,
    dtype: &Dtype,
) -> PyResult<Samples<'py, 'py, D>> {
    let own = Array::of(array).map_or(0, Array::dimensions);
    // A number becomes one sample.
    let array = numpy(array.py())?.call_method1("ascontiguousarray", (array,))?;
    let samples = Array::of(&array).filter(|_| own == D || (D, own) == (1, 0));
    let samples = samples.and_then(|array| array.samples(dtype)).map(Samples::into_owned);
    samples.ok_or_else(|| value_error(name, &dimensions(D), own))
}

fn wrong_dtype(name: &str, dtype: &Dtype, hint: &str, given: &Bound<'_, numpy::PyArrayDescr>) -> PyErr {
    let expected = dtype.describe(given.py());
    let to_codes = format!("; passband.to_{} gives codes", dtype.name);
    let codes = if dtype.is_fixed_point() { to_codes.as_str() } else { "" };
    PyTypeError::new_err(format!("{name}: expected dtype={expected}, given dtype={given}{hint}{codes}"))
}

/// Whether an array carries a mask, which a kernel would ignore.
pub(super) fn is_masked(array: Array<'_, '_>) -> PyResult<bool> {
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let masked = MASKED.import(array.object.py(), "numpy.ma", "MaskedArray")?;
    Ok(array.is_of(masked))
}

/// Whether an object is a list, a tuple or a number, which has no type of its own to keep.
pub(super) fn is_literal(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let python = x.is_instance_of::<PyList>()
        || x.is_instance_of::<PyTuple>()
        || x.is_instance_of::<PyInt>()
        || x.is_instance_of::<PyFloat>()
        || x.is_instance_of::<PyComplex>();
    Ok(python || x.is_instance(GENERIC.import(x.py(), "numpy", "generic")?)?)
}

pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy")
}

/// Reads one input of a step, argument `name`, into `sample`.
#[inline]
pub(super) fn read_one(
    name: &str,
    x: &Bound<'_, PyAny>,
    dtype: &Dtype,
    hint: &str,
    sample: &mut [u8],
) -> PyResult<()> {
    if sample.len() == dtype.size && (read_scalar(x, dtype, sample) || read_number(x, dtype, sample)) {
        return Ok(());
    }
    let input: Samples<'_, '_> = convert(name, x, dtype, hint)?;
    if input.bytes().len() != sample.len() {
        let expected = format!("{} number(s) for one step", sample.len() / dtype.size);
        return Err(value_error(name, &expected, given(x)));
    }
    sample.copy_from_slice(input.bytes());
    Ok(())
}

/// Reads a Python number, where that needs no decision.
#[inline]
fn read_number(x: &Bound<'_, PyAny>, dtype: &Dtype, sample: &mut [u8]) -> bool {
    let real = x.cast_exact::<PyFloat>().map(PyFloatMethods::value);
    match (dtype.name, real) {
        ("float32", Ok(x)) => sample.copy_from_slice(&(x as f32).to_ne_bytes()),
        ("float64", Ok(x)) => sample.copy_from_slice(&x.to_ne_bytes()),
        ("complex64" | "complex128", Err(_)) => {
            let Ok(x) = x.cast_exact::<PyComplex>() else { return false };
            let parts = [x.real(), x.imag()];
            if dtype.name == "complex64" {
                sample.copy_from_slice(bytemuck::bytes_of(&parts.map(|part| part as f32)));
            } else {
                sample.copy_from_slice(bytemuck::bytes_of(&parts));
            }
        }
        _ => return false,
    }
    true
}
