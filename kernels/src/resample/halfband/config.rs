//! The taps of a half-band filter, and how they multiply.

use crate::filter::fir::{symmetric_delay, tile};
use crate::filter::product::each_pairing;
use crate::filter::{Filter, Taps};
use crate::fixed::sum::{Accumulator, dot};
use crate::sample::{FixedPoint, Q7, Q15, Q31, Sample};
use crate::shape::{ConfigError, Configured};
use crate::simd::SimdLevel;
use crate::state::Fingerprint;
use core::marker::PhantomData;

/// The taps of a half-band filter for samples of type `X`: those at even places and the one in the
/// middle, laid out for a SIMD level.
///
/// `H` stores those at even places: `[T; N]` or `Box<[T]>`.
#[derive(Clone, Debug)]
pub struct HalfbandConfig<X, H: Taps> {
    /// In the order of [`tile::position`].
    even: H,
    centre: H::Tap,
    level: SimdLevel,
    fits: bool,
    input: PhantomData<X>,
}

/// A sample type that half-band taps of type `H` can filter.
pub trait Halve<H: Sample>: Filter<H> {
    /// A sum before it is rounded.
    #[doc(hidden)]
    type Wide: Copy + Default;

    /// The sums over even places.
    #[doc(hidden)]
    fn sums<S: Taps<Tap = H>>(config: &HalfbandConfig<Self, S>, window: &[Self], sums: &mut [Self::Wide]);

    /// A sum and the product in the middle, rounded.
    #[doc(hidden)]
    fn join(sum: Self::Wide, centre: H, odd: Self) -> Self::Output;
}

macro_rules! pairings {
    ($($x:ty, $h:ty => $y:ty: $component:ty, $product:ty;)*) => {$(
        impl Halve<$h> for $x {
            type Wide = $y;

            fn sums<S: Taps<Tap = $h>>(config: &HalfbandConfig<$x, S>, window: &[$x], sums: &mut [$y]) {
                <$x as Filter<$h>>::filter(config.level, config.even.as_ref(), config.fits, window, sums);
            }
            #[inline(always)]
            fn join(sum: $y, centre: $h, odd: $x) -> $y {
                sum + odd * centre
            }
        }
    )*};
}

each_pairing!(pairings);

macro_rules! fixed_point {
    ($($q:ty: $wide:ty;)*) => {$(
        impl Halve<Self> for $q {
            type Wide = $wide;

            fn sums<S: Taps<Tap = Self>>(config: &HalfbandConfig<Self, S>, window: &[Self], sums: &mut [$wide]) {
                let taps = config.even.as_ref();
                for (window, sum) in window.windows(taps.len().max(1)).zip(sums) {
                    *sum = dot(taps, window);
                }
            }
            #[inline(always)]
            fn join(sum: $wide, centre: Self, odd: Self) -> Self {
                (sum + <$wide as Accumulator<$q>>::product(centre, odd)).rounded(<$q>::BITS)
            }
        }
    )*};
}

fixed_point! {
    Q7: i64;
    Q15: i64;
    Q31: i128;
}

#[cfg(feature = "alloc")]
const NOT_HALF_BAND: ConfigError = ConfigError {
    argument: "taps",
    expected: "3, 7, 11, .. of them, zero at odd places other than the middle",
};
const NO_PAIRS: ConfigError = ConfigError { argument: "even", expected: "2, 4, 6, .. taps" };

impl<X: Halve<H::Tap>, H: Taps> HalfbandConfig<X, H> {
    /// A config of the taps at even places, as many on both sides of the one in the middle, and that.
    ///
    /// # Errors
    /// [`ConfigError`] when the number of taps at even places is 0 or odd.
    pub fn with_level(mut even: H, centre: H::Tap, level: SimdLevel) -> Result<Self, ConfigError> {
        let (given, len) = (even.clone(), even.as_ref().len());
        if len == 0 || len % 2 == 1 {
            return Err(NO_PAIRS);
        }
        for (index, tap) in given.as_ref().iter().enumerate() {
            if let Some(slot) = even.as_mut().get_mut(tile::position(index, len, X::lanes(level))) {
                *slot = *tap;
            }
        }
        let fits = X::fits(given.as_ref());
        Ok(Self { even, centre, level, fits, input: PhantomData })
    }

    /// The taps at even places in the order in which they were given.
    pub fn even(&self) -> impl DoubleEndedIterator<Item = H::Tap> + ExactSizeIterator + Clone {
        let (taps, lanes) = (self.even.as_ref(), X::lanes(self.level));
        let at = move |index| taps.get(tile::position(index, taps.len(), lanes));
        (0..taps.len()).map(move |index| at(index).copied().unwrap_or_default())
    }

    /// The tap in the middle.
    #[must_use]
    pub fn centre(&self) -> H::Tap {
        self.centre
    }

    /// The samples of history that a decimator takes, even ones and odd ones.
    #[must_use]
    pub fn histories(&self) -> [usize; 2] {
        let taps = self.even.as_ref().len();
        [taps.saturating_sub(1), (taps / 2).saturating_sub(1)]
    }

    /// The delay of taps that are their own mirror image, in samples of the higher rate: the place of
    /// the one in the middle. Other taps have none.
    #[must_use]
    pub fn group_delay(&self) -> Option<f64> {
        symmetric_delay(&self.even()).map(|pairs| 2.0 * pairs)
    }

    pub(super) fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.even.as_ref().len() as u64);
        self.even().for_each(|tap| hash.sample(tap));
        hash.sample(self.centre);
    }
}

#[cfg(feature = "alloc")]
impl<X: Halve<T>, T: Sample> HalfbandConfig<X, alloc::boxed::Box<[T]>> {
    /// A config of all taps, zeros included.
    ///
    /// # Errors
    /// [`ConfigError`] for taps whose number is not 3, 7, 11 or so on, or that are not zero at odd
    /// places other than the middle.
    pub fn of(taps: &[T], level: SimdLevel) -> Result<Self, ConfigError> {
        let middle = taps.len() / 2;
        let mut odd = taps.iter().enumerate().skip(1).step_by(2);
        if taps.len() % 4 != 3 || odd.any(|(index, tap)| index != middle && *tap != T::ZERO) {
            return Err(NOT_HALF_BAND);
        }
        let even = taps.iter().copied().step_by(2).collect();
        Self::with_level(even, taps.get(middle).copied().unwrap_or_default(), level)
    }
}

impl<X, H: Taps> Configured for HalfbandConfig<X, H> {
    type Config = Self;
    fn config(&self) -> &Self {
        self
    }
}
