//! Detectors: records out of a stream or an array.

pub(crate) mod burst_detector;
pub(crate) mod find_peaks;
pub(crate) mod pulse_slicer;

pub use burst_detector::{Burst, BurstDetector, Power};
pub use find_peaks::{Peak, PeakConditions, find_peaks, find_peaks_with, max_peaks};
pub use pulse_slicer::{Pulse, PulseSlicer};
