//! The unit step.

use super::impulse::one;
use crate::sample::Float;
use crate::shape::{Generator, Kernel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// A unit step, `y[n] = 1` from `n = delay` on and 0 before.
///
/// * **Accuracy**: exact. The same bits at every level and on every target.
/// * **Cost**: that of writing; no allocation.
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::Step;
///
/// let mut y = [f32::NAN; 4];
/// Step::new(2).generate(&mut y);
/// assert_eq!(y, [0.0, 0.0, 1.0, 1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Step<Y> {
    delay: u64,
    /// Zeros that are left.
    wait: u64,
    output: PhantomData<Y>,
}

impl<Y: Float> Step<Y> {
    /// A step after `delay` samples.
    #[must_use]
    pub const fn new(delay: u64) -> Self {
        Self { delay, wait: delay, output: PhantomData }
    }
}

impl<Y: Float> Snapshot for Step<Y> {
    fn kernel_id(&self) -> u32 {
        id::of(id::STEP, 0, Y::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.delay);
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.wait);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.wait = from.u64().filter(|wait| *wait <= self.delay)?;
        Some(())
    }
}

impl<Y: Float> Kernel for Step<Y> {
    fn reset(&mut self) {
        self.wait = self.delay;
    }
}

impl<Y: Float> Generator for Step<Y> {
    type Output = Y;

    fn generate(&mut self, out: &mut [Y]) {
        let zeros = usize::try_from(self.wait).unwrap_or(usize::MAX).min(out.len());
        self.wait -= zeros as u64;
        if let Some((before, after)) = out.split_at_mut_checked(zeros) {
            before.fill(Y::ZERO);
            after.fill(one());
        }
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use num_complex::Complex;
    std::vec![case::<f32>(100), case::<f64>(0), case::<Complex<f32>>(3), case::<Complex<f64>>(20)]
}

#[cfg(feature = "testing")]
fn case<Y: Float>(delay: u64) -> crate::testing::Case {
    use crate::testing::{About, generator};
    let about = About {
        family: "source",
        kernel: "Step",
        summary: "unit step",
        variant: Y::NAME.into(),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 1.0,
        bytes: size_of::<Y>() as f64,
        benched: delay == 100,
    };
    let reference = move |n: usize| {
        let parts = |n| [if n < delay { 0.0 } else { 1.0 }, 0.0];
        (0..n as u64).flat_map(|n| parts(n)[..Y::COMPONENTS].to_vec()).collect()
    };
    generator(about, move |_| Step::<Y>::new(delay), reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_counted_down_until_a_reset() {
        let mut late = Step::<f64>::new(u64::MAX);
        let mut y = [1.0; 10];
        late.generate(&mut y);
        assert_eq!((y, late.wait), ([0.0; 10], u64::MAX - 10));
        late.reset();
        assert_eq!(late.wait, u64::MAX);
    }
}
