//! Signals out of nothing but a state, and mixing with them.

pub(crate) mod chirp;
pub(crate) mod gold;
pub(crate) mod impulse;
mod lfsr;
pub(crate) mod local_oscillator;
pub(crate) mod mixer;
pub(crate) mod nco;
pub(crate) mod noise;
pub(crate) mod phase;
mod philox;
pub(crate) mod pn;
pub(crate) mod rotor;
pub(crate) mod shift;
pub(crate) mod step;

pub use chirp::Chirp;
pub use gold::Gold;
pub use impulse::Impulse;
pub use local_oscillator::LocalOscillator;
pub use mixer::{Mixed, Mixer};
pub use nco::{Frequency, Nco};
pub use noise::{Distribution, Noise};
pub use pn::{Chip, Pn, primitive_polynomial};
pub use step::Step;
