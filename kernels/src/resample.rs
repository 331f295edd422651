//! Changes of rate: outputs at another rate than inputs.

pub(crate) mod arbitrary_resampler;
pub(crate) mod cardinal;
pub(crate) mod cic;
mod clock;
pub(crate) mod ddc;
pub(crate) mod duc;
pub(crate) mod farrow;
pub(crate) mod fir_decimator;
pub(crate) mod halfband;
pub(crate) mod lagrange;
mod pace;
mod polyphase;
pub(crate) mod rational_resampler;

pub use arbitrary_resampler::{
    ArbitraryResampler, ArbitraryResamplerConfig, FixedArbitraryResampler, Interpolate, Stopband,
};
#[cfg(feature = "alloc")]
pub use arbitrary_resampler::{BoxedArbitraryResampler, Lines};
pub use cic::{CicDecimator, CicInterpolator, Code};
pub use ddc::Ddc;
pub use duc::Duc;
pub use farrow::Farrow;
#[cfg(feature = "alloc")]
pub use fir_decimator::BoxedFirDecimator;
pub use fir_decimator::{Decimate, FirDecimator, FirDecimatorConfig, FixedFirDecimator};
#[cfg(feature = "alloc")]
pub use halfband::{BoxedHalfbandDecimator, BoxedHalfbandInterpolator};
pub use halfband::{
    FixedHalfbandDecimator, FixedHalfbandInterpolator, HalfbandConfig, HalfbandDecimator,
    HalfbandInterpolator, Halve,
};
#[cfg(feature = "alloc")]
pub use rational_resampler::BoxedRationalResampler;
pub use rational_resampler::{FixedRationalResampler, RationalResampler, RationalResamplerConfig, Resample};
