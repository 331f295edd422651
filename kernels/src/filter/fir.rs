//! Finite impulse response filters.

#[cfg(feature = "testing")]
mod cases;
mod fixed;
pub(crate) mod tile;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::product::{ComplexTaps, ComplexTapsOfReal, RealTaps};
use crate::sample::{Q7, Q15, Q31, Sample};
use crate::scratch::{History, State};
use crate::shape::{Blockwise, ConfigError, Configured, Kernel};
use crate::simd::{Baseline, Lanes, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;
use num_complex::Complex;

/// The taps of a FIR filter for samples of type `X`, laid out for a SIMD level.
///
/// `H` stores the taps: `[T; N]`, which may be a `static` in flash, or `Box<[T]>`. One config
/// serves many filters.
#[derive(Clone, Debug)]
pub struct FirConfig<X, H> {
    /// In the order of [`tile::position`].
    taps: H,
    level: SimdLevel,
    /// Fixed point only: whether narrow sums cannot wrap.
    fits: bool,
    input: PhantomData<X>,
}

/// A sample type that taps of type `H` can filter.
pub trait Filter<H: Sample>: Sample {
    /// Complex if samples or taps are.
    type Output: Sample;

    /// Samples per vector that the layout of the taps is for.
    #[doc(hidden)]
    fn lanes(level: SimdLevel) -> usize;
    #[doc(hidden)]
    fn fits(taps: &[H]) -> bool;
    #[doc(hidden)]
    fn filter(level: SimdLevel, taps: &[H], fits: bool, window: &[Self], out: &mut [Self::Output]);
}

/// Storage of taps: `[T; N]` or `Box<[T]>`.
pub trait Taps: AsRef<[Self::Tap]> + AsMut<[Self::Tap]> + Clone {
    /// The type of a tap.
    type Tap: Sample;
}

impl<T: Sample, const N: usize> Taps for [T; N] {
    type Tap = T;
}

#[cfg(feature = "alloc")]
impl<T: Sample> Taps for alloc::boxed::Box<[T]> {
    type Tap = T;
}

pub(crate) const NO_TAPS: ConfigError = ConfigError { argument: "taps", expected: "at least one tap" };

impl<X: Filter<H::Tap>, H: Taps> FirConfig<X, H> {
    /// Lays out taps for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no taps.
    pub fn new(taps: H) -> Result<Self, ConfigError> {
        Self::with_level(taps, SimdLevel::best())
    }

    /// Lays out taps for a level.
    ///
    /// # Errors
    /// [`ConfigError`] when there are no taps.
    pub fn with_level(mut taps: H, level: SimdLevel) -> Result<Self, ConfigError> {
        let (len, lanes) = (taps.as_ref().len(), X::lanes(level));
        if len == 0 {
            return Err(NO_TAPS);
        }
        let given = taps.clone();
        for (index, tap) in given.as_ref().iter().enumerate() {
            if let Some(slot) = taps.as_mut().get_mut(tile::position(index, len, lanes)) {
                *slot = *tap;
            }
        }
        let fits = X::fits(given.as_ref());
        Ok(Self { taps, level, fits, input: PhantomData })
    }

    /// The taps in the order in which they were given.
    pub fn taps(&self) -> impl Iterator<Item = H::Tap> {
        let (len, lanes) = (self.len(), X::lanes(self.level));
        (0..len).filter_map(move |index| self.taps.as_ref().get(tile::position(index, len, lanes)).copied())
    }

    /// The number of taps, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a config is never empty")]
    pub fn len(&self) -> usize {
        self.taps.as_ref().len()
    }

    /// The level that the taps are laid out for.
    #[must_use]
    pub fn level(&self) -> SimdLevel {
        self.level
    }

    /// The delay in samples of taps that are their own mirror image, conjugate or negative,
    /// `(len - 1) / 2`; other taps delay each frequency differently and have none.
    #[must_use]
    pub fn group_delay(&self) -> Option<f64> {
        symmetric_delay(&(0..self.len()).map(|index| {
            let slot = tile::position(index, self.len(), X::lanes(self.level));
            self.taps.as_ref().get(slot).copied().unwrap_or_default()
        }))
    }
}

/// The group delay of taps that equal their mirror image up to a sign of each part: real and even
/// or odd, or `h[k] = conj h[len - 1 - k]`, as of a low-pass moved to another frequency.
///
/// A few roundings of the largest tap, such as designs leave, make no difference.
pub(crate) fn symmetric_delay<T: Sample>(
    taps: &(impl DoubleEndedIterator<Item = T> + ExactSizeIterator + Clone),
) -> Option<f64> {
    let eps = if T::Component::CODE == f32::CODE { f32::EPSILON.into() } else { f64::EPSILON };
    let largest = taps.clone().map(T::parts).fold(0.0, |most: f64, [a, b]| most.max(a.abs()).max(b.abs()));
    let near = |a: f64, b: f64| (a - b).abs() <= 4.0 * eps * largest;
    let mirrored = |[re, im]: [f64; 2]| {
        let image = taps.clone().rev().map(T::parts);
        taps.clone().map(T::parts).zip(image).all(|([a, b], [c, d])| near(a, re * c) && near(b, im * d))
    };
    let signs = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
    signs.into_iter().any(mirrored).then(|| (taps.len() - 1) as f64 / 2.0)
}

impl<X, H> Configured for FirConfig<X, H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}

/// Each pairing of samples and taps: a constructor that can fill a `static`, and the body.
macro_rules! pairings {
    ($($x:ty, $h:ty => $y:ty: $component:ty, $product:ty;)*) => {$(
        impl<const N: usize> FirConfig<$x, [$h; N]> {
            /// Lays out taps at compile time, for [`SimdLevel::COMPILED`].
            #[must_use]
            pub const fn fixed(taps: [$h; N]) -> Self {
                const { assert!(N > 0, "taps: expected at least one tap") };
                let lanes = <Baseline as Lanes<$component>>::WIDTH / <$x as Sample>::COMPONENTS;
                let taps = arranged(taps, lanes);
                Self { taps, level: SimdLevel::COMPILED, fits: false, input: PhantomData }
            }
        }

        impl Filter<$h> for $x {
            type Output = $y;

            fn lanes(level: SimdLevel) -> usize {
                level.width(size_of::<$component>()) / <$x as Sample>::COMPONENTS
            }
            fn fits(_: &[$h]) -> bool {
                false
            }
            fn filter(level: SimdLevel, taps: &[$h], _: bool, window: &[$x], out: &mut [$y]) {
                let (window, out) = (Sample::components(window), Sample::components_mut(out));
                let product = PhantomData::<$product>;
                level.run(tile::Direct::<$product, $component> { taps, window, out, product });
            }
        }
    )*};
}

pairings! {
    f32, f32 => f32: f32, RealTaps<1>;
    f64, f64 => f64: f64, RealTaps<1>;
    Complex<f32>, f32 => Complex<f32>: f32, RealTaps<2>;
    Complex<f64>, f64 => Complex<f64>: f64, RealTaps<2>;
    Complex<f32>, Complex<f32> => Complex<f32>: f32, ComplexTaps;
    Complex<f64>, Complex<f64> => Complex<f64>: f64, ComplexTaps;
    f32, Complex<f32> => Complex<f32>: f32, ComplexTapsOfReal;
    f64, Complex<f64> => Complex<f64>: f64, ComplexTapsOfReal;
}

macro_rules! fixed_point {
    ($($q:ty)*) => {$(
        impl<const N: usize> FirConfig<$q, [$q; N]> {
            /// Lays out taps at compile time, for [`SimdLevel::COMPILED`].
            #[must_use]
            pub const fn fixed(taps: [$q; N]) -> Self {
                const { assert!(N > 0, "taps: expected at least one tap") };
                let fits = <$q>::fits(&taps);
                Self { taps: arranged(taps, 1), level: SimdLevel::COMPILED, fits, input: PhantomData }
            }
        }

        impl Filter<Self> for $q {
            type Output = Self;

            fn lanes(_: SimdLevel) -> usize {
                1
            }
            fn fits(taps: &[Self]) -> bool {
                <$q>::fits(taps)
            }
            fn filter(level: SimdLevel, taps: &[Self], fits: bool, window: &[Self], out: &mut [Self]) {
                level.run(fixed::Direct { taps, fits, window, out });
            }
        }
    )*};
}

fixed_point!(Q7 Q15 Q31);

const fn arranged<T: Copy, const N: usize>(taps: [T; N], lanes: usize) -> [T; N] {
    let (mut to, mut index) = (taps, 0);
    while index < N {
        to[tile::position(index, N, lanes)] = taps[index];
        index += 1;
    }
    to
}

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
