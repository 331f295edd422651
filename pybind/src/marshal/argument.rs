//! Numbers as arguments: the errors of each name the argument.

use super::error::{because, given, overflow_error, type_error, value_error};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBoolMethods, PyInt, PyList, PyListMethods, PyTuple, PyTupleMethods};

/// Converters for `from_py_with`, one for each argument, so that errors can tell its name.
macro_rules! named {
    ($(#[$doc:meta])* $module:ident: $convert:ident -> $type:ty { $($argument:ident)* }) => {
        $(#[$doc])*
        pub(crate) mod $module {
            use pyo3::prelude::*;
            $(pub(crate) fn $argument(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                super::$convert(stringify!($argument), value)
            })*
        }
    };
}

named!(
    /// Arguments that are yes or no.
    flag: truth -> bool { inverse iq sym }
);
named!(
    /// Arguments that are real numbers.
    real: number -> f64 {
        beta damping distance floor freq fs full_scale gain high loop_bandwidth low off on phase pole regularization
        rel_height samples_per_symbol step_size wlen
    }
);
named!(
    /// Arguments that count samples.
    whole: size -> usize { bits channels count hang length min_length n phase }
);
named!(
    /// Arguments that are whole ratios.
    ratio: at_least_one -> usize { factor }
);

fn size(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(name, "a count of at least 0", value)
}

/// The kernel refuses 0, and what is too much for it.
fn at_least_one(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(name, "at least 1", value)
}

named!(
    /// Arguments that are powers of two, of either sign.
    power: exponent -> i32 { bits }
);

named!(
    /// Arguments that start a generator of noise, or are None.
    seed: start -> Option<u64> { dither }
);

fn start(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() {
        return Ok(None);
    }
    let index = index(name, value)?;
    let refused = || value_error(name, "a seed from 0 to 2^64 - 1", &index);
    index.extract().map(Some).map_err(|_| refused())
}

/// Beyond `i32` there is nothing left to shift.
fn exponent(name: &str, value: &Bound<'_, PyAny>) -> PyResult<i32> {
    let index = index(name, value)?;
    let beyond = if index.lt(0)? { i32::MIN } else { i32::MAX };
    Ok(index.extract().unwrap_or(beyond))
}

/// The argument `axis`.
pub(crate) fn axis(value: &Bound<'_, PyAny>) -> PyResult<isize> {
    let index = index("axis", value)?;
    index.extract().map_err(|_| value_error("axis", "-1 or 0", index))
}

/// What an integer is, asked once: the caller's code may answer otherwise the second time.
fn index<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if value.is_exact_instance_of::<PyInt>() {
        return Ok(value.clone());
    }
    let index = py.import("operator")?.call_method1("index", (value,));
    index.map_err(|raised| because(py, raised, type_error(name, "an integer", &given(value))))
}

fn integer(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let index = index(name, value)?;
    if let Ok(index) = index.extract::<isize>() {
        return usize::try_from(index).map_err(|_| value_error(name, expected, index));
    }
    if index.lt(0)? {
        return Err(value_error(name, expected, index));
    }
    Err(overflow_error(name, &format!("at most {}", isize::MAX), index))
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let (py, error) = (value.py(), || type_error(name, "a real number", &given(value)));
    value.extract().map_err(|raised| because(py, raised, error()))
}

fn truth(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let truth = value.cast::<PyBool>().map(PyBoolMethods::is_true);
    truth.map_err(|_| type_error(name, "True or False", &given(value)))
}

/// A smallest and a largest value: a number for the smallest, or a pair of numbers or None.
pub(crate) fn limits(name: &str, value: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let py = value.py();
    let error = || type_error(name, "a number or a pair (min, max)", &given(value));
    let limit = |value: &Bound<'_, PyAny>, none: f64| {
        if value.is_none() {
            return Ok(none);
        }
        let limit: f64 = value.extract().map_err(|raised| because(py, raised, error()))?;
        if limit.is_nan() { Err(value_error(name, "numbers", "nan")) } else { Ok(limit) }
    };
    let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
    let pair = value.cast::<PyTuple>().ok().map(PyTupleMethods::to_list);
    match pair.as_ref().or(value.cast::<PyList>().ok()) {
        Some(pair) if pair.len() == 2 => {
            Ok((limit(&pair.get_item(0)?, min)?, limit(&pair.get_item(1)?, max)?))
        }
        Some(_) => Err(error()),
        None => Ok((limit(value, min)?, max)),
    }
}

/// A finite number above zero.
pub(crate) fn positive(name: &str, number: f64) -> PyResult<f64> {
    let refused = || value_error(name, "a finite number above 0", shown(number));
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err(refused()) }
}

/// A number as Python writes it.
pub(crate) fn shown(number: f64) -> String {
    if number.is_nan() { "nan".to_owned() } else { format!("{number:?}") }
}

/// A number of things, for a `repr`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
