//! Numbers as arguments: the errors of each name the argument.

use super::error::{because, given, overflow_error, type_error, value_error};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBoolMethods, PyBytes, PyDict, PyInt, PyIterator, PyList, PyListMethods, PyString, PyTuple,
    PyTupleMethods,
};
use std::time::Duration;

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
    flag: truth -> bool { debug inverse iq named pin_memory prefault readonly real_part sym writable }
);
named!(
    /// Arguments that are real numbers.
    real: number -> f64 {
        a1 alpha beta damping delay derivative_time distance floor freq fs full_scale gain high kd ki kp
        loop_bandwidth low off on period phase pole rate ratio regularization rel_height
        samples_per_symbol step_size time_constant wlen
    }
);
named!(
    /// Arguments that are real numbers, or None.
    real_or_none: number_or_none -> Option<f64> { a2 high low }
);
named!(
    /// Arguments that count samples.
    whole: size -> usize {
        after bits channels count ddof delay device handle hang length min_length n nbytes offset order pass_ phase
        stopband
    }
);
named!(
    /// Arguments that count samples, bytes or decibels, or None where the caller leaves them open.
    whole_or_none: size_or_none -> Option<usize> { device max_delay nbytes stopband }
);
named!(
    /// Arguments that are whole ratios.
    ratio: at_least_one -> usize { down factor up }
);
named!(
    /// Arguments that count things of which there has to be one.
    number: positive_size -> usize { capacity count items max_ahead segment_size }
);
named!(
    /// Arguments that are times in seconds.
    time: seconds -> std::time::Duration { timeout }
);
named!(
    /// Arguments that are times in seconds, or None: for ever.
    time_or_none: seconds_or_none -> Option<std::time::Duration> { acquire_timeout timeout }
);
named!(
    /// Arguments that are times in microseconds.
    short_time: microseconds -> std::time::Duration { spin_us }
);
named!(
    /// Arguments that are one length of an array, or several.
    lengths: shape_of -> Vec<isize> { shape }
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
    unsigned(name, "a seed from 0 to 2^64 - 1", value).map(Some)
}

named!(
    /// Arguments that count beyond what memory holds.
    long: unbounded -> u64 { count delay seed shift }
);
named!(
    /// Periods in samples, or None: for ever.
    endless: period_or_none -> Option<u64> { period }
);
named!(
    /// States of registers, or None.
    register: register_state -> Option<u64> { state }
);
named!(
    /// Polynomials over the integers modulo 2 as the bits of an integer, or None.
    modulo_two: coefficients -> Option<u128> { polynomial }
);

fn unbounded(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    unsigned(name, "an integer from 0 to 2^64 - 1", value)
}

fn period_or_none(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { unsigned(name, "at least 1", value).map(Some) }
}

fn register_state(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { unsigned(name, "1 to 2^length - 1", value).map(Some) }
}

fn coefficients(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u128>> {
    if value.is_none() { Ok(None) } else { unsigned(name, "coefficients up to degree 64", value).map(Some) }
}

/// An integer that is not negative and fits.
fn unsigned<T>(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py>,
{
    let index = index(name, value)?;
    index.extract().map_err(|_| value_error(name, expected, &index))
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
    index.extract().map_err(|_| value_error("axis", "-2 to 1", index))
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

fn positive_size(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let expected = "at least 1";
    let size = integer(name, expected, value)?;
    if size > 0 { Ok(size) } else { Err(value_error(name, expected, size)) }
}

fn size_or_none(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    (!value.is_none()).then(|| size(name, value)).transpose()
}

/// What no clock can count is for ever.
fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    duration(name, "seconds", 1.0, value)
}

fn seconds_or_none(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    if value.is_none() {
        return Ok(None);
    }
    let time = seconds(name, value)?;
    Ok(u64::try_from(time.as_nanos()).is_ok().then_some(time))
}

fn microseconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    duration(name, "microseconds", 1e-6, value)
}

fn duration(name: &str, unit: &str, seconds: f64, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let given = number(name, value)?;
    if given.is_nan() || given < 0.0 {
        return Err(value_error(name, &format!("a non-negative number of {unit}"), shown(given)));
    }
    Ok(Duration::try_from_secs_f64(given * seconds).unwrap_or(Duration::MAX))
}

fn shape_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<isize>> {
    let expected = "lengths of at least 0 that memory can have";
    let length = |value: &Bound<'_, PyAny>| {
        let index = index(name, value)?;
        index.extract().ok().filter(|len| *len >= 0).ok_or_else(|| value_error(name, expected, index))
    };
    let refused = || type_error(name, "a length or a sequence of lengths", &given(value));
    if value.is_instance_of::<PyBool>() {
        return Err(refused());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(vec![length(value)?]);
    }
    match several(name, value)? {
        Some(several) => several.map(|value| length(&value?)).collect(),
        None if value.hasattr("__index__")? => Ok(vec![length(value)?]),
        None => Err(refused()),
    }
}

/// What a sequence has for the axes of an array, which has 64 at most; none of what is no sequence.
fn several<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyIterator>>> {
    let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    let is_map = value.is_instance_of::<PyDict>();
    let (Ok(len), Ok(iter)) = (value.len(), value.try_iter()) else { return Ok(None) };
    if is_text || is_map || !value.hasattr("__getitem__")? {
        return Ok(None);
    }
    if len > 64 { Err(value_error(name, "at most 64 axes", len)) } else { Ok(Some(iter)) }
}

/// The argument `strides`, in bytes.
pub(crate) fn strides(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<isize>>> {
    let expected = "a sequence of bytes from one element to the next";
    let stride = |value: &Bound<'_, PyAny>| {
        let index = index("strides", value)?;
        index.extract().map_err(|_| value_error("strides", expected, index))
    };
    if value.is_none() {
        return Ok(None);
    }
    let several = several("strides", value)?.ok_or_else(|| type_error("strides", expected, &given(value)))?;
    several.map(|value| stride(&value?)).collect::<PyResult<_>>().map(Some)
}

/// A function, or none.
pub(crate) fn function<'a, 'py>(
    name: &str,
    value: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match value {
        Some(other) if !other.is_callable() => Err(type_error(name, "a function or None", &given(other))),
        value => Ok(value),
    }
}

/// The argument `name`.
pub(crate) fn name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = value.cast::<PyString>();
    let name = name.map_err(|_| type_error("name", "a str", &given(value)))?.to_str();
    // Of what is no text, or cannot be given to the system.
    let fits = name.ok().filter(|name| !name.contains('\0'));
    fits.map(str::to_owned).ok_or_else(|| value_error("name", "the name of an arena", given(value)))
}

/// One of a few words.
pub(crate) fn word(name: &str, words: [&'static str; 2], value: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let expected = words.map(|word| format!("'{word}'")).join(" or ");
    let Ok(text) = value.cast::<PyString>() else {
        return Err(type_error(name, &expected, &given(value)));
    };
    let known = words.into_iter().find(|word| text == word);
    known.ok_or_else(|| value_error(name, &expected, given(value)))
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let (py, error) = (value.py(), || type_error(name, "a real number", &given(value)));
    value.extract().map_err(|raised| because(py, raised, error()))
}

fn number_or_none(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if value.is_none() { Ok(None) } else { number(name, value).map(Some) }
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
