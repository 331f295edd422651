//! Levels: how strong a stream is.

pub(crate) mod level_meter;
pub(crate) mod power_averager;
mod power_sum;

pub use level_meter::{Level, LevelMeter, Metered};
pub use power_averager::PowerAverager;
