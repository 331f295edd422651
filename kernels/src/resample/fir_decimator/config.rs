//! The taps of a decimator, its factor and phase, and how samples of each type meet them.

use crate::filter::Taps;
use crate::filter::dot::Dot;
use crate::filter::fir::{NO_TAPS, symmetric_delay};
use crate::filter::product::each_pairing;
use crate::fixed::sum::Strided;
use crate::sample::{Q7, Q15, Q31, Sample};
use crate::shape::{ConfigError, Configured};
use crate::simd::SimdLevel;
use core::marker::PhantomData;

/// The taps, factor and phase of a decimator for samples of type `X`.
///
/// `H` stores the taps: `[T; N]`, which may be a `static` in flash, or `Box<[T]>`.
#[derive(Clone, Debug)]
pub struct FirDecimatorConfig<X, H> {
    /// Reversed.
    pub(super) taps: H,
    pub(super) factor: usize,
    pub(super) phase: usize,
    pub(super) level: SimdLevel,
    /// Fixed point only: whether narrow sums cannot wrap.
    pub(super) fits: bool,
    input: PhantomData<X>,
}

/// A sample type that taps of type `H` can filter and decimate.
pub trait Decimate<H: Sample>: Sample {
    /// Complex if samples or taps are.
    type Output: Sample;

    #[doc(hidden)]
    fn fits(taps: &[H]) -> bool;
    #[doc(hidden)]
    fn decimate(
        level: SimdLevel,
        taps: &[H],
        fits: bool,
        factor: usize,
        window: &[Self],
        out: &mut [Self::Output],
    );
}

/// The constructor that can fill a `static`.
macro_rules! fixed {
    ($x:ty, $h:ty, |$taps:ident| $fits:expr) => {
        impl<const N: usize> FirDecimatorConfig<$x, [$h; N]> {
            /// A config made at compile time, for [`SimdLevel::COMPILED`].
            ///
            /// # Errors
            /// [`ConfigError`] without taps, for a factor of 0 or above 2^24 and for a phase not below
            /// the factor.
            pub const fn fixed($taps: [$h; N], factor: usize, phase: usize) -> Result<Self, ConfigError> {
                if let Err(error) = checked(N, factor, phase) {
                    return Err(error);
                }
                let (mut taps, mut index, fits) = ($taps, 0, $fits);
                while index < N {
                    taps[index] = $taps[N - 1 - index];
                    index += 1;
                }
                Ok(Self { taps, factor, phase, level: SimdLevel::COMPILED, fits, input: PhantomData })
            }
        }
    };
}

macro_rules! pairings {
    ($($x:ty, $h:ty => $y:ty: $component:ty, $product:ty;)*) => {$(
        fixed!($x, $h, |given| false);

        impl Decimate<$h> for $x {
            type Output = $y;

            fn fits(_: &[$h]) -> bool {
                false
            }
            fn decimate(
                level: SimdLevel,
                taps: &[$h],
                _: bool,
                factor: usize,
                window: &[$x],
                out: &mut [$y],
            ) {
                let (window, out) = (Sample::components(window), Sample::components_mut(out));
                let product = PhantomData::<$product>;
                level.run(Dot::<$product, $component> { taps, factor, window, out, product });
            }
        }
    )*};
}

each_pairing!(pairings);

macro_rules! fixed_point {
    ($($q:ty)*) => {$(
        fixed!($q, $q, |given| <$q>::fits(&given));

        impl Decimate<Self> for $q {
            type Output = Self;

            fn fits(taps: &[Self]) -> bool {
                <$q>::fits(taps)
            }
            fn decimate(
                level: SimdLevel,
                taps: &[Self],
                fits: bool,
                factor: usize,
                window: &[Self],
                out: &mut [Self],
            ) {
                level.run(Strided { taps, fits, factor, window, out });
            }
        }
    )*};
}

fixed_point!(Q7 Q15 Q31);

/// Far beyond use, and far from overflow in the arithmetic of strides.
pub(crate) const MAX_FACTOR: usize = 1 << 24;
pub(crate) const NO_FACTOR: ConfigError = ConfigError { argument: "factor", expected: "1 to 16777216" };
const LATE: ConfigError = ConfigError { argument: "phase", expected: "0 to factor - 1" };

const fn checked(taps: usize, factor: usize, phase: usize) -> Result<(), ConfigError> {
    if taps == 0 {
        Err(NO_TAPS)
    } else if factor == 0 || factor > MAX_FACTOR {
        Err(NO_FACTOR)
    } else if phase >= factor {
        Err(LATE)
    } else {
        Ok(())
    }
}

impl<X: Decimate<H::Tap>, H: Taps> FirDecimatorConfig<X, H> {
    /// A config for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for a factor of 0 or above 2^24 and for a phase not below the
    /// factor.
    pub fn new(taps: H, factor: usize, phase: usize) -> Result<Self, ConfigError> {
        Self::with_level(taps, factor, phase, SimdLevel::best())
    }

    /// A config for a level.
    ///
    /// # Errors
    /// [`ConfigError`] without taps, for a factor of 0 or above 2^24 and for a phase not below the
    /// factor.
    pub fn with_level(
        mut taps: H,
        factor: usize,
        phase: usize,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        checked(taps.as_ref().len(), factor, phase)?;
        taps.as_mut().reverse();
        let fits = X::fits(taps.as_ref());
        Ok(Self { taps, factor, phase, level, fits, input: PhantomData })
    }

    /// The taps in the order in which they were given.
    pub fn taps(&self) -> impl Iterator<Item = H::Tap> {
        self.taps.as_ref().iter().rev().copied()
    }

    /// Inputs per output.
    #[must_use]
    pub fn factor(&self) -> usize {
        self.factor
    }

    /// The delay in input samples of taps that are their own mirror image, conjugate or negative,
    /// `(len - 1) / 2`; other taps delay each frequency differently and have none.
    #[must_use]
    pub fn group_delay(&self) -> Option<f64> {
        symmetric_delay(&self.taps.as_ref().iter().copied())
    }
}

impl<X, H> Configured for FirDecimatorConfig<X, H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}
