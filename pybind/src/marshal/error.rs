//! The texts of errors: the argument, what was expected, what was given.

use passband_kernels::shape::ConfigError;
use passband_kernels::state::StateError;
use pyo3::exceptions::{
    PyBufferError, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use std::fmt::Display;

/// The wrong kind of thing.
#[cold]
pub(crate) fn type_error(argument: &str, expected: &str, given: &str) -> PyErr {
    PyTypeError::new_err(format!("{argument}: expected {expected}, given {given}"))
}

/// The right kind of thing with an impossible value.
#[cold]
pub(crate) fn value_error(argument: &str, expected: &str, given: impl Display) -> PyErr {
    PyValueError::new_err(format!("{argument}: expected {expected}, given {given}"))
}

/// More than the address space holds.
#[cold]
pub(super) fn overflow_error(argument: &str, expected: &str, given: impl Display) -> PyErr {
    PyOverflowError::new_err(format!("{argument}: expected {expected}, given {given}"))
}

/// How a message shows an object that it refuses.
pub(crate) fn given(object: &Bound<'_, PyAny>) -> String {
    let kind = object.get_type().name().map_or_else(|_| "an object".into(), |name| name.to_string());
    match object.repr() {
        Ok(text) if text.to_string().len() <= 40 => format!("{text} ({kind})"),
        _ => kind,
    }
}

/// A constructor's refusal, with the value that it refused out of `arguments`.
#[cold]
pub(crate) fn refused(error: ConfigError, arguments: &[(&str, &dyn Display)]) -> PyErr {
    let given = arguments.iter().find(|(name, _)| *name == error.argument);
    let given = given.map_or_else(|| "another".to_owned(), |(_, value)| value.to_string());
    value_error(error.argument, error.expected, given)
}

/// A refused snapshot.
#[cold]
pub(super) fn state_error(error: StateError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// One object called from two threads at once.
#[cold]
pub(crate) fn busy(name: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{name}: expected one call at a time, given a second while another runs"))
}

/// Several channels where `method` takes one stream.
#[cold]
pub(super) fn several(method: &str, channels: usize) -> PyErr {
    value_error(method, "an object without channels=", format!("channels={channels}"))
}

/// A kernel that panicked, which its contract rules out.
#[cold]
pub(super) fn panicked(name: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{name}: the kernel failed; its state is undefined, reset() it"))
}

/// A count that a kernel reports, checked against what there was.
#[inline(always)]
pub(super) fn checked(name: &str, what: &str, reported: usize, there: usize) -> PyResult<usize> {
    if reported <= there { Ok(reported) } else { Err(impossible(name, what, reported, there)) }
}

/// A kernel that reports more than there was, which its contract rules out.
#[cold]
fn impossible(name: &str, what: &str, reported: usize, there: usize) -> PyErr {
    let text = format!("{name}: the kernel reports {reported} {what} where there are {there}");
    PyRuntimeError::new_err(text)
}

/// An empty vector with room for `len` values, or MemoryError.
pub(crate) fn room<T>(len: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    match values.try_reserve_exact(len) {
        Ok(()) => Ok(values),
        Err(error) => Err(PyMemoryError::new_err(error.to_string())),
    }
}

/// Makes a kernel of `len`, while other threads run, if there is room for `len` times `T`: kernels
/// allocate without a way to fail. What the arguments are refused for comes first, from a kernel of
/// `least`, which is refused where `len` is.
pub(crate) fn made_in_room<T, K: Send>(
    py: Python<'_>,
    least: usize,
    len: usize,
    make: impl Fn(usize) -> Result<K, ConfigError> + Send,
) -> PyResult<Result<K, ConfigError>> {
    if let Err(error) = make(least) {
        return Ok(Err(error));
    }
    room::<T>(len)?;
    Ok(py.detach(move || make(len)))
}

/// An array, argument `name`, that the caller's code moved or resized while another was checked.
#[cold]
pub(super) fn changed(name: &str) -> PyErr {
    value_error(name, "an array that stays as it is", "one that changed while another was checked")
}

/// `error` for what the caller's code raised because it cannot give what is asked of it; anything
/// else that it raised goes on as it is.
#[cold]
pub(crate) fn because(py: Python<'_>, raised: PyErr, error: PyErr) -> PyErr {
    let refusal = raised.is_instance_of::<PyTypeError>(py)
        || raised.is_instance_of::<PyValueError>(py)
        || raised.is_instance_of::<PyOverflowError>(py)
        || raised.is_instance_of::<PyBufferError>(py);
    if !refusal {
        return raised;
    }
    error.set_cause(py, Some(raised));
    error
}

/// `out` over the memory of the input `name`, where the kernel cannot run like that.
#[cold]
pub(super) fn overlaps(name: &str) -> PyErr {
    let expected = format!("an array apart from {name}, or {name} itself where the class runs in place");
    value_error("out", &expected, format!("one that overlaps {name}"))
}

/// A tuple of outs over the same memory.
#[cold]
pub(super) fn outs_overlap() -> PyErr {
    value_error("out", "arrays apart from each other", "two that overlap")
}
