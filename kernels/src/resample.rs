//! Changes of rate: outputs at another rate than inputs.

pub(crate) mod fir_decimator;

#[cfg(feature = "alloc")]
pub use fir_decimator::BoxedFirDecimator;
pub use fir_decimator::{Decimate, FirDecimator, FirDecimatorConfig, FixedFirDecimator};
