//! Filters that adapt themselves.

mod body;
#[cfg(feature = "testing")]
pub(super) mod cases;
mod fixed;

use super::fir::Taps;
use crate::sample::Sample;
use crate::scratch::{History, State};
#[cfg(feature = "alloc")]
use crate::shape::ConfigError;
use crate::shape::{Kernel, TwoInput};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
pub use body::Adaptive;
pub(super) use body::{Rates, rounded, rounded_power};

/// A filter whose weights follow the error by a rule, [`Nlms`](super::Nlms) or [`Lms`](super::Lms).
///
/// `W` stores the weights and `S` the past samples.
#[derive(Clone, Debug)]
pub struct AdaptiveFilter<R, W, S> {
    rule: R,
    level: SimdLevel,
    /// The last weight first, so that they lie as the samples do.
    weights: W,
    past: S,
}

/// How far weights move at each error.
pub trait Rule: Copy {
    /// The algorithm in snapshots.
    #[doc(hidden)]
    const ID: u16;
    #[doc(hidden)]
    fn fingerprint<T: Adaptive>(self, hash: &mut Fingerprint);
    #[doc(hidden)]
    fn rates(self) -> Rates;
}

impl<R: Rule, T: Adaptive, const N: usize, const SCRATCH: usize>
    AdaptiveFilter<R, [T; N], State<T, N, SCRATCH>>
{
    pub(super) const fn fixed(rule: R, level: SimdLevel) -> Self {
        const { assert!(N > 0, "length: expected at least one tap") };
        Self { rule, level, weights: [T::ZERO; N], past: State::full() }
    }
}

#[cfg(feature = "alloc")]
impl<R: Rule, T: Adaptive> AdaptiveFilter<R, alloc::boxed::Box<[T]>, crate::scratch::BoxedState<T>> {
    pub(super) fn boxed(length: usize, rule: R, level: SimdLevel) -> Result<Self, ConfigError> {
        let Some(past) = length.checked_sub(1) else {
            return Err(ConfigError { argument: "length", expected: "at least one tap" });
        };
        let weights = alloc::vec![T::ZERO; length].into_boxed_slice();
        Ok(Self { rule, level, weights, past: crate::scratch::BoxedState::new(past) })
    }
}

impl<R: Rule, W: Taps<Tap: Adaptive>, S: History<W::Tap>> AdaptiveFilter<R, W, S> {
    /// The weights: `w[0]`, that of the newest sample, first.
    pub fn taps(&self) -> impl Iterator<Item = W::Tap> {
        self.weights.as_ref().iter().rev().copied()
    }
}

impl<R: Rule, W: Taps<Tap: Adaptive>, S: History<W::Tap>> Snapshot for AdaptiveFilter<R, W, S> {
    fn kernel_id(&self) -> u32 {
        id::of(R::ID, W::Tap::CODE, W::Tap::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.weights.as_ref().len() as u64);
        self.rule.fingerprint::<W::Tap>(hash);
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

impl<R: Rule, W: Taps<Tap: Adaptive>, S: History<W::Tap>> Kernel for AdaptiveFilter<R, W, S> {
    fn reset(&mut self) {
        self.weights.as_mut().fill(W::Tap::ZERO);
        self.past.samples_mut().fill(W::Tap::ZERO);
    }
}

impl<R: Rule, W: Taps<Tap: Adaptive>, S: History<W::Tap>> TwoInput for AdaptiveFilter<R, W, S> {
    type Input = W::Tap;
    type Second = W::Tap;
    type Output = W::Tap;

    fn steps(&mut self, x: &[W::Tap], d: &[W::Tap], out: &mut [W::Tap]) -> usize {
        let Self { rule, level, weights, past } = self;
        let (rates, n) = (rule.rates(), x.len().min(d.len()).min(out.len()));
        past.drive(x.get(..n).unwrap_or(x), |window, inputs| {
            if let (Some(d), Some(out)) = (d.get(inputs.clone()), out.get_mut(inputs)) {
                W::Tap::adapt(*level, rates, weights.as_mut(), window, d, out);
            }
        });
        n
    }
}
