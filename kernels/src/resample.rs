//! Changes of rate: outputs at another rate than inputs.

pub(crate) mod arbitrary_resampler;
mod clock;
pub(crate) mod fir_decimator;
mod polyphase;
pub(crate) mod rational_resampler;

#[cfg(feature = "alloc")]
pub use arbitrary_resampler::BoxedArbitraryResampler;
pub use arbitrary_resampler::{
    ArbitraryResampler, ArbitraryResamplerConfig, FixedArbitraryResampler, Interpolate, Stopband,
};
#[cfg(feature = "alloc")]
pub use fir_decimator::BoxedFirDecimator;
pub use fir_decimator::{Decimate, FirDecimator, FirDecimatorConfig, FixedFirDecimator};
#[cfg(feature = "alloc")]
pub use rational_resampler::BoxedRationalResampler;
pub use rational_resampler::{FixedRationalResampler, RationalResampler, RationalResamplerConfig, Resample};
