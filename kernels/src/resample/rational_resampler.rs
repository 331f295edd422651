//! Filtering between two rates whose ratio is that of whole numbers.

#[cfg(feature = "testing")]
mod cases;
mod config;

#[cfg(feature = "testing")]
pub(crate) use cases::by_definition;
#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use config::{RationalResamplerConfig, Resample};

use super::clock::{Clock, Rhythm, run};
use super::polyphase::interpolate;
use crate::filter::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
#[cfg(feature = "alloc")]
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use config::history;

const WRONG_LENGTH: ConfigError =
    ConfigError { argument: "state", expected: "a history of one sample for each tap of a branch" };

/// A FIR filter between two rates, `y[m] = sum_k h[k] u[m M + phase - k]` of the input with L - 1
/// zeros after each sample, `u[n L] = x[n]`.
///
/// Only products with inputs are computed, by a polyphase bank of L branches. Blocks may have any
/// length: after N inputs exactly `ceil((N L - phase) / M)` outputs have been given. With M = 1 it
/// is an interpolator, whose branches are vectorised along the outputs. Taps may be real or complex,
/// in any number; they are rounded once, when given, and never padded. For a gain of 1 their sum
/// is L.
///
/// * **Accuracy**: the error is below `ceil(len / L) * eps * sum |h[k] u[n - k]|`; floats differ
///   between levels in the last bits.
/// * **Counts** are whole numbers of ticks of `1 / L` samples: nothing drifts, however long a
///   stream is.
/// * **NaN and infinity** spread to the outputs whose taps meet them and no further. Subnormals
///   are computed as such.
/// * **Delay**: [`RationalResamplerConfig::group_delay`], in input samples.
/// * **Cost**: `len / L` multiply-adds per output (twice that where samples or taps are complex,
///   four times where both are), no allocation.
///
/// R. E. Crochiere and L. R. Rabiner, *Multirate Digital Signal Processing*, section 3.3.
///
/// ```
/// use passband_kernels::resample::{FixedRationalResampler, RationalResamplerConfig};
/// use passband_kernels::shape::VariableLength;
///
/// type Linear = RationalResamplerConfig<f32, [f32; 3]>;
/// static LINEAR: Linear = match Linear::fixed([0.5, 1.0, 0.5], 2, 3, 0) {
///     Ok(config) => config,
///     Err(_) => panic!(),
/// };
/// let mut resampler = FixedRationalResampler::<f32, f32, 3, 2>::fixed(&LINEAR)?;
/// let mut y = [0.0; 3];
/// assert_eq!(resampler.max_out(4), 3);
/// assert_eq!(resampler.execute(&[2.0, 4.0, 6.0, 8.0], &mut y).produced, 3);
/// assert_eq!(y, [1.0, 4.0, 7.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RationalResampler<C, S> {
    config: C,
    state: S,
    clock: Clock,
}

/// A [`RationalResampler`] of `N` taps with its history of `HISTORY` samples in an array and its
/// config in flash.
pub type FixedRationalResampler<X, H, const N: usize, const HISTORY: usize, const SCRATCH: usize = 256> =
    RationalResampler<&'static RationalResamplerConfig<X, [H; N]>, State<X, HISTORY, SCRATCH>>;

/// A [`RationalResampler`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedRationalResampler<X, H> =
    RationalResampler<RationalResamplerConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>>;

impl<X: Sample, H, const N: usize, const HISTORY: usize, const SCRATCH: usize>
    FixedRationalResampler<X, H, N, HISTORY, SCRATCH>
{
    /// A resampler over a config in flash.
    ///
    /// # Errors
    /// [`ConfigError`] when the branches have more than `HISTORY` taps.
    pub const fn fixed(config: &'static RationalResamplerConfig<X, [H; N]>) -> Result<Self, ConfigError> {
        match State::new(history(N, config.up)) {
            Ok(state) => Ok(Self { config, state, clock: config.start() }),
            Err(error) => Err(error),
        }
    }
}

#[cfg(feature = "alloc")]
impl<X: Resample<H>, H: Sample> BoxedRationalResampler<X, H> {
    /// A resampler with its own copy of `taps`, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for factors of 0 or above 2^24 and for a phase not below `down`.
    pub fn new(taps: &[H], up: usize, down: usize, phase: usize) -> Result<Self, ConfigError> {
        Self::with_level(taps, up, down, phase, SimdLevel::best())
    }

    /// An interpolator: a resampler by `factor / 1`.
    ///
    /// # Errors
    /// [`ConfigError`] without taps and for a factor of 0 or above 2^24.
    pub fn interpolator(taps: &[H], factor: usize) -> Result<Self, ConfigError> {
        let named = |error| if error == config::NO_UP { super::fir_decimator::NO_FACTOR } else { error };
        Self::new(taps, factor, 1, 0).map_err(named)
    }

    /// A resampler with its own copy of `taps`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for factors of 0 or above 2^24 and for a phase not below `down`.
    pub fn with_level(
        taps: &[H],
        up: usize,
        down: usize,
        phase: usize,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        let config = RationalResamplerConfig::with_level(taps.into(), up, down, phase, level)?;
        let state = crate::scratch::BoxedState::new(config.history());
        let clock = config.start();
        Ok(Self { config, state, clock })
    }
}

impl<C, S, X, H> RationalResampler<C, S>
where
    C: Configured<Config = RationalResamplerConfig<X, H>>,
    S: History<X>,
    X: Resample<H::Tap>,
    H: Taps,
{
    /// A resampler over a config that it owns or borrows and a history for it, so that one config
    /// can serve many resamplers.
    ///
    /// # Errors
    /// [`ConfigError`] when the history has not one sample for each tap of the longest branch.
    pub fn over(config: C, state: S) -> Result<Self, ConfigError> {
        if state.samples().len() == config.config().history() {
            let clock = config.config().start();
            Ok(Self { config, state, clock })
        } else {
            Err(WRONG_LENGTH)
        }
    }

    /// The config.
    pub fn config(&self) -> &RationalResamplerConfig<X, H> {
        self.config.config()
    }
}

impl<C, S, X, H> Snapshot for RationalResampler<C, S>
where
    C: Configured<Config = RationalResamplerConfig<X, H>>,
    S: History<X>,
    X: Resample<H::Tap>,
    H: Taps,
{
    fn kernel_id(&self) -> u32 {
        let interpolates = self.config().down == 1;
        let algorithm = if interpolates { id::FIR_INTERPOLATOR } else { id::RATIONAL_RESAMPLER };
        id::of(algorithm, X::CODE, H::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.config().taps.as_ref().len() as u64);
        self.config().taps().for_each(|tap| hash.sample(tap));
        for argument in [self.config().up, self.config().down, self.config().phase] {
            hash.u64(argument as u64);
        }
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>() + size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.clock.write(to);
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let Rhythm { input, output } = self.config().rhythm();
        let clock = Clock::read(from, 0..=input + output - 1)?;
        from.samples(self.state.samples_mut())?;
        self.clock = clock;
        Some(())
    }
}

impl<C, S, X, H> Kernel for RationalResampler<C, S>
where
    C: Configured<Config = RationalResamplerConfig<X, H>>,
    S: History<X>,
    X: Resample<H::Tap>,
    H: Taps,
{
    fn reset(&mut self) {
        self.clock = self.config().start();
        self.state.samples_mut().fill(X::ZERO);
    }
}

impl<C, S, X, H> VariableLength for RationalResampler<C, S>
where
    C: Configured<Config = RationalResamplerConfig<X, H>>,
    S: History<X>,
    X: Resample<H::Tap>,
    H: Taps,
{
    type Input = X;
    type Output = X::Output;

    fn execute(&mut self, x: &[X], out: &mut [X::Output]) -> Progress {
        let Self { config, state, clock } = self;
        let (rhythm, ratio) = (config.config().rhythm(), config.config().ratio());
        let body = |due, window: &[X], past, out: &mut [X::Output]| {
            if ratio.down == 1 {
                interpolate(ratio.level, ratio.bank, due, past, window, out);
            } else {
                X::resample(&ratio, due, past, window, out);
            }
        };
        run(clock, rhythm, state, x, out, |due, window, past, out| body(due as usize, window, past, out))
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.clock.outputs(self.config().rhythm(), n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.inputs(self.config().rhythm(), n_out)
    }
}
