//! Errors of the arena as Python's, whose classes the Python package defines.

use super::PACKAGE;
use crate::marshal::value_error;
use passband_arena::Error;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The exception for an error.
#[cold]
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    if let Error::Carrier(refused) = error
        && let Some(raised) = refused.downcast_ref::<PyErr>()
    {
        return raised.clone_ref(py);
    }
    let text = error.to_string();
    match error {
        Error::Full(_) => named(py, "ArenaFull", (text,)),
        Error::TooLarge(_) => named(py, "UnitTooLarge", (text,)),
        Error::Ticket { .. } => named(py, "TicketError", (text,)),
        Error::Closed(_) => named(py, "ArenaClosed", (text,)),
        Error::Superseded => named(py, "PassEnded", (text,)),
        Error::Endpoint(_) => named(py, "EndpointError", (text,)),
        Error::PeerDied { .. } => named(py, "PeerDied", (text,)),
        Error::Memory { errno, .. } => named(py, "ArenaMemoryError", (*errno, text)),
        Error::Corrupt(_) => named(py, "ArenaCorrupt", (text,)),
        Error::NoCuda(_) | Error::Driver(_) | Error::ForkedCuda { .. } => PyRuntimeError::new_err(text),
        Error::Argument { argument, expected, given } => value_error(argument, expected, given),
        Error::System { error, .. } => match error.raw_os_error() {
            Some(errno) => PyOSError::new_err((errno, text)),
            None => PyOSError::new_err(text),
        },
        _ => PyValueError::new_err(text),
    }
}

/// An exception of the package, by the name of its class.
#[cold]
pub(super) fn named<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py
        .import(PACKAGE)
        .and_then(|package| package.getattr(class))
        .and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}
