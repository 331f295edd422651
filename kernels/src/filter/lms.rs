//! An adaptive filter of constant step size.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::adaptive::{Adaptive, AdaptiveFilter, Rates, Rule, rounded};
use crate::sample::Q15;
use crate::scratch::State;
use crate::shape::ConfigError;
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, id};

/// An adaptive filter by least mean squares.
///
/// It learns the filter that makes `d` out of `x` and gives what is left,
/// `e[n] = d[n] - sum_k w[k] x[n - k]`. After each output the weights move by
/// `w[k] += step_size e[n] conj x[n - k]`. Weights and past samples start at 0. `W` stores the weights
/// and `S` the past samples; [`FixedLms`] and [`BoxedLms`] name the usual forms.
///
/// Of [`Q15`] samples the sum is exact; it, the error, `step_size e[n]` and each weight are rounded to
/// codes, halves up, and saturate. A `step_size` is then below 2, in steps of 2^-15. This is
/// `arm_lms_q15` of CMSIS-DSP without a shift of weights, but that one cuts codes off and lets errors wrap.
///
/// * **Adaptation**: it converges for a `step_size` well below `2 / (length P)`, where `P` is the power
///   of `x`, and diverges above. Weights settle within some `1 / (step_size P)` samples for white `x`.
///   Where the power of `x` varies, [`Nlms`](super::Nlms) needs no such bound.
/// * **Accuracy**: the sum is computed anew for each sample, so that nothing drifts; its error is below
///   `length * eps` times the sum of magnitudes. AVX2, AVX-512 and NEON fuse, so levels differ in the
///   last bits, of codes in none.
/// * **NaN and infinity** in `x` make `length` outputs NaN or infinite, in `d` one. The weights stay
///   meanwhile: a step that is not finite is not taken. Weights that have diverged beyond all numbers
///   stay so until `reset`.
/// * **Delay**: none; subnormals are computed as such.
/// * **Cost**: two multiply-adds per tap and sample, eight real ones where samples are complex. Each
///   sample waits for the weights of the one before, so that few taps take as long as a vector of
///   them. No allocation.
///
/// S. Haykin, *Adaptive Filter Theory*, 4th ed., chapter 5.
///
/// ```
/// use passband_kernels::filter::FixedLms;
/// use passband_kernels::shape::TwoInput;
///
/// let mut lms = FixedLms::<f32, 2>::new(0.5)?;
/// let mut e = [0.0; 3];
/// lms.steps(&[1.0, 0.0, 1.0], &[0.5, 0.25, 0.5], &mut e);
/// assert_eq!(e, [0.5, 0.25, 0.25]);
/// assert!(lms.taps().eq([0.375, 0.125]));
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub type Lms<W, S> = AdaptiveFilter<Constant, W, S>;

/// An [`Lms`] of `N` taps with everything in arrays.
pub type FixedLms<T, const N: usize, const SCRATCH: usize = 256> = Lms<[T; N], State<T, N, SCRATCH>>;

/// An [`Lms`] of any length.
#[cfg(feature = "alloc")]
pub type BoxedLms<T> = Lms<alloc::boxed::Box<[T]>, crate::scratch::BoxedState<T>>;

/// Steps in proportion to error and sample.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    step_size: f64,
}

impl Constant {
    /// Rounds the step size for samples of type `T` and checks what it then is.
    const fn new<T: Adaptive>(step_size: f64) -> Result<Self, ConfigError> {
        let step_size = rounded::<T>(step_size);
        let (end, expected) = if size_of::<T::Component>() == size_of::<Q15>() {
            (2.0, "above 0, below 2 in the samples' precision")
        } else {
            (f64::INFINITY, "above 0 and finite in the samples' precision")
        };
        if !(step_size > 0.0 && step_size < end) {
            return Err(ConfigError { argument: "step_size", expected });
        }
        Ok(Self { step_size })
    }
}

impl Rule for Constant {
    const ID: u16 = id::LMS;

    fn fingerprint<T: Adaptive>(self, hash: &mut Fingerprint) {
        T::hash(self.step_size, hash);
    }
    fn rates(self) -> Rates {
        Rates { step_size: self.step_size, regularization: None }
    }
}

impl<T: Adaptive, const N: usize, const SCRATCH: usize> FixedLms<T, N, SCRATCH> {
    /// A filter for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `step_size`, rounded to the precision of `T`, is above 0 and finite,
    /// and below 2 for `Q15`.
    pub fn new(step_size: f64) -> Result<Self, ConfigError> {
        Self::with_level(step_size, SimdLevel::best())
    }

    /// A filter for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `step_size`, rounded to the precision of `T`, is above 0 and finite,
    /// and below 2 for `Q15`.
    pub const fn with_level(step_size: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        match Constant::new::<T>(step_size) {
            Ok(rule) => Ok(Self::fixed(rule, level)),
            Err(error) => Err(error),
        }
    }
}

#[cfg(feature = "alloc")]
impl<T: Adaptive> BoxedLms<T> {
    /// A filter of `length` taps for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `length` is at least 1 and `step_size`, rounded to the precision of `T`,
    /// is above 0 and finite, and below 2 for `Q15`.
    pub fn new(length: usize, step_size: f64) -> Result<Self, ConfigError> {
        Self::with_level(length, step_size, SimdLevel::best())
    }

    /// A filter of `length` taps for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `length` is at least 1 and `step_size`, rounded to the precision of `T`,
    /// is above 0 and finite, and below 2 for `Q15`.
    pub fn with_level(length: usize, step_size: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        Self::boxed(length, Constant::new::<T>(step_size)?, level)
    }
}
