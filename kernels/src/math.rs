//! Functions of single samples.

pub(crate) mod atan2;
pub(crate) mod lane_sums;
pub(crate) mod magnitude;
pub(crate) mod map;
pub(crate) mod unit_circle;

pub(crate) use magnitude::NormSquared;
pub use magnitude::{Magnitude, magnitude, magnitude_squared, magnitude_squared_with, magnitude_with};
