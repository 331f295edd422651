//! Signals out of nothing but a state, and mixing with them.

pub(crate) mod local_oscillator;
pub(crate) mod mixer;
pub(crate) mod nco;
pub(crate) mod phase;
mod rotor;

pub use local_oscillator::LocalOscillator;
pub use mixer::Mixer;
pub use nco::{Frequency, Nco};
