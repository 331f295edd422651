//! Filters: one output per input, at the input's rate.

pub(crate) mod fir;
pub(crate) mod product;

#[cfg(feature = "alloc")]
pub use fir::BoxedFir;
pub use fir::{Filter, Fir, FirConfig, FixedFir, Taps};
