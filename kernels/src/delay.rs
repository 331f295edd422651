//! Delays: the samples of a stream, later.

pub(crate) mod delay_line;

#[cfg(feature = "alloc")]
pub use delay_line::BoxedDelayLine;
pub use delay_line::{DelayLine, FixedDelayLine};
