//! An adaptive filter whose steps are measured by the power of its input.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

pub use super::adaptive::{Adaptive, AdaptiveFilter};
use super::adaptive::{Rates, Rule, rounded, rounded_power};
use crate::scratch::State;
use crate::shape::ConfigError;
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, id};

/// An adaptive filter by normalised least mean squares.
///
/// It learns the filter that makes `d` out of `x` and gives what is left,
/// `e[n] = d[n] - sum_k w[k] x[n - k]`. After each output the weights move by
/// `w[k] += step_size e[n] conj x[n - k] / (regularization + sum_k |x[n - k]|^2)`. Weights and past
/// samples start at 0. `W` stores the weights and `S` the past samples; [`FixedNlms`] and
/// [`BoxedNlms`] name the usual forms.
///
/// Of [`Q15`](crate::sample::Q15) samples sums and the power are exact; the sum over products, the
/// error, the quotient `step_size e[n] / (..)` and each weight are rounded to codes, halves up, and
/// saturate. The step size is then in steps of 2^-15 and the regularization in steps of 2^-30.
///
/// * **Adaptation**: the nearer `step_size` is to 1 the faster; small ones average over noise. The
///   excess error over that of the best filter is `step_size / (2 - step_size)` of it for white `x`.
/// * **Accuracy**: the sums are computed anew for each sample, so that nothing drifts; the error of
///   each is below `length * eps` times the sum of magnitudes. AVX2, AVX-512 and NEON fuse, so levels
///   differ in the last bits, of codes in none.
/// * **Silence**: where the sum of squares and the regularization are both 0, the weights stay.
/// * **NaN and infinity** in `x` make `length` outputs NaN or infinite, in `d` one. The weights stay
///   meanwhile: a step that is not finite is not taken.
/// * **Delay**: none; subnormals are computed as such.
/// * **Cost**: three multiply-adds per tap and sample, twelve real ones where samples are complex,
///   and a division. Each sample waits for the weights of the one before, so that few taps take as
///   long as a vector of them. No allocation.
///
/// S. Haykin, *Adaptive Filter Theory*, 4th ed., chapter 6.
///
/// ```
/// use passband_kernels::filter::FixedNlms;
/// use passband_kernels::shape::TwoInput;
///
/// let mut nlms = FixedNlms::<f32, 2>::new(1.0, 0.0)?;
/// let mut e = [0.0; 3];
/// nlms.steps(&[1.0, 0.0, 1.0], &[0.5, 0.25, 0.5], &mut e);
/// assert_eq!(e, [0.5, 0.25, 0.0]);
/// assert!(nlms.taps().eq([0.5, 0.25]));
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub type Nlms<W, S> = AdaptiveFilter<Normalised, W, S>;

/// An [`Nlms`] of `N` taps with everything in arrays.
pub type FixedNlms<T, const N: usize, const SCRATCH: usize = 256> = Nlms<[T; N], State<T, N, SCRATCH>>;

/// An [`Nlms`] of any length.
#[cfg(feature = "alloc")]
pub type BoxedNlms<T> = Nlms<alloc::boxed::Box<[T]>, crate::scratch::BoxedState<T>>;

/// Steps over the power of the window.
#[derive(Clone, Copy, Debug)]
pub struct Normalised {
    step_size: f64,
    regularization: f64,
}

impl Normalised {
    /// Rounds both for samples of type `T` and checks what they then are.
    const fn new<T: Adaptive>(step_size: f64, regularization: f64) -> Result<Self, ConfigError> {
        let step_size = rounded::<T>(step_size);
        let regularization = rounded_power::<T>(regularization);
        if !(step_size > 0.0 && step_size < 2.0) {
            return Err(ConfigError {
                argument: "step_size",
                expected: "above 0, below 2 in the samples' precision",
            });
        }
        if !(regularization >= 0.0 && regularization.is_finite()) {
            return Err(ConfigError {
                argument: "regularization",
                expected: "a number that is finite in the samples' precision, not negative",
            });
        }
        Ok(Self { step_size, regularization })
    }
}

impl Rule for Normalised {
    const ID: u16 = id::NLMS;

    fn fingerprint<T: Adaptive>(self, hash: &mut Fingerprint) {
        T::hash(self.step_size, hash);
        T::hash(self.regularization, hash);
    }
    fn rates(self) -> Rates {
        Rates { step_size: self.step_size, regularization: Some(self.regularization) }
    }
}

impl<T: Adaptive, const N: usize, const SCRATCH: usize> FixedNlms<T, N, SCRATCH> {
    /// A filter for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `0 < step_size < 2` and `regularization` is finite and not negative, both
    /// rounded to the precision of `T`.
    pub fn new(step_size: f64, regularization: f64) -> Result<Self, ConfigError> {
        Self::with_level(step_size, regularization, SimdLevel::best())
    }

    /// A filter for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `0 < step_size < 2` and `regularization` is finite and not negative, both
    /// rounded to the precision of `T`.
    pub const fn with_level(
        step_size: f64,
        regularization: f64,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        match Normalised::new::<T>(step_size, regularization) {
            Ok(rule) => Ok(Self::fixed(rule, level)),
            Err(error) => Err(error),
        }
    }
}

#[cfg(feature = "alloc")]
impl<T: Adaptive> BoxedNlms<T> {
    /// A filter of `length` taps for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `length` is at least 1, `0 < step_size < 2`, and `regularization` is
    /// finite and not negative, both rounded to the precision of `T`.
    pub fn new(length: usize, step_size: f64, regularization: f64) -> Result<Self, ConfigError> {
        Self::with_level(length, step_size, regularization, SimdLevel::best())
    }

    /// A filter of `length` taps for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `length` is at least 1, `0 < step_size < 2`, and `regularization` is
    /// finite and not negative, both rounded to the precision of `T`.
    pub fn with_level(
        length: usize,
        step_size: f64,
        regularization: f64,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        Self::boxed(length, Normalised::new::<T>(step_size, regularization)?, level)
    }
}
