//! Filters that adapt themselves.

mod body;
#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::fir::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
use crate::shape::{ConfigError, Kernel, TwoInput};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
pub use body::Adaptive;
use body::Rates;

/// An adaptive filter by normalised least mean squares.
///
/// It learns the filter that makes `d` out of `x` and gives what is left,
/// `e[n] = d[n] - sum_k w[k] x[n - k]`. After each output the weights move by
/// `w[k] += step_size e[n] conj x[n - k] / (regularization + sum_k |x[n - k]|^2)`. Weights and past
/// samples start at 0. `W` stores the weights and `S` the past samples; [`FixedNlms`] and
/// [`BoxedNlms`] name the usual forms.
///
/// * **Adaptation**: the nearer `step_size` is to 1 the faster; small ones average over noise. The
///   excess error over that of the best filter is `step_size / (2 - step_size)` of it for white `x`.
/// * **Accuracy**: the sums are computed anew for each sample, so that nothing drifts; the error of
///   each is below `length * eps` times the sum of magnitudes. AVX2, AVX-512 and NEON fuse, so levels
///   differ in the last bits.
/// * **Silence**: where the sum of squares and the regularization are both 0, the weights stay.
/// * **NaN and infinity** in `x` make `length` outputs NaN or infinite, in `d` one. The weights stay
///   meanwhile: a step that is not finite is not taken.
/// * **Delay**: none; subnormals are computed as such.
/// * **Cost**: three multiply-adds per tap and sample, twelve real ones where samples are complex,
///   and a division; no allocation.
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
#[derive(Clone, Debug)]
pub struct Nlms<W, S> {
    rates: Rates,
    level: SimdLevel,
    /// The last weight first, so that they lie as the samples do.
    weights: W,
    past: S,
}

/// An [`Nlms`] of `N` taps with everything in arrays.
pub type FixedNlms<T, const N: usize, const SCRATCH: usize = 256> = Nlms<[T; N], State<T, N, SCRATCH>>;

/// An [`Nlms`] of any length.
#[cfg(feature = "alloc")]
pub type BoxedNlms<T> = Nlms<alloc::boxed::Box<[T]>, crate::scratch::BoxedState<T>>;

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
        const { assert!(N > 0, "length: expected at least one tap") };
        match Rates::new::<T>(step_size, regularization) {
            Ok(rates) => Ok(Self { rates, level, weights: [T::ZERO; N], past: State::full() }),
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
        let Some(past) = length.checked_sub(1) else {
            return Err(ConfigError { argument: "length", expected: "at least one tap" });
        };
        let rates = Rates::new::<T>(step_size, regularization)?;
        let weights = alloc::vec![T::ZERO; length].into_boxed_slice();
        Ok(Self { rates, level, weights, past: crate::scratch::BoxedState::new(past) })
    }
}

impl<W: Taps<Tap: Adaptive>, S: History<W::Tap>> Nlms<W, S> {
    /// The weights: `w[0]`, that of the newest sample, first.
    pub fn taps(&self) -> impl Iterator<Item = W::Tap> {
        self.weights.as_ref().iter().rev().copied()
    }
}

impl<W: Taps<Tap: Adaptive>, S: History<W::Tap>> Snapshot for Nlms<W, S> {
    fn kernel_id(&self) -> u32 {
        id::of(id::NLMS, W::Tap::CODE, W::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.weights.as_ref().len() as u64);
        for rate in [self.rates.step_size, self.rates.regularization] {
            W::Tap::hash(rate, hash);
        }
    }
    fn payload_len(&self) -> usize {
        size_of_val(self.weights.as_ref()) + size_of_val(self.past.samples())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(self.weights.as_ref());
        to.samples(self.past.samples());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        from.samples(self.weights.as_mut())?;
        from.samples(self.past.samples_mut())
    }
}

impl<W: Taps<Tap: Adaptive>, S: History<W::Tap>> Kernel for Nlms<W, S> {
    fn reset(&mut self) {
        self.weights.as_mut().fill(W::Tap::ZERO);
        self.past.samples_mut().fill(W::Tap::ZERO);
    }
}

impl<W: Taps<Tap: Adaptive>, S: History<W::Tap>> TwoInput for Nlms<W, S> {
    type Input = W::Tap;
    type Second = W::Tap;
    type Output = W::Tap;

    fn steps(&mut self, x: &[W::Tap], d: &[W::Tap], out: &mut [W::Tap]) -> usize {
        let Self { rates, level, weights, past } = self;
        let n = x.len().min(d.len()).min(out.len());
        past.drive(x.get(..n).unwrap_or(x), |window, inputs| {
            if let (Some(d), Some(out)) = (d.get(inputs.clone()), out.get_mut(inputs)) {
                W::Tap::adapt(*level, *rates, weights.as_mut(), window, d, out);
            }
        });
        n
    }
}
