//! The taps of a fast convolution and their spectrum.

use super::block::{FftFilter, Layout};
use crate::filter::fir::{NO_TAPS, Taps, symmetric_delay};
use crate::sample::Sample;
use crate::shape::{ConfigError, Configured};
use crate::simd::SimdLevel;
use crate::transform::{FftConfig, FftTable};
use core::marker::PhantomData;
use num_complex::Complex;

/// The taps of an [`FftFir`](super::FftFir) for samples of type `X`, and their spectrum.
///
/// `H` stores the taps and `W` a frame of the transform: arrays or boxes. One config serves many
/// filters.
#[derive(Clone, Debug)]
pub struct FftFirConfig<X, H, W> {
    pub(super) taps: H,
    pub(super) spectrum: W,
    pub(super) fft: FftConfig<W>,
    input: PhantomData<X>,
}

impl<X, H, W> FftFirConfig<X, H, W>
where
    X: FftFilter<H::Tap>,
    H: Taps,
    W: FftTable<Real = X::Component>,
{
    /// Transforms taps into a table as long as a frame, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, and for a frame that is not a power of two from 16 to 2^24, at
    /// least twice the taps.
    pub fn new(taps: H, table: W) -> Result<Self, ConfigError> {
        Self::with_level(taps, table, SimdLevel::best())
    }

    /// Transforms taps into a table as long as a frame, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, and for a frame that is not a power of two from 16 to 2^24, at
    /// least twice the taps.
    pub fn with_level(taps: H, table: W, level: SimdLevel) -> Result<Self, ConfigError> {
        let (len, n) = (taps.as_ref().len(), table.as_ref().len());
        if len == 0 {
            return Err(NO_TAPS);
        }
        if n < 16 || n / 2 < len {
            return Err(ConfigError { argument: "n", expected: "at least 16 and twice the number of taps" });
        }
        let mut padded = table.clone();
        padded.as_mut().fill(Complex { re: X::Component::ZERO, im: X::Component::ZERO });
        for (to, tap) in padded.as_mut().iter_mut().zip(taps.as_ref()) {
            *to = X::tap(*tap);
        }
        let (mut spectrum, mut scratch) = (table.clone(), table.clone());
        let fft = FftConfig::with_level(table, false, level)?;
        fft.run(false, padded.as_ref(), spectrum.as_mut(), scratch.as_mut());
        Ok(Self { taps, spectrum, fft, input: PhantomData })
    }

    /// The taps in the order in which they were given.
    pub fn taps(&self) -> &[H::Tap] {
        self.taps.as_ref()
    }

    /// The length of a frame of the transform.
    pub fn frame(&self) -> usize {
        self.fft.len()
    }

    /// The level that it runs at.
    pub fn level(&self) -> SimdLevel {
        self.fft.level()
    }

    /// The delay in samples of taps that are their own mirror image, conjugate or negative,
    /// `(len - 1) / 2`; other taps delay each frequency differently and have none.
    pub fn group_delay(&self) -> Option<f64> {
        symmetric_delay(&self.taps().iter().copied())
    }

    pub(super) fn layout(&self) -> Layout {
        Layout::new(self.taps().len(), self.frame(), X::HOPS)
    }
}

impl<X, H, W> Configured for FftFirConfig<X, H, W> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}
