//! Changes of rate by two with filters of which every other tap is zero.

#[cfg(feature = "testing")]
mod cases;
mod config;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use config::{HalfbandConfig, Halve};

use super::clock::{Clock, Rhythm, run};
use crate::filter::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
#[cfg(feature = "alloc")]
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// Outputs at a time, whole vectors of every type.
const BLOCK: usize = 256;

const DOWN: Rhythm = Rhythm { input: 1, output: 2 };
const UP: Rhythm = Rhythm { input: 2, output: 1 };

const WRONG_LENGTH: ConfigError = ConfigError { argument: "state", expected: "a history for the taps" };

/// A half-band filter that computes every other output, `y[m] = sum_k h[k] x[2 m - k]`.
///
/// Taps at odd places are zero save the one in the middle, and are not multiplied. After n inputs
/// exactly `ceil(n / 2)` outputs have been given.
///
/// * **Accuracy**: the error is below `len / 2 * eps * sum |h[k] x[n - k]|`; floats differ between
///   levels in the last bits. Q7, Q15 and Q31 sum exactly, round half up once and saturate.
/// * **NaN and infinity** spread to the outputs whose taps meet them, zeros not counted.
/// * **Delay**: [`HalfbandConfig::group_delay`], in input samples.
/// * **Cost**: `len / 4` multiply-adds per input (twice that where samples or taps are complex, four
///   times where both are), no allocation.
///
/// M. G. Bellanger, J. L. Daguet and G. P. Lepagnol, *Interpolation, extrapolation, and reduction of
/// computation speed in digital filters*, IEEE Trans. ASSP-22 (1974).
///
/// ```
/// use passband_kernels::resample::BoxedHalfbandDecimator;
/// use passband_kernels::shape::VariableLength;
///
/// let mut half = BoxedHalfbandDecimator::<f32, f32>::new(&[0.25, 0.5, 0.25])?;
/// let mut y = [0.0; 3];
/// assert_eq!(half.execute(&[4.0, 8.0, 4.0, 0.0, 4.0], &mut y).produced, 3);
/// assert_eq!(y, [1.0, 6.0, 2.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HalfbandDecimator<C, S, X> {
    config: C,
    evens: S,
    /// The input before each that gives an output.
    odds: S,
    clock: Clock,
    /// An input that waits for the next.
    held: X,
}

/// A half-band filter that computes two outputs per input, `y[m] = sum_k h[k] u[m - k]`.
///
/// `u` is the input with a zero after each sample. Odd outputs are the input, delayed and scaled by
/// the tap in the middle; for a gain of 1 the taps add up to 2. After n inputs exactly `2 n` outputs
/// have been given.
///
/// * **Accuracy**, **NaN**: as for [`HalfbandDecimator`].
/// * **Delay**: half of [`HalfbandConfig::group_delay`], in input samples.
/// * **Cost**: `len / 4` multiply-adds per output, no allocation.
///
/// M. G. Bellanger, J. L. Daguet and G. P. Lepagnol, *Interpolation, extrapolation, and reduction of
/// computation speed in digital filters*, IEEE Trans. ASSP-22 (1974).
///
/// ```
/// use passband_kernels::resample::BoxedHalfbandInterpolator;
/// use passband_kernels::shape::VariableLength;
///
/// let mut lines = BoxedHalfbandInterpolator::<f32, f32>::new(&[0.5, 1.0, 0.5])?;
/// let mut y = [0.0; 6];
/// assert_eq!(lines.execute(&[2.0, 4.0, 6.0], &mut y).produced, 6);
/// assert_eq!(y, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HalfbandInterpolator<C, S> {
    config: C,
    state: S,
    clock: Clock,
}

/// A [`HalfbandDecimator`] with `N` taps at even places, in arrays.
pub type FixedHalfbandDecimator<X, H, const N: usize, const SCRATCH: usize = 256> =
    HalfbandDecimator<HalfbandConfig<X, [H; N]>, State<X, N, SCRATCH>, X>;

/// A [`HalfbandInterpolator`] with `N` taps at even places, in arrays.
pub type FixedHalfbandInterpolator<X, H, const N: usize, const SCRATCH: usize = 256> =
    HalfbandInterpolator<HalfbandConfig<X, [H; N]>, State<X, N, SCRATCH>>;

/// A [`HalfbandDecimator`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedHalfbandDecimator<X, H> =
    HalfbandDecimator<HalfbandConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>, X>;

/// A [`HalfbandInterpolator`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedHalfbandInterpolator<X, H> =
    HalfbandInterpolator<HalfbandConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>>;

#[cfg(feature = "alloc")]
impl<X: Halve<H>, H: Sample> BoxedHalfbandDecimator<X, H> {
    /// A decimator with its own copy of `taps`, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for taps whose number is not 3, 7, 11 or so on, or that are not zero at odd
    /// places other than the middle.
    pub fn new(taps: &[H]) -> Result<Self, ConfigError> {
        Self::with_level(taps, SimdLevel::best())
    }

    /// A decimator with its own copy of `taps`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for taps whose number is not 3, 7, 11 or so on, or that are not zero at odd
    /// places other than the middle.
    pub fn with_level(taps: &[H], level: SimdLevel) -> Result<Self, ConfigError> {
        let config = HalfbandConfig::of(taps, level)?;
        let [evens, odds] = config.histories().map(crate::scratch::BoxedState::new);
        Self::over(config, evens, odds)
    }
}

#[cfg(feature = "alloc")]
impl<X: Halve<H>, H: Sample> BoxedHalfbandInterpolator<X, H> {
    /// An interpolator with its own copy of `taps`, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for taps whose number is not 3, 7, 11 or so on, or that are not zero at odd
    /// places other than the middle.
    pub fn new(taps: &[H]) -> Result<Self, ConfigError> {
        Self::with_level(taps, SimdLevel::best())
    }

    /// An interpolator with its own copy of `taps`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for taps whose number is not 3, 7, 11 or so on, or that are not zero at odd
    /// places other than the middle.
    pub fn with_level(taps: &[H], level: SimdLevel) -> Result<Self, ConfigError> {
        let config = HalfbandConfig::of(taps, level)?;
        let state = crate::scratch::BoxedState::new(config.even().len());
        Self::over(config, state)
    }
}

impl<C, S, X, H> HalfbandDecimator<C, S, X>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    /// A decimator over a config that it owns or borrows, with histories for even and odd samples.
    ///
    /// # Errors
    /// [`ConfigError`] when the histories have not the lengths [`HalfbandConfig::histories`].
    pub fn over(config: C, evens: S, odds: S) -> Result<Self, ConfigError> {
        if [evens.samples().len(), odds.samples().len()] == config.config().histories() {
            Ok(Self { config, evens, odds, clock: Clock::new(DOWN, 0), held: X::ZERO })
        } else {
            Err(WRONG_LENGTH)
        }
    }

    /// The config.
    pub fn config(&self) -> &HalfbandConfig<X, H> {
        self.config.config()
    }
}

impl<C, S, X, H> HalfbandInterpolator<C, S>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    /// An interpolator over a config that it owns or borrows, with a history.
    ///
    /// # Errors
    /// [`ConfigError`] when the history has not one sample for each tap at an even place.
    pub fn over(config: C, state: S) -> Result<Self, ConfigError> {
        if state.samples().len() == config.config().even().len() {
            Ok(Self { config, state, clock: Clock::new(UP, 0) })
        } else {
            Err(WRONG_LENGTH)
        }
    }

    /// The config.
    pub fn config(&self) -> &HalfbandConfig<X, H> {
        self.config.config()
    }
}

impl<C, S, X, H> Snapshot for HalfbandDecimator<C, S, X>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::HALFBAND_DECIMATOR, X::CODE, H::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.config().fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        let samples = self.evens.samples().len() + self.odds.samples().len() + 1;
        size_of::<u64>() + samples * size_of::<X>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.clock.write(to);
        to.samples(&[self.held]);
        to.samples(self.evens.samples());
        to.samples(self.odds.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let clock = Clock::read(from, 1..=2)?;
        let held = from.sample()?;
        from.samples(self.evens.samples_mut())?;
        from.samples(self.odds.samples_mut())?;
        (self.clock, self.held) = (clock, held);
        Some(())
    }
}

impl<C, S, X, H> Snapshot for HalfbandInterpolator<C, S>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::HALFBAND_INTERPOLATOR, X::CODE, H::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.config().fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>() + size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.clock.write(to);
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let clock = Clock::read(from, 1..=2)?;
        from.samples(self.state.samples_mut())?;
        self.clock = clock;
        Some(())
    }
}

impl<C, S, X, H> Kernel for HalfbandDecimator<C, S, X>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    fn reset(&mut self) {
        (self.clock, self.held) = (Clock::new(DOWN, 0), X::ZERO);
        self.evens.samples_mut().fill(X::ZERO);
        self.odds.samples_mut().fill(X::ZERO);
    }
}

impl<C, S, X, H> Kernel for HalfbandInterpolator<C, S>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    fn reset(&mut self) {
        self.clock = Clock::new(UP, 0);
        self.state.samples_mut().fill(X::ZERO);
    }
}

impl<C, S, X, H> VariableLength for HalfbandDecimator<C, S, X>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    type Input = X;
    type Output = X::Output;

    fn execute(&mut self, x: &[X], out: &mut [X::Output]) -> Progress {
        let consumed = x.len().min(self.max_in(out.len()));
        let produced = self.max_out(consumed);
        let Self { config, evens, odds, clock, held } = self;
        let config = config.config();
        let mut rest = x.get(..consumed).unwrap_or(x);
        if clock.due == 2
            && let Some((first, later)) = rest.split_first()
        {
            (*held, rest) = (*first, later);
            clock.due = 1;
        }
        // From here on each output is of a pair: the input that is held and the next.
        let (mut even, mut odd) = ([X::ZERO; BLOCK], [X::ZERO; BLOCK]);
        let mut sums = [X::Wide::default(); BLOCK];
        let mut out = out.iter_mut();
        for block in rest.chunks(2 * BLOCK) {
            let count = block.len().div_ceil(2);
            for ((pair, even), odd) in block.chunks(2).zip(&mut even).zip(&mut odd) {
                (*odd, clock.due) = (*held, 2);
                if let Some(first) = pair.first() {
                    *even = *first;
                }
                if let Some(second) = pair.get(1) {
                    (*held, clock.due) = (*second, 1);
                }
            }
            evens.drive(even.get(..count).unwrap_or(&[]), |window, inputs| {
                if let Some(sums) = sums.get_mut(inputs) {
                    X::sums(config, window, sums);
                }
            });
            odds.drive(odd.get(..count).unwrap_or(&[]), |window, inputs| {
                let sums = sums.get(inputs).unwrap_or(&[]);
                for ((sum, odd), y) in sums.iter().zip(window).zip(&mut out) {
                    *y = X::join(*sum, config.centre(), *odd);
                }
            });
        }
        Progress { consumed, produced }
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.clock.outputs(DOWN, n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.inputs(DOWN, n_out)
    }
}

impl<C, S, X, H> VariableLength for HalfbandInterpolator<C, S>
where
    C: Configured<Config = HalfbandConfig<X, H>>,
    S: History<X>,
    X: Halve<H::Tap>,
    H: Taps,
{
    type Input = X;
    type Output = X::Output;

    fn execute(&mut self, x: &[X], out: &mut [X::Output]) -> Progress {
        let Self { config, state, clock } = self;
        let config = config.config();
        let taps = config.even().len();
        let mut sums = [X::Wide::default(); BLOCK];
        run(clock, UP, state, x, out, |due, window, past, out| {
            for (block, out) in out.chunks_mut(2 * BLOCK).enumerate() {
                let due = due as usize + 2 * BLOCK * block;
                // Even outputs, the first at this tick or the next, and odd ones likewise.
                let (even, odd) = (due + due % 2, due + (due + 1) % 2);
                let count = (out.len() - due % 2).div_ceil(2);
                let (Some(sums), Some(window_of_even), Some(delayed)) = (
                    sums.get_mut(..count),
                    window.get((past + even / 2).saturating_sub(taps)..),
                    window.get((past + odd / 2).saturating_sub(taps / 2)..),
                ) else {
                    return;
                };
                if count > 0 {
                    X::sums(config, window_of_even, sums);
                }
                for (y, sum) in out.iter_mut().skip(due % 2).step_by(2).zip(sums) {
                    *y = X::join(*sum, H::Tap::ZERO, X::ZERO);
                }
                for (y, x) in out.iter_mut().skip((due + 1) % 2).step_by(2).zip(delayed) {
                    *y = X::join(X::Wide::default(), config.centre(), *x);
                }
            }
        })
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.clock.outputs(UP, n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.inputs(UP, n_out)
    }
}
