//! Windows and spectra.

pub(crate) mod hann;

pub use hann::{Window, hann};
