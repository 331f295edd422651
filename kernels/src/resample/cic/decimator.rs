//! From a high rate to a low one.

use super::Cascade;
use super::stages::{Code, Stages, normalised};
use crate::resample::clock::{Clock, Rhythm};
use crate::sample::Sample;
use crate::shape::{ConfigError, Kernel, Progress, VariableLength};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

const LATE: ConfigError = ConfigError { argument: "phase", expected: "0 to factor - 1" };

/// A decimator by moving sums, `y[m] = sum_k h[k] x[m R + phase - k] / (R D)^N`.
///
/// `h` is a boxcar of R D ones convolved with itself N times. Samples are fixed point; sums are
/// integers that wrap and unwrap again (E. B. Hogenauer), so that the result is that of the formula,
/// rounded half up once. The magnitude is `|sin(pi f R D) / (R D sin(pi f))|^N` at `f` cycles per
/// input sample; a FIR of the inverse of it behind the decimator flattens the pass-band.
///
/// * **Accuracy**: exact but for the one rounding, whatever the signal and however long; the same bits
///   everywhere.
/// * **Counts**: after n inputs exactly `ceil((n - phase) / R)` outputs have been given.
/// * **Delay**: [`group_delay`](Self::group_delay), in input samples.
/// * **Cost**: N additions per input, N subtractions and a division per output; no allocation.
///
/// E. B. Hogenauer, *An economical class of digital filters for decimation and interpolation*,
/// IEEE Trans. ASSP-29 (1981).
///
/// ```
/// use passband_kernels::resample::CicDecimator;
/// use passband_kernels::sample::Q15;
/// use passband_kernels::shape::VariableLength;
///
/// let mut mean = CicDecimator::<Q15>::new(2, 1, 1, 1)?;
/// let mut y = [Q15(0); 2];
/// assert_eq!(mean.execute(&[Q15(1), Q15(3), Q15(5), Q15(8)], &mut y).produced, 2);
/// assert_eq!(y, [Q15(2), Q15(7)]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CicDecimator<X> {
    cascade: Cascade<X>,
    phase: usize,
    clock: Clock,
}

impl<X: Sample<Component: Code>> CicDecimator<X> {
    /// A decimator by `factor` R of `order` N, 1 to 8, and a differential `delay` D of 1 or 2 outputs;
    /// the first output is at input `phase`.
    ///
    /// # Errors
    /// [`ConfigError`] for arguments out of these ranges, for a phase not below the factor and for a
    /// growth `(R D)^N` that would not fit 62 bits with the samples.
    pub fn new(factor: usize, order: usize, delay: usize, phase: usize) -> Result<Self, ConfigError> {
        let cascade = Cascade::new(factor, order, delay)?;
        if phase >= factor {
            return Err(LATE);
        }
        let mut made = Self { cascade, phase, clock: Clock { due: 0 } };
        made.clock = made.start();
        Ok(made)
    }

    /// The delay in input samples, `N (R D - 1) / 2`.
    #[must_use]
    pub fn group_delay(&self) -> f64 {
        self.cascade.group_delay()
    }

    fn rhythm(&self) -> Rhythm {
        Rhythm { input: 1, output: self.cascade.factor as u128 }
    }

    fn start(&self) -> Clock {
        Clock::new(self.rhythm(), self.phase as u128)
    }
}

impl<X: Sample<Component: Code>> Snapshot for CicDecimator<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::CIC_DECIMATOR, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.cascade.fingerprint(hash);
        hash.u64(self.phase as u64);
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>() + self.cascade.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.clock.write(to);
        self.cascade.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        // Nothing is owed between calls.
        let clock = Clock::read(from, 1..=self.rhythm().output)?;
        self.cascade.read(from)?;
        self.clock = clock;
        Some(())
    }
}

impl<X: Sample<Component: Code>> Kernel for CicDecimator<X> {
    fn reset(&mut self) {
        self.clock = self.start();
        self.cascade.stages = [Stages::default(); 2];
    }
}

impl<X: Sample<Component: Code>> VariableLength for CicDecimator<X> {
    type Input = X;
    type Output = X;

    fn execute(&mut self, x: &[X], out: &mut [X]) -> Progress {
        let consumed = x.len().min(self.max_in(out.len()));
        let produced = self.max_out(consumed);
        let Cascade { factor, order, delay, gain, ref mut stages, .. } = self.cascade;
        let (mut rest, mut outputs) = (x.get(..consumed).unwrap_or(x), out.iter_mut());
        // Inputs up to that of the next output, it included.
        let mut due = self.clock.due as usize;
        while !rest.is_empty() {
            let (inputs, later) = rest.split_at_checked(due).unwrap_or((rest, &[]));
            for (part, stages) in stages.iter_mut().enumerate().take(X::COMPONENTS) {
                let codes = X::components(inputs).iter().skip(part).step_by(X::COMPONENTS);
                stages.integrate(order, codes.map(|code| code.code()));
            }
            (rest, due) = (later, due - inputs.len());
            if due == 0 {
                let y = outputs.next().map(core::slice::from_mut).unwrap_or_default();
                for (y, stages) in X::components_mut(y).iter_mut().zip(&mut *stages) {
                    *y = normalised(stages.comb(delay, order), gain);
                }
                due = factor;
            }
        }
        self.clock = Clock { due: due as u128 };
        Progress { consumed, produced }
    }

    fn max_out(&self, n_in: usize) -> usize {
        self.clock.outputs(self.rhythm(), n_in)
    }

    fn max_in(&self, n_out: usize) -> usize {
        self.clock.inputs(self.rhythm(), n_out)
    }
}
