//! Filtering between two rates whose ratio is that of whole numbers.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::by_definition;
#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::clock::{Clock, Rhythm, run};
use super::fir_decimator::{MAX_FACTOR, NO_FACTOR};
use super::polyphase::{Bank, Polyphase, interpolate, position};
use crate::filter::fir::{NO_TAPS, symmetric_delay};
use crate::filter::product::{ComplexTaps, ComplexTapsOfReal, RealTaps};
use crate::filter::{Filter, Taps};
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
use crate::simd::{Baseline, Lanes, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;
use num_complex::Complex;

/// The taps, ratio and phase of a resampler for samples of type `X`, laid out for a SIMD level.
///
/// `H` stores the taps: `[T; N]`, which may be a `static` in flash, or `Box<[T]>`.
#[derive(Clone, Debug)]
pub struct RationalResamplerConfig<X, H> {
    /// In the order of [`position`].
    taps: H,
    up: usize,
    down: usize,
    phase: usize,
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
    bank: Bank<'a, H>,
    down: usize,
    level: SimdLevel,
}

const NO_UP: ConfigError = ConfigError { argument: "up", expected: NO_FACTOR.expected };
const NO_DOWN: ConfigError = ConfigError { argument: "down", expected: NO_FACTOR.expected };
const LATE: ConfigError = ConfigError { argument: "phase", expected: "0 to down - 1" };
const WRONG_LENGTH: ConfigError =
    ConfigError { argument: "state", expected: "a history of one sample for each tap of a branch" };

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
    ($($x:ty, $h:ty => $component:ty, $product:ty;)*) => {$(
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

pairings! {
    f32, f32 => f32, RealTaps<1>;
    f64, f64 => f64, RealTaps<1>;
    Complex<f32>, f32 => f32, RealTaps<2>;
    Complex<f64>, f64 => f64, RealTaps<2>;
    Complex<f32>, Complex<f32> => f32, ComplexTaps;
    Complex<f64>, Complex<f64> => f64, ComplexTaps;
    f32, Complex<f32> => f32, ComplexTapsOfReal;
    f64, Complex<f64> => f64, ComplexTapsOfReal;
}

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

    fn ratio(&self) -> Ratio<'_, H::Tap> {
        let bank = Bank { taps: self.taps.as_ref(), branches: self.up };
        Ratio { bank, down: self.down, level: self.level }
    }
}

/// Taps of the longest branch.
const fn history(taps: usize, up: usize) -> usize {
    if up == 0 { 0 } else { taps.div_ceil(up) }
}

impl<X, H> RationalResamplerConfig<X, H> {
    /// Ticks of `1 / up` samples.
    const fn rhythm(&self) -> Rhythm {
        Rhythm { input: self.up as u128, output: self.down as u128 }
    }

    const fn start(&self) -> Clock {
        Clock::new(self.rhythm(), self.phase as u128)
    }
}

impl<X, H> Configured for RationalResamplerConfig<X, H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}

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
        let named = |error: ConfigError| if error == NO_UP { NO_FACTOR } else { error };
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
