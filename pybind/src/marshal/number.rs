//! Numbers as arguments.

use super::error::{given, overflow_error, type_error, value_error};
use pyo3::prelude::*;

/// A count of samples.
pub(crate) fn size(name: &str, number: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(count) = number.extract::<isize>() {
        return usize::try_from(count).map_err(|_| value_error(name, "a count of at least 0", count));
    }
    let Ok(number) = number.call_method0("__index__") else {
        return Err(type_error(name, "an integer", &given(number)));
    };
    if number.lt(0)? {
        return Err(value_error(name, "a count of at least 0", number));
    }
    Err(overflow_error(name, &format!("at most {}", isize::MAX), number))
}

/// A number that is neither infinite nor NaN.
pub(crate) fn finite(name: &str, number: f64) -> PyResult<f64> {
    let refused = || value_error(name, "a finite number", number);
    if number.is_finite() { Ok(number) } else { Err(refused()) }
}

/// A finite number above zero.
pub(crate) fn positive(name: &str, number: f64) -> PyResult<f64> {
    let refused = || value_error(name, "a finite number above 0", number);
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err(refused()) }
}
