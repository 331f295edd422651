//! Changes of rate by large factors without multiplications: cascaded integrators and combs.

#[cfg(feature = "testing")]
mod cases;
mod decimator;
mod interpolator;
mod stages;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;
pub use decimator::CicDecimator;
pub use interpolator::CicInterpolator;
pub use stages::Code;

use crate::sample::{FixedPoint, Sample};
use crate::shape::ConfigError;
use crate::state::{Fingerprint, Reader, Writer};
use core::marker::PhantomData;
use stages::Stages;

const NO_FACTOR: ConfigError = ConfigError { argument: "factor", expected: "at least 1" };
const NO_ORDER: ConfigError = ConfigError { argument: "order", expected: "1 to 8" };
const NO_DELAY: ConfigError = ConfigError { argument: "delay", expected: "1 or 2" };
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
