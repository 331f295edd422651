//! Numbers as arguments.

use super::error::{given, overflow_error, type_error, value_error};
use pyo3::prelude::*;

/// A count of samples, of any integer type.
pub(crate) fn size(name: &str, number: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(number) = number.extract::<i64>() {
        return count(name, number);
    }
    let Ok(number) = number.call_method0("__index__") else {
        return Err(type_error(name, "an integer", &given(number)));
    };
    if number.lt(0)? {
        return Err(value_error(name, AT_LEAST_0, number));
    }
    Err(overflow_error(name, &format!("at most {}", i64::MAX), number))
}

/// A count of samples, as arguments with a default come.
pub(crate) fn count(name: &str, number: i64) -> PyResult<usize> {
    usize::try_from(number).map_err(|_| value_error(name, AT_LEAST_0, number))
}

const AT_LEAST_0: &str = "a count of at least 0";

/// A finite number above zero.
pub(crate) fn positive(name: &str, number: f64) -> PyResult<f64> {
    let refused = || value_error(name, "a finite number above 0", number);
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err(refused()) }
}
