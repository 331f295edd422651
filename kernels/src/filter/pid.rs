//! Control by the error, its sum and its slope.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::first_order::continued;
use crate::sample::Float;
use crate::shape::{Blockwise, ConfigError, InPlace, Kernel, steps_over_copy};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// The gains of a [`Pid`] and the limits of its output, in units of samples.
///
/// What is not named comes from [`NEW`](Self::NEW): `PidConfig { kp: 2.0, ki: 0.1, ..PidConfig::NEW }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PidConfig {
    /// Output per error.
    pub kp: f64,
    /// Output per error and sample.
    pub ki: f64,
    /// Output per change of the error from one sample to the next.
    pub kd: f64,
    /// The time constant of the derivative's filter in samples, at least 0.
    pub derivative_time: f64,
    /// The least output, or minus infinity.
    pub low: f64,
    /// The largest output, or infinity.
    pub high: f64,
}

impl PidConfig {
    /// No gains, no filter and no limits.
    pub const NEW: Self =
        Self { kp: 0.0, ki: 0.0, kd: 0.0, derivative_time: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// A PID controller in parallel form, with a filtered derivative and a sum that does not wind up.
///
/// Of an error `e` (set point less measurement), with zeros before the start:
///
/// ```text
/// d[n] = (derivative_time d[n - 1] + kd (e[n] - e[n - 1])) / (derivative_time + 1)
/// s    = i[n - 1] + ki e[n]
/// v[n] = kp e[n] + s + d[n]
/// y[n] = v[n], at least low and at most high
/// i[n] = i[n - 1] where v[n] is beyond a limit and s moved towards it, otherwise s
/// ```
///
/// The sum is a backward rectangle and the derivative, `kd s / (1 + s derivative_time)`, a backward
/// difference, so that it is stable and does not ring whatever its filter. The sum is held while the
/// actuator is at a limit (conditional integration), which it leaves as soon as the error turns.
///
/// * **Accuracy**: computed in double precision and rounded once; the error of the sum grows by 1.2e-16
///   of it per sample. Derivatives below 1e-270 are taken as zero. The same bits at every level and on
///   every target.
/// * **NaN and infinity**: an error that is no finite number gives an output of NaN or a limit and
///   leaves the state as it was. Subnormals are computed as such.
/// * **Delay**: none.
/// * **Cost**: twelve operations per sample; no allocation.
///
/// K. J. Åström and T. Hägglund, *PID Controllers: Theory, Design, and Tuning*, 2nd ed., sections 3.5
/// and 3.6.
///
/// ```
/// use passband_kernels::filter::{Pid, PidConfig};
/// use passband_kernels::shape::Blockwise;
///
/// let mut pid = Pid::<f32>::new(PidConfig { kp: 1.0, ki: 0.5, high: 3.0, ..PidConfig::NEW })?;
/// let mut y = [0.0; 5];
/// assert_eq!(pid.steps(&[1.0, 1.0, 4.0, 1.0, -1.0], &mut y), 5);
/// assert_eq!(y, [1.5, 2.0, 3.0, 2.5, 0.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pid<X: Float<Double = f64>> {
    config: PidConfig,
    /// What the filter leaves of the last derivative, and takes of a difference.
    keep: f64,
    take: f64,
    state: State<X>,
}

#[derive(Clone, Copy, Debug)]
struct State<X> {
    /// The last error.
    error: X,
    integral: f64,
    derivative: f64,
}

impl<X: Float<Double = f64>> State<X> {
    const NEW: Self = Self { error: X::ZERO, integral: 0.0, derivative: 0.0 };
}

const FINITE: &str = "a finite number";

impl<X: Float<Double = f64>> Pid<X> {
    /// A controller with these gains and limits.
    ///
    /// # Errors
    /// [`ConfigError`] for gains that are not finite, a `derivative_time` that is not finite or is
    /// negative, a `low` that is NaN, and a `high` that is NaN or below `low`.
    pub const fn new(config: PidConfig) -> Result<Self, ConfigError> {
        let PidConfig { kp, ki, kd, derivative_time, low, high } = config;
        if !kp.is_finite() {
            return Err(ConfigError { argument: "kp", expected: FINITE });
        }
        if !ki.is_finite() {
            return Err(ConfigError { argument: "ki", expected: FINITE });
        }
        if !kd.is_finite() {
            return Err(ConfigError { argument: "kd", expected: FINITE });
        }
        if !(derivative_time >= 0.0 && derivative_time.is_finite()) {
            return Err(ConfigError { argument: "derivative_time", expected: "a finite time, at least 0" });
        }
        if low.is_nan() {
            return Err(ConfigError { argument: "low", expected: "a number" });
        }
        if high.is_nan() || high < low {
            return Err(ConfigError { argument: "high", expected: "at least low" });
        }
        let (keep, take) = (derivative_time / (derivative_time + 1.0), kd / (derivative_time + 1.0));
        Ok(Self { config, keep, take, state: State::NEW })
    }

    /// The gains and limits.
    #[must_use]
    pub const fn config(&self) -> &PidConfig {
        &self.config
    }

    #[inline(always)]
    fn output(&mut self, x: X) -> X {
        let PidConfig { kp, ki, low, high, .. } = self.config;
        let State { error: last, integral, derivative } = self.state;
        let error = x.to_double();
        let derivative = derivative * self.keep + (error - last.to_double()) * self.take;
        let sum = integral + error * ki;
        let wanted = error * kp + sum + derivative;
        if wanted.is_finite() {
            let winds = (wanted > high && sum > integral) || (wanted < low && sum < integral);
            let integral = if winds { integral } else { sum };
            self.state = State { error: x, integral, derivative: continued(derivative) };
        }
        // A NaN is neither and stays.
        X::from_double(if wanted > high {
            high
        } else if wanted < low {
            low
        } else {
            wanted
        })
    }
}

impl<X: Float<Double = f64>> Snapshot for Pid<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::PID, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        let PidConfig { kp, ki, kd, derivative_time, low, high } = self.config;
        for argument in [kp, ki, kd, derivative_time, low, high] {
            hash.sample(argument);
        }
    }
    fn payload_len(&self) -> usize {
        size_of::<X>() + 2 * size_of::<f64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(&[self.state.error]);
        to.samples(&[self.state.integral, self.state.derivative]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let error = from.sample().filter(|error: &X| error.to_double().is_finite())?;
        let mut number = || from.sample().filter(|number: &f64| number.is_finite());
        self.state = State { error, integral: number()?, derivative: number()? };
        Some(())
    }
}

impl<X: Float<Double = f64>> Kernel for Pid<X> {
    fn reset(&mut self) {
        self.state = State::NEW;
    }
}

impl<X: Float<Double = f64>> Blockwise for Pid<X> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<X: Float<Double = f64>> InPlace for Pid<X> {
    fn steps_in_place(&mut self, io: &mut [X]) {
        for io in io {
            *io = self.output(*io);
        }
    }
}
