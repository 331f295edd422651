//! Half-band filters that keep every other output.

use super::{BLOCK, DOWN, HalfbandConfig, Halve, WRONG_LENGTH};
use crate::filter::Taps;
use crate::resample::clock::Clock;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
#[cfg(feature = "alloc")]
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

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

/// A [`HalfbandDecimator`] with `N` taps at even places, in arrays.
pub type FixedHalfbandDecimator<X, H, const N: usize, const SCRATCH: usize = 256> =
    HalfbandDecimator<HalfbandConfig<X, [H; N]>, State<X, N, SCRATCH>, X>;

/// A [`HalfbandDecimator`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedHalfbandDecimator<X, H> =
    HalfbandDecimator<HalfbandConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>, X>;

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
