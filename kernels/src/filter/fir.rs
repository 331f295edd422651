//! Finite impulse response filters.

#[cfg(feature = "testing")]
mod cases;
mod config;
mod fixed;
pub(crate) mod tile;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use config::{Filter, FirConfig, Taps};
pub(crate) use config::{NO_TAPS, symmetric_delay};

use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{Blockwise, ConfigError, Configured, Kernel};
#[cfg(feature = "alloc")]
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A finite impulse response filter, `y[n] = sum_k h[k] x[n - k]` with `x[n < 0] = 0`.
///
/// Taps may be real or complex, in any number; they are rounded once, when given, and never
/// padded. `C` is a [`FirConfig`] or a reference to one, `S` the history ([`State`] on firmware,
/// boxed on hosts); [`FixedFir`] and [`BoxedFir`] name the usual forms.
///
/// * **Accuracy**: each output is one sum in tap order, oldest sample last within a residue class;
///   the error is below `len * eps * sum |h[k] x[n - k]|`. AVX2, AVX-512 and NEON fuse, so floats
///   differ between levels in the last bits. Q7, Q15 and Q31 sum exactly, round half up once and
///   saturate: the same bits everywhere. CMSIS-DSP's `arm_fir_q7`, `arm_fir_q15` and `arm_fir_q31` cut
///   off instead, and the last one's sum may wrap.
/// * **NaN and infinity** spread to the outputs whose taps meet them, `len` of them, and no
///   further. Subnormals are computed as such.
/// * **Delay**: [`FirConfig::group_delay`].
/// * **Cost**: `len` multiply-adds per output (twice that where samples or taps are complex, four
///   times where both are), no allocation.
///
/// A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 6.5.
///
/// ```
/// use passband_kernels::filter::{FirConfig, FixedFir};
/// use passband_kernels::shape::Blockwise;
///
/// type Mean = FirConfig<f32, [f32; 2]>;
/// static MEAN: Mean = Mean::fixed([0.5, 0.5]);
/// let mut fir = FixedFir::<f32, f32, 2>::fixed(&MEAN);
/// let mut y = [0.0; 3];
/// assert_eq!(fir.steps(&[1.0, 3.0, 5.0], &mut y), 3);
/// assert_eq!(y, [0.5, 2.0, 4.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Fir<C, S> {
    config: C,
    state: S,
}

/// A [`Fir`] of `N` taps with its history in an array and its config in flash.
pub type FixedFir<X, H, const N: usize, const SCRATCH: usize = 256> =
    Fir<&'static FirConfig<X, [H; N]>, State<X, N, SCRATCH>>;

/// A [`Fir`] that owns its config, for any number of taps.
#[cfg(feature = "alloc")]
pub type BoxedFir<X, H> = Fir<FirConfig<X, alloc::boxed::Box<[H]>>, crate::scratch::BoxedState<X>>;

impl<X, H, const N: usize, const SCRATCH: usize> Fir<&'static FirConfig<X, [H; N]>, State<X, N, SCRATCH>>
where
    X: Filter<H>,
    H: Sample,
{
    /// A filter over a config in flash.
    #[must_use]
    pub const fn fixed(config: &'static FirConfig<X, [H; N]>) -> Self {
        // A history of N holds the N - 1 samples that N taps look back on.
        Self { config, state: State::full() }
    }
}

#[cfg(feature = "alloc")]
impl<X: Filter<H>, H: Sample> BoxedFir<X, H> {
    /// A filter with its own copy of `taps`, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no taps.
    pub fn new(taps: &[H]) -> Result<Self, ConfigError> {
        Self::with_level(taps, SimdLevel::best())
    }

    /// A filter with its own copy of `taps`, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no taps.
    pub fn with_level(taps: &[H], level: SimdLevel) -> Result<Self, ConfigError> {
        let config = FirConfig::with_level(taps.into(), level)?;
        let state = crate::scratch::BoxedState::new(config.len() - 1);
        Ok(Self { config, state })
    }
}

impl<C, S, X, H> Fir<C, S>
where
    C: Configured<Config = FirConfig<X, H>>,
    S: History<X>,
    X: Filter<H::Tap>,
    H: Taps,
{
    /// A filter over a config that it owns or borrows and a history for it, so that one config can
    /// serve many filters.
    ///
    /// # Errors
    /// [`ConfigError`] when the history has not one sample less than there are taps.
    pub fn over(config: C, state: S) -> Result<Self, ConfigError> {
        if state.samples().len() + 1 == config.config().len() {
            Ok(Self { config, state })
        } else {
            Err(crate::scratch::WRONG_LENGTH)
        }
    }

    /// The config.
    pub fn config(&self) -> &FirConfig<X, H> {
        self.config.config()
    }
}

impl<C, S, X, H> Snapshot for Fir<C, S>
where
    C: Configured<Config = FirConfig<X, H>>,
    S: History<X>,
    X: Filter<H::Tap>,
    H: Taps,
{
    fn kernel_id(&self) -> u32 {
        id::of(id::FIR, X::CODE, H::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.config().len() as u64);
        self.config().taps().for_each(|tap| hash.sample(tap));
    }
    fn payload_len(&self) -> usize {
        size_of_val(self.state.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(self.state.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        from.samples(self.state.samples_mut())
    }
}

impl<C, S, X, H> Kernel for Fir<C, S>
where
    C: Configured<Config = FirConfig<X, H>>,
    S: History<X>,
    X: Filter<H::Tap>,
    H: Taps,
{
    fn reset(&mut self) {
        self.state.samples_mut().fill(X::ZERO);
    }
}

impl<C, S, X, H> Blockwise for Fir<C, S>
where
    C: Configured<Config = FirConfig<X, H>>,
    S: History<X>,
    X: Filter<H::Tap>,
    H: Taps,
{
    type Input = X;
    type Output = X::Output;

    fn steps(&mut self, x: &[X], out: &mut [X::Output]) -> usize {
        let Self { config, state } = self;
        let FirConfig { taps, level, fits, .. } = config.config();
        let n = x.len().min(out.len());
        state.drive(x.get(..n).unwrap_or(x), |window, inputs| {
            if let Some(out) = out.get_mut(inputs) {
                X::filter(*level, taps.as_ref(), *fits, window, out);
            }
        });
        n
    }
}
