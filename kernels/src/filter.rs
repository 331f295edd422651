//! Filters: one output per input, at the input's rate.

pub(crate) mod adaptive;
pub(crate) mod allpass;
pub(crate) mod dc_blocker;
pub(crate) mod deemphasis;
pub(crate) mod dot;
pub(crate) mod fft_fir;
pub(crate) mod fir;
pub(crate) mod first_order;
pub(crate) mod hilbert;
pub(crate) mod lms;
pub(crate) mod moving_average;
pub(crate) mod moving_median;
pub(crate) mod nlms;
pub(crate) mod one_pole;
pub(crate) mod pid;
pub(crate) mod product;
pub(crate) mod sos;

pub use allpass::Allpass;
pub use dc_blocker::DcBlocker;
pub use deemphasis::Deemphasis;
#[cfg(feature = "alloc")]
pub use fft_fir::BoxedFftFir;
pub use fft_fir::{FftFilter, FftFir, FftFirConfig, FixedFftFir};
#[cfg(feature = "alloc")]
pub use fir::BoxedFir;
pub use fir::{Filter, Fir, FirConfig, FixedFir, Taps};
#[cfg(feature = "alloc")]
pub use hilbert::BoxedHilbert;
pub use hilbert::{Analytic, FixedHilbert, Hilbert};
#[cfg(feature = "alloc")]
pub use lms::BoxedLms;
pub use lms::{FixedLms, Lms};
#[cfg(feature = "alloc")]
pub use moving_average::BoxedMovingAverage;
pub use moving_average::{FixedMovingAverage, MovingAverage};
#[cfg(feature = "alloc")]
pub use moving_median::BoxedMovingMedian;
pub use moving_median::{FixedMovingMedian, MovingMedian};
#[cfg(feature = "alloc")]
pub use nlms::BoxedNlms;
pub use nlms::{Adaptive, AdaptiveFilter, FixedNlms, Nlms};
pub use one_pole::OnePole;
pub use pid::{Pid, PidConfig};
#[cfg(feature = "alloc")]
pub use sos::BoxedSos;
pub use sos::{FixedSos, Recursive, Section, Sections, Sos, SosConfig, States};
