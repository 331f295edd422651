//! Changes of rate by two with filters of which every other tap is zero.

#[cfg(feature = "testing")]
mod cases;
mod config;
mod decimator;
mod interpolator;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use config::{HalfbandConfig, Halve};
#[cfg(feature = "alloc")]
pub use decimator::BoxedHalfbandDecimator;
pub use decimator::{FixedHalfbandDecimator, HalfbandDecimator};
#[cfg(feature = "alloc")]
pub use interpolator::BoxedHalfbandInterpolator;
pub use interpolator::{FixedHalfbandInterpolator, HalfbandInterpolator};

use super::clock::Rhythm;
use crate::shape::ConfigError;

/// Outputs at a time, whole vectors of every type.
const BLOCK: usize = 256;

const DOWN: Rhythm = Rhythm { input: 1, output: 2 };
const UP: Rhythm = Rhythm { input: 2, output: 1 };

const WRONG_LENGTH: ConfigError = ConfigError { argument: "state", expected: "a history for the taps" };
