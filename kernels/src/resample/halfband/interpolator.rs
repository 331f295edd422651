//! Half-band filters that give two outputs per input.

use super::{BLOCK, HalfbandConfig, Halve, UP, WRONG_LENGTH};
use crate::filter::Taps;
use crate::resample::clock::{Clock, run};
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
#[cfg(feature = "alloc")]
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A half-band filter that computes two outputs per input, `y[m] = sum_k h[k] u[m - k]`.
///
/// `u` is the input with a zero after each sample. Odd outputs are the input, delayed and scaled by
/// the tap in the middle; for a gain of 1 the taps add up to 2. After n inputs exactly `2 n` outputs
/// have been given.
///
/// * **Accuracy**, **NaN**: as for [`HalfbandDecimator`](super::HalfbandDecimator).
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

/// A [`HalfbandInterpolator`] with `N` taps at even places, in arrays.
pub type FixedHalfbandInterpolator<X, H, const N: usize, const SCRATCH: usize = 256> =
    HalfbandInterpolator<HalfbandConfig<X, [H; N]>, State<X, N, SCRATCH>>;

/// A [`HalfbandInterpolator`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedHalfbandInterpolator<X, H> =
    HalfbandInterpolator<HalfbandConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>>;

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
