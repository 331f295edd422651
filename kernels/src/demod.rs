//! Demodulators: complex baseband in, messages out.

pub(crate) mod fm_demod;

pub use fm_demod::FmDemod;
