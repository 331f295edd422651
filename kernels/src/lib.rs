#![doc = include_str!("../../README.md")]
#![no_std]
// Links to what a feature brings lead nowhere without it; those of all features are checked.
#![cfg_attr(not(feature = "std"), allow(rustdoc::broken_intra_doc_links))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "testing")]
pub mod catalog;
mod chain;
mod channels;
pub mod convert;
pub mod delay;
pub mod demod;
pub mod detect;
pub mod filter;
pub mod fixed;
pub mod level;
pub mod math;
pub mod resample;
pub mod sample;
pub mod scratch;
pub mod shape;
mod simd;
pub mod source;
pub mod spectrum;
pub mod state;
pub mod sync;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transform;

pub use chain::{Chain, Steps};
#[cfg(feature = "alloc")]
pub use channels::BoxedChannels;
pub use channels::{Channels, FixedChannels, Kernels};
pub use num_complex::Complex;
pub use simd::SimdLevel;
