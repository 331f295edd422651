//! Delays: the samples of a stream, later.

pub(crate) mod delay_line;
pub(crate) mod fractional_delay;

#[cfg(feature = "alloc")]
pub use delay_line::BoxedDelayLine;
pub use delay_line::{DelayLine, FixedDelayLine};
#[cfg(feature = "alloc")]
pub use fractional_delay::BoxedFractionalDelay;
pub use fractional_delay::{Between, FixedFractionalDelay, FractionalDelay};
