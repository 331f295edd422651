//! Filtering between two rates of any ratio, which may change while the stream runs.

mod body;
#[cfg(feature = "testing")]
mod cases;
mod design;
#[cfg(feature = "alloc")]
mod lines;
mod samples;

pub use super::cardinal::Stopband;
#[cfg(feature = "testing")]
pub(crate) use cases::cardinal;
#[cfg(feature = "testing")]
pub(crate) use cases::cases;

#[cfg(feature = "alloc")]
pub use lines::Lines;
pub use samples::Interpolate;

use self::design::Grid;
use self::samples::Table;
use super::clock::run;
use super::pace::Pace;
use crate::filter::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// The filter of a resampler for samples of type `X`.
///
/// `H` stores it: `[T; N]` with `N` the [`table_len`](Self::table_len), `Box<[T]>`, or [`Lines`],
/// which are aligned.
#[derive(Clone, Debug)]
pub struct ArbitraryResamplerConfig<X, H> {
    table: H,
    grid: Grid,
    stopband: Stopband,
    /// Where a stream starts.
    start: Pace,
    level: SimdLevel,
    input: PhantomData<X>,
}

const WRONG_TABLE: ConfigError = ConfigError { argument: "table", expected: "`table_len` values" };
const WRONG_LENGTH: ConfigError =
    ConfigError { argument: "state", expected: "a history of one sample for each tap" };

impl<X: Interpolate, H: Taps<Tap = X::Component>> ArbitraryResamplerConfig<X, H> {
    /// Values in the table of a filter.
    #[must_use]
    pub const fn table_len(stopband: Stopband, ratio: f64) -> usize {
        Grid::of(stopband, ratio).len()
    }

    /// A config for a level, with the filter computed into `table`, whatever is in it.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536, for a phase that is not from 0 to
    /// 2^20, and for a table that has not the [`table_len`](Self::table_len).
    pub fn with_level(
        mut table: H,
        ratio: f64,
        stopband: Stopband,
        phase: f64,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        let (start, grid) = (Pace::new(ratio, phase)?, Grid::of(stopband, ratio));
        if table.as_ref().len() != grid.len() {
            return Err(WRONG_TABLE);
        }
        grid.fill(table.as_mut(), stopband, ratio);
        Ok(Self { table, grid, stopband, start, level, input: PhantomData })
    }

    /// Inputs that an output looks back on: the history that it takes.
    #[must_use]
    pub fn history(&self) -> usize {
        self.grid.taps
    }

    /// The delay in input samples, the same at every frequency and ratio.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        self.grid.taps as f64 / 2.0
    }
}

impl<X, H> Configured for ArbitraryResamplerConfig<X, H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}

/// A resampler to any rate, `y[m] = sum_n h(m / ratio + phase - n) x[n]`.
///
/// `ratio` is outputs per input and may be set while the stream runs. `h` is a sine cardinal under
/// a Kaiser window, flat to 0.4 of the lower rate and down by the stop-band from 0.5 of it on; it
/// stays that of the ratio of the constructor. It is computed as polynomials of the time between
/// two inputs, piece by piece, of order 2, 3 or 4 (60, 100, 140 dB).
///
/// * **Accuracy**: images and aliases are below the stop-band; single precision adds its rounding,
///   140 dB below. Floats differ between levels in the last bits.
/// * **Counts**: time is kept in units of 2^-64 input samples, to which an output's period is
///   rounded up once: within 6e-11 samples after 10^9 outputs. After N inputs
///   `ceil((N - phase) ratio)` outputs have been given; `max_out` tells of each call before.
/// * **NaN and infinity** spread to the outputs whose taps meet them and no further.
/// * **Delay**: [`ArbitraryResamplerConfig::group_delay`], in input samples; given as `phase` it is
///   taken off.
/// * **Cost**: 3, 4 or 5 multiply-adds for each of 48, 80 or 96 taps (60, 100, 140 dB) per output, one
///   more where samples are complex; below a ratio of 1 the taps are that over the ratio. Tables
///   take 17 to 24 KiB in single precision. No allocation.
///
/// J. O. Smith and P. Gossett, *A flexible sampling-rate conversion method*, Proc. ICASSP (1984).
///
/// ```
/// use passband_kernels::resample::{BoxedArbitraryResampler, Stopband};
/// use passband_kernels::shape::VariableLength;
///
/// let mut resampler = BoxedArbitraryResampler::<f32>::new(48.0 / 44.1, Stopband::Db100, 0.0)?;
/// assert_eq!(resampler.max_out(441), 480);
/// let mut y = [0.0; 480];
/// assert_eq!(resampler.execute(&[1.0; 441], &mut y).produced, 480);
/// assert!((y[479] - 1.0).abs() < 1e-5);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArbitraryResampler<C, S> {
    config: C,
    state: S,
    pace: Pace,
}

/// An [`ArbitraryResampler`] with a table of `N` values and a history of `HISTORY` samples in
/// arrays.
pub type FixedArbitraryResampler<X, const N: usize, const HISTORY: usize, const SCRATCH: usize = 256> =
    ArbitraryResampler<
        ArbitraryResamplerConfig<X, [<X as Sample>::Component; N]>,
        State<X, HISTORY, SCRATCH>,
    >;

/// An [`ArbitraryResampler`] with its table and history in boxes, the table aligned.
#[cfg(feature = "alloc")]
pub type BoxedArbitraryResampler<X> = ArbitraryResampler<
    ArbitraryResamplerConfig<X, Lines<<X as Sample>::Component>>,
    crate::scratch::BoxedState<X>,
>;

#[cfg(feature = "alloc")]
impl<X: Interpolate> BoxedArbitraryResampler<X> {
    /// A resampler for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536 and a phase that is not from 0 to
    /// 2^20.
    pub fn new(ratio: f64, stopband: Stopband, phase: f64) -> Result<Self, ConfigError> {
        Self::with_level(ratio, stopband, phase, SimdLevel::best())
    }

    /// A resampler for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536 and a phase that is not from 0 to
    /// 2^20.
    pub fn with_level(
        ratio: f64,
        stopband: Stopband,
        phase: f64,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        Pace::new(ratio, phase)?;
        let table = Lines::new(Grid::of(stopband, ratio).len());
        let config = ArbitraryResamplerConfig::with_level(table, ratio, stopband, phase, level)?;
        let state = crate::scratch::BoxedState::new(config.history());
        Self::over(config, state)
    }
}

impl<C, S, X, H> ArbitraryResampler<C, S>
where
    C: Configured<Config = ArbitraryResamplerConfig<X, H>>,
    S: History<X>,
    X: Interpolate,
    H: Taps<Tap = X::Component>,
{
    /// A resampler over a config that it owns or borrows and a history for it, so that one config
    /// can serve many resamplers.
    ///
    /// # Errors
    /// [`ConfigError`] when the history has not one sample for each tap.
    pub fn over(config: C, state: S) -> Result<Self, ConfigError> {
        let ArbitraryResamplerConfig { start, grid, .. } = *config.config();
        if state.samples().len() == grid.taps {
            Ok(Self { config, state, pace: start })
        } else {
            Err(WRONG_LENGTH)
        }
    }

    /// The config.
    pub fn config(&self) -> &ArbitraryResamplerConfig<X, H> {
        self.config.config()
    }

    /// Outputs per input.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.pace.ratio()
    }

    /// Sets the outputs per input from the output after the next on: the next one stays where it is,
    /// so that no phase jumps. The filter stays that of the constructor's ratio; below that, what
    /// lies above half of the output's rate aliases.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536; nothing changes.
    pub fn set_ratio(&mut self, ratio: f64) -> Result<(), ConfigError> {
        self.pace.set_ratio(ratio)
    }
}

impl<C, S, X, H> Snapshot for ArbitraryResampler<C, S>
where
    C: Configured<Config = ArbitraryResamplerConfig<X, H>>,
    S: History<X>,
    X: Interpolate,
    H: Taps<Tap = X::Component>,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::ARBITRARY_RESAMPLER, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        let ArbitraryResamplerConfig { stopband, start, .. } = self.config();
        hash.u64(stopband.decibels().into());
        start.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        Pace::PAYLOAD + size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.pace.write(to);
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let pace = Pace::read(from)?;
        from.samples(self.state.samples_mut())?;
        self.pace = pace;
        Some(())
    }
}

impl<C, S, X, H> Kernel for ArbitraryResampler<C, S>
where
    C: Configured<Config = ArbitraryResamplerConfig<X, H>>,
    S: History<X>,
    X: Interpolate,
    H: Taps<Tap = X::Component>,
{
    fn reset(&mut self) {
        self.pace = self.config().start;
        self.state.samples_mut().fill(X::ZERO);
    }
}

impl<C, S, X, H> VariableLength for ArbitraryResampler<C, S>
where
    C: Configured<Config = ArbitraryResamplerConfig<X, H>>,
    S: History<X>,
    X: Interpolate,
    H: Taps<Tap = X::Component>,
{
    type Input = X;
    type Output = X;

    fn execute(&mut self, x: &[X], out: &mut [X]) -> Progress {
        let rhythm = self.pace.rhythm();
        let Self { config, state, pace } = self;
        let ArbitraryResamplerConfig { table, grid, level, .. } = config.config();
        let table = Table { values: table.as_ref(), grid: *grid, step: rhythm.output, level: *level };
        run(&mut pace.clock, rhythm, state, x, out, |due, window, past, out| {
            X::interpolate(&table, due, past, window, out);
        })
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.pace.outputs(n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.pace.inputs(n_out)
    }
}
