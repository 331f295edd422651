//! Windows and spectra.

pub(crate) mod cosine;
pub(crate) mod kaiser;

pub use cosine::{Window, blackman, blackman_harris, flattop, hamming, hann};
pub use kaiser::kaiser;
