//! Transforms of whole frames.

pub(crate) mod fft;

#[cfg(feature = "alloc")]
pub use fft::BoxedFft;
pub use fft::{Fft, FftConfig, FftReal, FftTable, FixedFft, LONGEST};
