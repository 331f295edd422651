//! Filters: one output per input, at the input's rate.

pub(crate) mod dc_blocker;
pub(crate) mod dot;
pub(crate) mod fft_fir;
pub(crate) mod fir;
pub(crate) mod moving_average;
pub(crate) mod nlms;
pub(crate) mod product;
pub(crate) mod sos;

pub use dc_blocker::DcBlocker;
#[cfg(feature = "alloc")]
pub use fft_fir::BoxedFftFir;
pub use fft_fir::{FftFilter, FftFir, FftFirConfig, FixedFftFir};
#[cfg(feature = "alloc")]
pub use fir::BoxedFir;
pub use fir::{Filter, Fir, FirConfig, FixedFir, Taps};
#[cfg(feature = "alloc")]
pub use moving_average::BoxedMovingAverage;
pub use moving_average::{FixedMovingAverage, MovingAverage};
#[cfg(feature = "alloc")]
pub use nlms::BoxedNlms;
pub use nlms::{Adaptive, FixedNlms, Nlms};
#[cfg(feature = "alloc")]
pub use sos::BoxedSos;
pub use sos::{FixedSos, Recursive, Section, Sections, Sos, SosConfig, States};
