//! Filtering between two rates of any ratio, which may change while the stream runs.

mod body;
#[cfg(feature = "testing")]
mod cases;
mod design;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use design::Stopband;

use self::body::Interpolated;
use self::design::Grid;
use super::clock::{Clock, Rhythm, run};
use crate::filter::Taps;
use crate::sample::{Float, Sample};
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;
use num_complex::Complex;

/// The filter of a resampler for samples of type `X`.
///
/// `H` stores it: `[T; N]` with `N` the [`table_len`](Self::table_len), or `Box<[T]>`.
#[derive(Clone, Debug)]
pub struct ArbitraryResamplerConfig<X, H> {
    table: H,
    grid: Grid,
    stopband: Stopband,
    ratio: f64,
    /// When the first output is due, in ticks.
    phase: u128,
    level: SimdLevel,
    input: PhantomData<X>,
}

/// A sample type that a filter of real numbers can resample by any ratio.
pub trait Interpolate: Sample<Component: Float<Double = f64>> {
    #[doc(hidden)]
    fn interpolate(
        config: &Table<'_, Self::Component>,
        due: u128,
        past: usize,
        window: &[Self],
        out: &mut [Self],
    );
}

/// A laid out filter, and the ticks from an output to the next.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Table<'a, T> {
    values: &'a [T],
    grid: Grid,
    step: u128,
    level: SimdLevel,
}

macro_rules! samples {
    ($($x:ty: $component:ty, $stride:literal;)*) => {$(
        impl Interpolate for $x {
            fn interpolate(
                config: &Table<'_, $component>,
                due: u128,
                past: usize,
                window: &[$x],
                out: &mut [$x],
            ) {
                let Table { values: table, grid: Grid { taps, rows }, step, level } = *config;
                let (window, out) = (Sample::components(window), Sample::components_mut(out));
                level.run(Interpolated::<$component, $stride> { table, taps, rows, due, step, past, window, out });
            }
        }
    )*};
}

samples! {
    f32: f32, 1;
    f64: f64, 1;
    Complex<f32>: f32, 2;
    Complex<f64>: f64, 2;
}

/// Ticks from an input to the next.
const INPUT: u128 = 1 << 64;

const NO_RATIO: ConfigError = ConfigError { argument: "ratio", expected: "from 1/1024 to 65536" };
const NO_PHASE: ConfigError =
    ConfigError { argument: "phase", expected: "a time from 0 to 1048576 input samples" };
const WRONG_TABLE: ConfigError = ConfigError { argument: "table", expected: "`table_len` values" };
const WRONG_LENGTH: ConfigError =
    ConfigError { argument: "state", expected: "a history of one sample for each tap" };

/// Ticks from an output to the next: 2^64 over the ratio, rounded up, so that no output comes before
/// its time.
const fn step(ratio: f64) -> Result<u128, ConfigError> {
    if !(ratio >= 1.0 / 1024.0 && ratio <= 65_536.0) {
        return Err(NO_RATIO);
    }
    let bits = ratio.to_bits();
    // ratio = mantissa 2^(exponent - 1075), so that no shift is out of range.
    let (exponent, mantissa) = ((bits >> 52) as u32, (bits & ((1 << 52) - 1) | 1 << 52) as u128);
    Ok((1u128 << (1139 - exponent)).div_ceil(mantissa))
}

fn ticks(phase: f64) -> Result<u128, ConfigError> {
    const MAX_PHASE: f64 = 1_048_576.0;
    if (0.0..=MAX_PHASE).contains(&phase) { Ok((phase * INPUT as f64) as u128) } else { Err(NO_PHASE) }
}

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
        step(ratio)?;
        let (phase, grid) = (ticks(phase)?, Grid::of(stopband, ratio));
        if table.as_ref().len() != grid.len() {
            return Err(WRONG_TABLE);
        }
        grid.fill(table.as_mut(), stopband, ratio);
        Ok(Self { table, grid, stopband, ratio, phase, level, input: PhantomData })
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
/// stays that of the ratio of the constructor. Between its samples it is a cubic.
///
/// * **Accuracy**: images and aliases are below the stop-band; single precision adds its rounding,
///   140 dB below. Floats differ between levels in the last bits.
/// * **Counts**: time is kept in units of 2^-64 input samples, to which an output's period is
///   rounded up once: within 6e-11 samples after 10^9 outputs. After N inputs
///   `ceil((N - phase) ratio)` outputs have been given; `max_out` tells of each call before.
/// * **NaN and infinity** spread to the outputs whose taps meet them and no further.
/// * **Delay**: [`ArbitraryResamplerConfig::group_delay`], in input samples; given as `phase` it is
///   taken off.
/// * **Cost**: 5 multiply-adds for each of 48, 80 or 112 taps (60, 100, 140 dB) per output, 6 where
///   samples are complex; below a ratio of 1 the taps are that over the ratio. No allocation.
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
    clock: Clock,
    ratio: f64,
    /// Ticks from an output to the next.
    step: u128,
}

/// An [`ArbitraryResampler`] with a table of `N` values and a history of `HISTORY` samples in
/// arrays.
pub type FixedArbitraryResampler<X, const N: usize, const HISTORY: usize, const SCRATCH: usize = 256> =
    ArbitraryResampler<
        ArbitraryResamplerConfig<X, [<X as Sample>::Component; N]>,
        State<X, HISTORY, SCRATCH>,
    >;

/// An [`ArbitraryResampler`] with its table and history in boxes.
#[cfg(feature = "alloc")]
pub type BoxedArbitraryResampler<X> = ArbitraryResampler<
    ArbitraryResamplerConfig<X, alloc::boxed::Box<[<X as Sample>::Component]>>,
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
        step(ratio)?;
        let table = alloc::vec![<X::Component>::ZERO; Grid::of(stopband, ratio).len()];
        let config =
            ArbitraryResamplerConfig::with_level(table.into_boxed_slice(), ratio, stopband, phase, level)?;
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
        let ArbitraryResamplerConfig { ratio, phase, grid, .. } = *config.config();
        if state.samples().len() != grid.taps {
            return Err(WRONG_LENGTH);
        }
        let step = step(ratio)?;
        Ok(Self { config, state, clock: Clock { due: INPUT + phase }, ratio, step })
    }

    /// The config.
    pub fn config(&self) -> &ArbitraryResamplerConfig<X, H> {
        self.config.config()
    }

    /// Outputs per input.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Sets the outputs per input from the output after the next on: the next one stays where it is,
    /// so that no phase jumps. The filter stays that of the constructor's ratio; below that, what
    /// lies above half of the output's rate aliases.
    ///
    /// # Errors
    /// [`ConfigError`] for a ratio that is not from 1/1024 to 65536; nothing changes.
    pub fn set_ratio(&mut self, ratio: f64) -> Result<(), ConfigError> {
        self.step = step(ratio)?;
        self.ratio = ratio;
        Ok(())
    }

    fn rhythm(&self) -> Rhythm {
        Rhythm { input: INPUT, output: self.step }
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
        let ArbitraryResamplerConfig { stopband, ratio, phase, .. } = self.config();
        hash.u64(stopband.decibels().into());
        hash.sample(*ratio);
        hash.u64((phase >> 64) as u64);
        hash.u64(*phase as u64);
    }
    fn payload_len(&self) -> usize {
        3 * size_of::<u64>() + size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(&[self.ratio]);
        to.u64((self.clock.due >> 64) as u64);
        to.u64(self.clock.due as u64);
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        // Further off than any phase and any period.
        const FAR: u64 = 1 << 21;
        let ratio: f64 = from.sample()?;
        let step = step(ratio).ok()?;
        let whole = from.u64().filter(|whole| *whole < FAR)?;
        let due = u128::from(whole) << 64 | u128::from(from.u64()?);
        from.samples(self.state.samples_mut())?;
        (self.ratio, self.step, self.clock) = (ratio, step, Clock { due });
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
        let ArbitraryResamplerConfig { ratio, phase, .. } = *self.config();
        if let Ok(step) = step(ratio) {
            (self.ratio, self.step) = (ratio, step);
        }
        self.clock = Clock { due: INPUT + phase };
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
        let rhythm = self.rhythm();
        let Self { config, state, clock, step, .. } = self;
        let ArbitraryResamplerConfig { table, grid, level, .. } = config.config();
        let table = Table { values: table.as_ref(), grid: *grid, step: *step, level: *level };
        run(clock, rhythm, state, x, out, |due, window, past, out| {
            X::interpolate(&table, due, past, window, out);
        })
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.clock.outputs(self.rhythm(), n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.inputs(self.rhythm(), n_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_where_it_belongs_after_a_billion_of_them() {
        const COUNT: usize = 1_000_000_000;
        // Ratios as fractions: of the count, to have the position as one.
        for (up, down) in [(160u128, 147u128), (1, 3), (1, 1), (3, 1), (10_001, 10), (1, 1024), (65_536, 1)] {
            let ratio = up as f64 / down as f64;
            let rhythm = Rhythm { input: INPUT, output: step(ratio).unwrap() };
            let mut clock = Clock::new(rhythm, 0);
            let inputs = clock.inputs(rhythm, COUNT);
            clock.advance(rhythm, inputs, COUNT);
            // 2^-64 samples; the ratio itself is rounded to 53 bits.
            let exact = COUNT as u128 * down * (INPUT / up) + COUNT as u128 * down * (INPUT % up) / up;
            let found = (inputs as u128 - 1) * INPUT + clock.due;
            let error = exact.abs_diff(found) as f64 / INPUT as f64;
            let position = COUNT as f64 * down as f64 / up as f64;
            assert!(error <= 6e-11 + position * f64::EPSILON / 2.0, "{ratio}: {error:e}");
        }
    }
}
