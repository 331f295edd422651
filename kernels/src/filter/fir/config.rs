//! The taps of a FIR filter, and how samples of each type meet them.

use super::{fixed, tile};
use crate::filter::product::each_pairing;
use crate::sample::{Q7, Q15, Q31, Sample};
use crate::shape::{ConfigError, Configured};
use crate::simd::{Baseline, Lanes, SimdLevel};
use core::marker::PhantomData;

/// The taps of a FIR filter for samples of type `X`, laid out for a SIMD level.
///
/// `H` stores the taps: `[T; N]`, which may be a `static` in flash, or `Box<[T]>`. One config
/// serves many filters.
#[derive(Clone, Debug)]
pub struct FirConfig<X, H> {
    /// In the order of [`tile::position`].
    pub(super) taps: H,
    pub(super) level: SimdLevel,
    /// Fixed point only: whether narrow sums cannot wrap.
    pub(super) fits: bool,
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

each_pairing!(pairings);

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
