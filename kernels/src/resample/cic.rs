//! Changes of rate by large factors without multiplications: cascaded integrators and combs.

#[cfg(feature = "testing")]
mod cases;
mod stages;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use stages::Code;

use self::stages::{Stages, normalised};
use super::clock::{Clock, Rhythm};
use crate::sample::{FixedPoint, Sample};
use crate::shape::{ConfigError, Kernel, Progress, VariableLength};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

const NO_FACTOR: ConfigError = ConfigError { argument: "factor", expected: "at least 1" };
const NO_ORDER: ConfigError = ConfigError { argument: "order", expected: "1 to 8" };
const NO_DELAY: ConfigError = ConfigError { argument: "delay", expected: "1 or 2" };
const LATE: ConfigError = ConfigError { argument: "phase", expected: "0 to factor - 1" };
const TOO_MUCH: ConfigError = ConfigError {
    argument: "factor",
    expected: "a growth (factor delay)^order that fits 62 bits with the samples",
};

/// What both directions share: the shape of the filter and the sums of each component.
#[derive(Clone, Debug)]
struct Cascade<X> {
    factor: usize,
    order: usize,
    delay: usize,
    /// What the result is divided by, for a gain of 1.
    gain: i64,
    stages: [Stages; 2],
    samples: PhantomData<X>,
}

impl<X: Sample<Component: Code>> Cascade<X> {
    fn new(factor: usize, order: usize, delay: usize) -> Result<Self, ConfigError> {
        if factor == 0 {
            return Err(NO_FACTOR);
        }
        if order == 0 || order > stages::MOST {
            return Err(NO_ORDER);
        }
        if delay == 0 || delay > 2 {
            return Err(NO_DELAY);
        }
        let width = (factor as u64).saturating_mul(delay as u64);
        let room = 1 << (62 - <X::Component as FixedPoint>::BITS);
        match width.checked_pow(order as u32) {
            Some(gain) if gain <= room => {
                let stages = [Stages::default(); 2];
                Ok(Self { factor, order, delay, gain: gain as i64, stages, samples: PhantomData })
            }
            _ => Err(TOO_MUCH),
        }
    }

    /// Half the length of the impulse response, in samples of the higher rate.
    fn group_delay(&self) -> f64 {
        (self.order * (self.factor * self.delay - 1)) as f64 / 2.0
    }

    fn fingerprint(&self, hash: &mut Fingerprint) {
        for argument in [self.factor, self.order, self.delay] {
            hash.u64(argument as u64);
        }
    }

    fn payload_len(&self) -> usize {
        X::COMPONENTS * self.order * (1 + self.delay) * size_of::<u64>()
    }

    fn write(&self, to: &mut Writer<'_>) {
        for stages in self.stages.iter().take(X::COMPONENTS) {
            stages.values(self.order, self.delay).for_each(|value| to.u64(*value as u64));
        }
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let mut stages = self.stages;
        for stages in stages.iter_mut().take(X::COMPONENTS) {
            for value in stages.values_mut(self.order, self.delay) {
                *value = from.u64()? as i64;
            }
        }
        self.stages = stages;
        Some(())
    }
}

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

/// An interpolator by moving sums, `y[m] = sum_k h[k] u[m - k] R / (R D)^N`.
///
/// `u` is the input with R - 1 zeros after each sample; all else is as for [`CicDecimator`]. For N
/// of 1 it holds each sample, for N of 2 it draws lines between them.
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

impl<X: Sample<Component: Code>> Kernel for CicDecimator<X> {
    fn reset(&mut self) {
        self.clock = self.start();
        self.cascade.stages = [Stages::default(); 2];
    }
}

impl<X: Sample<Component: Code>> Kernel for CicInterpolator<X> {
    fn reset(&mut self) {
        self.clock = Clock::new(self.rhythm(), 0);
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
