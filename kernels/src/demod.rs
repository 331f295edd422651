//! Demodulators: complex baseband in, messages out.

pub(crate) mod fm_demod;
pub(crate) mod unwrap;

pub use fm_demod::FmDemod;
pub use unwrap::Unwrap;
