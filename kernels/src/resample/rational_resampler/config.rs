//! The taps of a resampler, its ratio and phase, and how samples of each type meet them.

use crate::filter::fir::{NO_TAPS, symmetric_delay};
use crate::filter::product::each_pairing;
use crate::filter::{Filter, Taps};
use crate::resample::clock::{Clock, Rhythm};
use crate::resample::fir_decimator::{MAX_FACTOR, NO_FACTOR};
use crate::resample::polyphase::{Bank, Polyphase, position};
use crate::sample::Sample;
use crate::shape::{ConfigError, Configured};
use crate::simd::{Baseline, Lanes, SimdLevel};
use core::marker::PhantomData;

/// The taps, ratio and phase of a resampler for samples of type `X`, laid out for a SIMD level.
///
/// `H` stores the taps: `[T; N]`, which may be a `static` in flash, or `Box<[T]>`.
#[derive(Clone, Debug)]
pub struct RationalResamplerConfig<X, H> {
    /// In the order of [`position`].
    pub(super) taps: H,
    pub(super) up: usize,
    pub(super) down: usize,
    pub(super) phase: usize,
    level: SimdLevel,
    input: PhantomData<X>,
}

/// A sample type that taps of type `H` can resample.
pub trait Resample<H: Sample>: Filter<H> {
    /// Outputs from one that is `due` ticks after the last of `past` samples of the window on.
    #[doc(hidden)]
    fn resample(ratio: &Ratio<'_, H>, due: usize, past: usize, window: &[Self], out: &mut [Self::Output]);
}

/// A laid out filter with its ratio.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Ratio<'a, H> {
    pub(super) bank: Bank<'a, H>,
    pub(super) down: usize,
    pub(super) level: SimdLevel,
}

pub(super) const NO_UP: ConfigError = ConfigError { argument: "up", expected: NO_FACTOR.expected };
const NO_DOWN: ConfigError = ConfigError { argument: "down", expected: NO_FACTOR.expected };
const LATE: ConfigError = ConfigError { argument: "phase", expected: "0 to down - 1" };

const fn checked(taps: usize, up: usize, down: usize, phase: usize) -> Result<(), ConfigError> {
    if taps == 0 {
        Err(NO_TAPS)
    } else if up == 0 || up > MAX_FACTOR {
        Err(NO_UP)
    } else if down == 0 || down > MAX_FACTOR {
        Err(NO_DOWN)
    } else if phase >= down {
        Err(LATE)
    } else {
        Ok(())
    }
}

/// Samples per vector that the branches are laid out for: where every tick has an output, each is
/// a filter of its own.
const fn layout(lanes: usize, down: usize) -> usize {
    if down == 1 { lanes } else { 1 }
}

/// Each pairing of samples and taps: a constructor that can fill a `static`, and the body.
macro_rules! pairings {
    ($($x:ty, $h:ty => $y:ty: $component:ty, $product:ty;)*) => {$(
        impl<const N: usize> RationalResamplerConfig<$x, [$h; N]> {
            /// A config made at compile time, for [`SimdLevel::COMPILED`].
            ///
            /// # Errors
            /// [`ConfigError`] without taps, for factors of 0 or above 2^24 and for a phase not below
            /// `down`.
            pub const fn fixed(
                taps: [$h; N],
                up: usize,
                down: usize,
                phase: usize,
            ) -> Result<Self, ConfigError> {
                if let Err(error) = checked(N, up, down, phase) {
                    return Err(error);
                }
                let lanes = <Baseline as Lanes<$component>>::WIDTH / <$x as Sample>::COMPONENTS;
                let (mut to, mut index) = (taps, 0);
                while index < N {
                    to[position(index, N, up, layout(lanes, down))] = taps[index];
                    index += 1;
                }
                Ok(Self { taps: to, up, down, phase, level: SimdLevel::COMPILED, input: PhantomData })
            }
        }

        impl Resample<$h> for $x {
            fn resample(
                ratio: &Ratio<'_, $h>,
                due: usize,
                past: usize,
                window: &[$x],
                out: &mut [Self::Output],
            ) {
                let (window, out) = (Sample::components(window), Sample::components_mut(out));
                let Ratio { bank, down, level } = *ratio;
                let product = PhantomData::<$product>;
                level.run(Polyphase::<$product, $component> { bank, down, due, past, window, out, product });
            }
        }
    )*};
}

each_pairing!(pairings);

impl<X: Resample<H::Tap>, H: Taps> RationalResamplerConfig<X, H> {
    /// A config for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for factors of 0 or above 2^24 and for a phase not below `down`.
    pub fn new(taps: H, up: usize, down: usize, phase: usize) -> Result<Self, ConfigError> {
        Self::with_level(taps, up, down, phase, SimdLevel::best())
    }

    /// A config for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for factors of 0 or above 2^24 and for a phase not below `down`.
    pub fn with_level(
        mut taps: H,
        up: usize,
        down: usize,
        phase: usize,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        let len = taps.as_ref().len();
        checked(len, up, down, phase)?;
        let given = taps.clone();
        for (index, tap) in given.as_ref().iter().enumerate() {
            let slot = position(index, len, up, layout(X::lanes(level), down));
            if let Some(slot) = taps.as_mut().get_mut(slot) {
                *slot = *tap;
            }
        }
        Ok(Self { taps, up, down, phase, level, input: PhantomData })
    }

    /// The taps in the order in which they were given.
    pub fn taps(&self) -> impl DoubleEndedIterator<Item = H::Tap> + ExactSizeIterator + Clone {
        let (taps, lanes) = (self.taps.as_ref(), layout(X::lanes(self.level), self.down));
        let at = move |index| taps.get(position(index, taps.len(), self.up, lanes));
        (0..taps.len()).map(move |index| at(index).copied().unwrap_or_default())
    }

    /// The factor by which the rate is raised.
    #[must_use]
    pub fn up(&self) -> usize {
        self.up
    }

    /// The factor by which the raised rate is lowered.
    #[must_use]
    pub fn down(&self) -> usize {
        self.down
    }

    /// Inputs that an output looks back on, itself included: the history that it takes.
    #[must_use]
    pub fn history(&self) -> usize {
        history(self.taps.as_ref().len(), self.up)
    }

    /// The delay in input samples of taps that are their own mirror image, conjugate or negative,
    /// `(len - 1) / (2 up)`; other taps delay each frequency differently and have none.
    #[must_use]
    pub fn group_delay(&self) -> Option<f64> {
        symmetric_delay(&self.taps()).map(|ticks| ticks / self.up as f64)
    }

    pub(super) fn ratio(&self) -> Ratio<'_, H::Tap> {
        let bank = Bank { taps: self.taps.as_ref(), branches: self.up };
        Ratio { bank, down: self.down, level: self.level }
    }
}

/// Taps of the longest branch.
pub(super) const fn history(taps: usize, up: usize) -> usize {
    if up == 0 { 0 } else { taps.div_ceil(up) }
}

impl<X, H> RationalResamplerConfig<X, H> {
    /// Ticks of `1 / up` samples.
    pub(super) const fn rhythm(&self) -> Rhythm {
        Rhythm { input: self.up as u128, output: self.down as u128 }
    }

    pub(super) const fn start(&self) -> Clock {
        Clock::new(self.rhythm(), self.phase as u128)
    }
}

impl<X, H> Configured for RationalResamplerConfig<X, H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}
