//! Windows and spectra.

mod hann;

pub use hann::{Window, hann};
