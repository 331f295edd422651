//! From a low rate to a high one.

use super::Cascade;
use super::stages::{Code, Stages, normalised};
use crate::resample::clock::{Clock, Rhythm};
use crate::sample::Sample;
use crate::shape::{ConfigError, Kernel, Progress, VariableLength};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// An interpolator by moving sums, `y[m] = sum_k h[k] u[m - k] R / (R D)^N`.
///
/// `u` is the input with R - 1 zeros after each sample; all else is as for
/// [`CicDecimator`](super::CicDecimator). For N of 1 it holds each sample, for N of 2 it draws lines
/// between them.
///
/// * **Accuracy**: exact but for the one rounding; the same bits everywhere.
/// * **Counts**: after n inputs exactly `n R` outputs have been given.
/// * **Delay**: [`group_delay`](Self::group_delay), in input samples.
/// * **Cost**: N additions and a division per output; no allocation.
///
/// E. B. Hogenauer, *An economical class of digital filters for decimation and interpolation*,
/// IEEE Trans. ASSP-29 (1981).
///
/// ```
/// use passband_kernels::resample::CicInterpolator;
/// use passband_kernels::sample::Q15;
/// use passband_kernels::shape::VariableLength;
///
/// let mut lines = CicInterpolator::<Q15>::new(2, 2, 1)?;
/// let mut y = [Q15(0); 6];
/// assert_eq!(lines.execute(&[Q15(2), Q15(4), Q15(8)], &mut y).produced, 6);
/// assert_eq!(y, [1, 2, 3, 4, 6, 8].map(Q15));
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CicInterpolator<X> {
    cascade: Cascade<X>,
    clock: Clock,
}

impl<X: Sample<Component: Code>> CicInterpolator<X> {
    /// An interpolator by `factor` R of `order` N, 1 to 8, and a differential `delay` D of 1 or 2 inputs.
    ///
    /// # Errors
    /// [`ConfigError`] for arguments out of these ranges and for a growth `(R D)^N` that would not
    /// fit 62 bits with the samples.
    pub fn new(factor: usize, order: usize, delay: usize) -> Result<Self, ConfigError> {
        let mut cascade = Cascade::new(factor, order, delay)?;
        cascade.gain /= factor as i64;
        let mut made = Self { cascade, clock: Clock { due: 0 } };
        made.clock = Clock::new(made.rhythm(), 0);
        Ok(made)
    }

    /// The delay in input samples, `N (R D - 1) / (2 R)`.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        self.cascade.group_delay() / self.cascade.factor as f64
    }

    fn rhythm(&self) -> Rhythm {
        Rhythm { input: self.cascade.factor as u128, output: 1 }
    }
}

impl<X: Sample<Component: Code>> Snapshot for CicInterpolator<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::CIC_INTERPOLATOR, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.cascade.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>() + self.cascade.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.clock.write(to);
        self.cascade.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        // A tick of an input has gone by, or all of them.
        let clock = Clock::read(from, 1..=self.rhythm().input)?;
        self.cascade.read(from)?;
        self.clock = clock;
        Some(())
    }
}

impl<X: Sample<Component: Code>> Kernel for CicInterpolator<X> {
    fn reset(&mut self) {
        self.clock = Clock::new(self.rhythm(), 0);
        self.cascade.stages = [Stages::default(); 2];
    }
}

impl<X: Sample<Component: Code>> VariableLength for CicInterpolator<X> {
    type Input = X;
    type Output = X;

    fn execute(&mut self, x: &[X], out: &mut [X]) -> Progress {
        let Cascade { factor, order, delay, gain, ref mut stages, .. } = self.cascade;
        let (mut inputs, mut produced) = (x.iter(), 0);
        // Ticks since the last input.
        let mut due = self.clock.due as usize;
        for y in out {
            if due == factor {
                let Some(input) = inputs.next() else { break };
                for (code, stages) in X::components(core::slice::from_ref(input)).iter().zip(&mut *stages) {
                    stages.feed(delay, order, code.code());
                }
                due = 0;
            }
            for (y, stages) in X::components_mut(core::slice::from_mut(y)).iter_mut().zip(&mut *stages) {
                *y = normalised(stages.tick(order), gain);
            }
            (due, produced) = (due + 1, produced + 1);
        }
        self.clock = Clock { due: due as u128 };
        Progress { consumed: x.len() - inputs.len(), produced }
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.clock.outputs(self.rhythm(), n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.inputs(self.rhythm(), n_out)
    }
}
