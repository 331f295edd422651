//! The fast Fourier transform.

mod butterfly;
#[cfg(feature = "testing")]
mod cases;
mod passes;
mod twiddles;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{Batch, ConfigError, Configured, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use num_complex::Complex;
use passes::{Products, Transform};
use twiddles::twiddle;

/// The length, direction and twiddle factors of a transform of `Complex<T>`.
///
/// `W` stores as many factors as a frame has samples: `[Complex<T>; N]`, which may be a `static` in
/// flash, or `Box<[Complex<T>]>`. One config serves many transforms.
#[derive(Clone, Debug)]
pub struct FftConfig<W> {
    twiddles: W,
    inverse: bool,
    level: SimdLevel,
}

/// A real type that transforms compute in: `f32` or `f64`.
pub trait FftReal: Sample {
    #[doc(hidden)]
    fn rounded(x: f64) -> Self;
    #[doc(hidden)]
    fn are_finite(x: &[Self]) -> bool;
    #[doc(hidden)]
    fn run(level: SimdLevel, transform: Transform<'_, Self>);
    #[doc(hidden)]
    fn multiply(level: SimdLevel, products: Products<'_, Self>);
}

/// Storage of a frame of complex numbers: `[Complex<T>; N]` or `Box<[Complex<T>]>`.
pub trait FftTable: AsRef<[Complex<Self::Real>]> + AsMut<[Complex<Self::Real>]> + Clone {
    /// The type of a component.
    type Real: FftReal;
}

impl<T: FftReal, const N: usize> FftTable for [Complex<T>; N] {
    type Real = T;
}

#[cfg(feature = "alloc")]
impl<T: FftReal> FftTable for alloc::boxed::Box<[Complex<T>]> {
    type Real = T;
}

/// The longest frame of an [`Fft`].
pub const LONGEST: usize = 1 << 24;

const WRONG_N: ConfigError = ConfigError { argument: "n", expected: "a power of two, from 1 to 2^24" };

const fn is_length(n: usize) -> bool {
    n.is_power_of_two() && n <= LONGEST
}

macro_rules! reals {
    ($($t:ident)*) => {$(
        impl FftReal for $t {
            fn rounded(x: f64) -> Self {
                x as Self
            }
            fn are_finite(x: &[Self]) -> bool {
                // Without an early end the loop vectorises.
                x.iter().fold(true, |all, x| all & x.is_finite())
            }
            fn run(level: SimdLevel, transform: Transform<'_, Self>) {
                level.run(transform);
            }
            fn multiply(level: SimdLevel, products: Products<'_, Self>) {
                level.run(products);
            }
        }

        impl<const N: usize> FftConfig<[Complex<$t>; N]> {
            /// Computes the factors at compile time, for [`SimdLevel::COMPILED`].
            #[must_use]
            pub const fn fixed(inverse: bool) -> Self {
                const { assert!(is_length(N), "n: expected a power of two, from 1 to 2^24") };
                let mut twiddles = [Complex { re: 0.0, im: 0.0 }; N];
                let mut i = 0;
                while i < N {
                    twiddles[i].re = twiddle(2 * i, N) as $t;
                    twiddles[i].im = twiddle(2 * i + 1, N) as $t;
                    i += 1;
                }
                Self { twiddles, inverse, level: SimdLevel::COMPILED }
            }
        }
    )*};
}
reals!(f32 f64);

impl<W: FftTable> FftConfig<W> {
    /// Computes the factors into a table as long as a frame, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a length `n` that is no power of two from 1 to 2^24.
    pub fn new(table: W, inverse: bool) -> Result<Self, ConfigError> {
        Self::with_level(table, inverse, SimdLevel::best())
    }

    /// Computes the factors into a table as long as a frame, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a length `n` that is no power of two from 1 to 2^24.
    pub fn with_level(mut table: W, inverse: bool, level: SimdLevel) -> Result<Self, ConfigError> {
        let n = table.as_ref().len();
        if !is_length(n) {
            return Err(WRONG_N);
        }
        for (i, factor) in table.as_mut().iter_mut().enumerate() {
            let [re, im] = [2 * i, 2 * i + 1].map(|index| W::Real::rounded(twiddle(index, n)));
            *factor = Complex { re, im };
        }
        Ok(Self { twiddles: table, inverse, level })
    }

    /// The length of a frame.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a frame is never empty")]
    pub fn len(&self) -> usize {
        self.twiddles.as_ref().len()
    }

    /// Whether it transforms back.
    #[must_use]
    pub fn inverse(&self) -> bool {
        self.inverse
    }

    /// The level that it runs at.
    #[must_use]
    pub fn level(&self) -> SimdLevel {
        self.level
    }

    /// Transforms as many frames as `x` and `out` hold, in either direction; `scratch` has the length
    /// of one.
    pub(crate) fn run(
        &self,
        inverse: bool,
        x: &[Complex<W::Real>],
        out: &mut [Complex<W::Real>],
        scratch: &mut [Complex<W::Real>],
    ) {
        let twiddles = self.twiddles.as_ref();
        W::Real::run(self.level, Transform { twiddles, inverse, x, out, scratch });
    }

    /// Multiplies each element of `io` by that of `by`.
    pub(crate) fn multiply(&self, io: &mut [Complex<W::Real>], by: &[Complex<W::Real>]) {
        W::Real::multiply(self.level, Products { io, by });
    }
}

impl<W> Configured for FftConfig<W> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}

/// The discrete Fourier transform of frames, `X[k] = sum_m x[m] e^(-j 2 pi k m / n)`.
///
/// The inverse is `x[m] = 1/n sum_k X[k] e^(j 2 pi k m / n)`. `n` is a power of two from 1 to 2^24;
/// a frame of one sample is its own transform. Frames lie one after the other and do not depend on
/// each other. `C` is an [`FftConfig`] or a reference to one, `S` a scratch of one frame;
/// [`FixedFft`] and [`BoxedFft`] name the usual forms.
///
/// * **Accuracy**: signal to error at least 137 dB in `f32` for white frames of up to 2^14 samples and
///   135 dB for 2^20, in `f64` 174 dB more. No operation is fused, so every level and target gives the
///   same bits.
/// * **NaN and infinity** spread over their own frame and to no other. Subnormals are computed as
///   such, which many processors do slowly.
/// * **Delay**: none.
/// * **Cost**: about `5 n log2(n)` operations, no allocation; factors and scratch take `n` complex
///   numbers each.
///
/// J. W. Cooley and J. W. Tukey, *An algorithm for the machine calculation of complex Fourier
/// series*, Math. Comp. 19 (1965).
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::shape::Batch;
/// use passband_kernels::transform::{FftConfig, FixedFft};
///
/// type Eight = FftConfig<[Complex<f32>; 8]>;
/// static EIGHT: Eight = Eight::fixed(false);
/// let mut fft = FixedFft::<f32, 8>::fixed(&EIGHT);
/// let mut spectrum = [Complex::ZERO; 8];
/// assert_eq!(fft.batch(&[Complex::ONE; 8], &mut spectrum), 1);
/// assert_eq!(spectrum[0], Complex::new(8.0, 0.0));
/// assert_eq!(spectrum[1..], [Complex::ZERO; 7]);
/// ```
#[derive(Clone, Debug)]
pub struct Fft<C, S> {
    config: C,
    scratch: S,
}

/// An [`Fft`] of `N` samples with its scratch in an array and its config in flash.
pub type FixedFft<T, const N: usize> = Fft<&'static FftConfig<[Complex<T>; N]>, [Complex<T>; N]>;

/// An [`Fft`] that owns its config, for any length.
#[cfg(feature = "alloc")]
pub type BoxedFft<T> = Fft<FftConfig<alloc::boxed::Box<[Complex<T>]>>, alloc::boxed::Box<[Complex<T>]>>;

impl<T: FftReal, const N: usize> FixedFft<T, N> {
    /// A transform over a config in flash.
    #[must_use]
    pub const fn fixed(config: &'static FftConfig<[Complex<T>; N]>) -> Self {
        Self { config, scratch: [Complex { re: T::ZERO, im: T::ZERO }; N] }
    }
}

#[cfg(feature = "alloc")]
impl<T: FftReal> BoxedFft<T> {
    /// A transform of `n` samples, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for an `n` that is no power of two from 1 to 2^24.
    pub fn new(n: usize, inverse: bool) -> Result<Self, ConfigError> {
        Self::with_level(n, inverse, SimdLevel::best())
    }

    /// A transform of `n` samples, for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for an `n` that is no power of two from 1 to 2^24.
    pub fn with_level(n: usize, inverse: bool, level: SimdLevel) -> Result<Self, ConfigError> {
        if !is_length(n) {
            return Err(WRONG_N);
        }
        let scratch = alloc::vec![Complex { re: T::ZERO, im: T::ZERO }; n].into_boxed_slice();
        Ok(Self { config: FftConfig::with_level(scratch.clone(), inverse, level)?, scratch })
    }
}

impl<C, S, W> Fft<C, S>
where
    C: Configured<Config = FftConfig<W>>,
    S: FftTable<Real = W::Real>,
    W: FftTable,
{
    /// A transform over a config that it owns or borrows and a scratch, so that one config can serve
    /// many.
    ///
    /// # Errors
    /// [`ConfigError`] when the scratch has not the length of a frame.
    pub fn over(config: C, scratch: S) -> Result<Self, ConfigError> {
        if scratch.as_ref().len() == config.config().len() {
            Ok(Self { config, scratch })
        } else {
            Err(ConfigError { argument: "scratch", expected: "the length of a frame" })
        }
    }

    /// The config.
    pub fn config(&self) -> &FftConfig<W> {
        self.config.config()
    }
}

impl<C, S, W> Snapshot for Fft<C, S>
where
    C: Configured<Config = FftConfig<W>>,
    S: FftTable<Real = W::Real>,
    W: FftTable,
    Complex<W::Real>: Sample,
{
    fn kernel_id(&self) -> u32 {
        let code = <Complex<W::Real>>::CODE;
        id::of(id::FFT, code, code)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.config().len() as u64);
        hash.u64(self.config().inverse.into());
    }
    fn payload_len(&self) -> usize {
        0
    }
    fn write(&self, _: &mut Writer<'_>) {
        // No frame depends on another.
    }
    fn read(&mut self, _: &mut Reader<'_>) -> Option<()> {
        Some(())
    }
}

impl<C, S, W> Kernel for Fft<C, S>
where
    C: Configured<Config = FftConfig<W>>,
    S: FftTable<Real = W::Real>,
    W: FftTable,
    Complex<W::Real>: Sample,
{
    fn reset(&mut self) {
        // There is no state.
    }
}

impl<C, S, W> Batch for Fft<C, S>
where
    C: Configured<Config = FftConfig<W>>,
    S: FftTable<Real = W::Real>,
    W: FftTable,
    Complex<W::Real>: Sample,
{
    type Input = Complex<W::Real>;
    type Output = Complex<W::Real>;

    fn frame_in(&self) -> usize {
        self.config().len()
    }

    fn frame_out(&self) -> usize {
        self.config().len()
    }

    fn batch(&mut self, frames: &[Self::Input], out: &mut [Self::Output]) -> usize {
        let Self { config, scratch } = self;
        let config = config.config();
        config.run(config.inverse, frames, out, scratch.as_mut());
        frames.len().min(out.len()) / config.len().max(1)
    }
}
