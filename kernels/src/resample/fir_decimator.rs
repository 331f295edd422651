//! Filtering and keeping every M-th output.

#[cfg(feature = "testing")]
mod cases;
mod config;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use config::{Decimate, FirDecimatorConfig};
pub(crate) use config::{MAX_FACTOR, NO_FACTOR};

use crate::filter::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Configured, Kernel, Progress, VariableLength};
#[cfg(feature = "alloc")]
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A FIR filter that computes every M-th output, `y[m] = sum_k h[k] x[m M + phase - k]`.
///
/// Blocks may have any length: after N inputs exactly `ceil((N - phase) / M)` outputs have been
/// given, the first at input number `phase`. Taps may be real or complex, in any number; they are
/// rounded once, when given, and never padded.
///
/// * **Accuracy**: the error is below `len * eps * sum |h[k] x[n - k]|`; each vector lane sums
///   every so many taps, so floats differ between levels in the last bits. Q7, Q15 and Q31 sum
///   exactly, round half up once and saturate: the same bits everywhere. CMSIS-DSP's
///   `arm_fir_decimate_q15` and `arm_fir_decimate_q31` cut off instead, and the latter's sum may wrap.
/// * **NaN and infinity** spread to the outputs whose taps meet them and no further. Subnormals
///   are computed as such.
/// * **Delay**: [`FirDecimatorConfig::group_delay`], in input samples.
/// * **Cost**: `len / M` multiply-adds per input (twice that where samples or taps are complex,
///   four times where both are), no allocation.
///
/// R. E. Crochiere and L. R. Rabiner, *Multirate Digital Signal Processing*, section 3.3.
///
/// ```
/// use passband_kernels::resample::{FirDecimatorConfig, FixedFirDecimator};
/// use passband_kernels::shape::VariableLength;
///
/// type Mean = FirDecimatorConfig<f32, [f32; 2]>;
/// static MEAN: Mean = match Mean::fixed([0.5, 0.5], 2, 1) {
///     Ok(config) => config,
///     Err(_) => panic!(),
/// };
/// let mut decimator = FixedFirDecimator::<f32, f32, 2>::fixed(&MEAN);
/// let mut y = [0.0; 2];
/// assert_eq!(decimator.max_out(5), 2);
/// assert_eq!(decimator.execute(&[1.0, 3.0, 5.0, 7.0, 9.0], &mut y).produced, 2);
/// assert_eq!(y, [2.0, 6.0]);
/// ```
#[derive(Clone, Debug)]
pub struct FirDecimator<C, S> {
    config: C,
    state: S,
    /// Inputs before the one that gives the next output.
    skip: usize,
}

/// A [`FirDecimator`] of `N` taps with its history in an array and its config in flash.
pub type FixedFirDecimator<X, H, const N: usize, const SCRATCH: usize = 256> =
    FirDecimator<&'static FirDecimatorConfig<X, [H; N]>, State<X, N, SCRATCH>>;

/// A [`FirDecimator`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedFirDecimator<X, H> =
    FirDecimator<FirDecimatorConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>>;

impl<X: Sample, H, const N: usize, const SCRATCH: usize>
    FirDecimator<&'static FirDecimatorConfig<X, [H; N]>, State<X, N, SCRATCH>>
{
    /// A decimator over a config in flash.
    #[must_use]
    pub const fn fixed(config: &'static FirDecimatorConfig<X, [H; N]>) -> Self {
        Self { config, state: State::full(), skip: config.phase }
    }
}

#[cfg(feature = "alloc")]
impl<X: Decimate<H>, H: Sample> BoxedFirDecimator<X, H> {
    /// A decimator with its own copy of `taps`, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for a factor of 0 or above 2^24 and for a phase not below the
    /// factor.
    pub fn new(taps: &[H], factor: usize, phase: usize) -> Result<Self, ConfigError> {
        Self::with_level(taps, factor, phase, SimdLevel::best())
    }

    /// A decimator with its own copy of `taps`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for a factor of 0 or above 2^24 and for a phase not below the
    /// factor.
    pub fn with_level(
        taps: &[H],
        factor: usize,
        phase: usize,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        let config = FirDecimatorConfig::with_level(taps.into(), factor, phase, level)?;
        let state = crate::scratch::BoxedState::new(taps.len() - 1);
        Ok(Self { config, state, skip: phase })
    }
}

impl<C, S, X, H> FirDecimator<C, S>
where
    C: Configured<Config = FirDecimatorConfig<X, H>>,
    S: History<X>,
    X: Decimate<H::Tap>,
    H: Taps,
{
    /// A decimator over a config that it owns or borrows and a history for it, so that one config
    /// can serve many decimators.
    ///
    /// # Errors
    /// [`ConfigError`] when the history has not one sample less than there are taps.
    pub fn over(config: C, state: S) -> Result<Self, ConfigError> {
        let FirDecimatorConfig { taps, phase: skip, .. } = config.config();
        if state.samples().len() + 1 == taps.as_ref().len() {
            let skip = *skip;
            Ok(Self { config, state, skip })
        } else {
            Err(crate::scratch::WRONG_LENGTH)
        }
    }

    /// The config.
    pub fn config(&self) -> &FirDecimatorConfig<X, H> {
        self.config.config()
    }
}

impl<C, S, X, H> Snapshot for FirDecimator<C, S>
where
    C: Configured<Config = FirDecimatorConfig<X, H>>,
    S: History<X>,
    X: Decimate<H::Tap>,
    H: Taps,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::FIR_DECIMATOR, X::CODE, H::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.config().taps.as_ref().len() as u64);
        self.config().taps().for_each(|tap| hash.sample(tap));
        hash.u64(self.config().factor as u64);
        hash.u64(self.config().phase as u64);
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>() + size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.skip as u64);
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let skip = usize::try_from(from.u64()?).ok().filter(|skip| *skip < self.config().factor)?;
        from.samples(self.state.samples_mut())?;
        self.skip = skip;
        Some(())
    }
}

impl<C, S, X, H> Kernel for FirDecimator<C, S>
where
    C: Configured<Config = FirDecimatorConfig<X, H>>,
    S: History<X>,
    X: Decimate<H::Tap>,
    H: Taps,
{
    fn reset(&mut self) {
        self.skip = self.config().phase;
        self.state.samples_mut().fill(X::ZERO);
    }
}

impl<C, S, X, H> VariableLength for FirDecimator<C, S>
where
    C: Configured<Config = FirDecimatorConfig<X, H>>,
    S: History<X>,
    X: Decimate<H::Tap>,
    H: Taps,
{
    type Input = X;
    type Output = X::Output;

    fn execute(&mut self, x: &[X], out: &mut [X::Output]) -> Progress {
        let consumed = x.len().min(self.max_in(out.len()));
        let produced = self.max_out(consumed);
        let Self { config, state, skip } = self;
        let FirDecimatorConfig { taps, factor, level, fits, .. } = config.config();
        // The input that gives the next output, and where that goes.
        let (mut next, mut rest) = (*skip, out);
        state.drive(x.get(..consumed).unwrap_or(x), |window, inputs| {
            let count = outputs(inputs.end.saturating_sub(next), *factor);
            let window = window.get(next - inputs.start..).unwrap_or(&[]);
            if let Some((here, later)) = core::mem::take(&mut rest).split_at_mut_checked(count) {
                X::decimate(*level, taps.as_ref(), *fits, *factor, window, here);
                rest = later;
            }
            next += count * *factor;
        });
        *skip = next - consumed;
        Progress { consumed, produced }
    }

    fn max_out(&self, n_in: usize) -> usize {
        outputs(n_in.saturating_sub(self.skip), self.config().factor)
    }

    fn max_in(&self, n_out: usize) -> usize {
        n_out.saturating_mul(self.config().factor).saturating_add(self.skip)
    }
}

/// Outputs among `inputs` of which the first gives one.
fn outputs(inputs: usize, factor: usize) -> usize {
    inputs.div_ceil(factor.max(1))
}
