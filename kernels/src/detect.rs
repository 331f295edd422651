//! Detectors: records out of a stream.

pub(crate) mod burst_detector;

pub use burst_detector::{Burst, BurstDetector, Power};
