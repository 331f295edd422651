//! When the next instant is due: at a symbol and half way between two in turn.

use crate::shape::ConfigError;
use crate::state::{Fingerprint, Reader, Writer};
use crate::sync::loop_filter::LoopFilter;

pub(super) const MAX_DEVIATION: f64 = 1.0 / 64.0;

/// Samples after an instant that the interpolation needs.
const REACH: u64 = 2;

/// The largest timing error.
const MAX_ERROR: f64 = 0.5;

/// More than all roundings of a period, relatively.
const ROUNDING: f64 = 1e-6;

#[derive(Clone, Debug)]
pub(super) struct Clock {
    samples_per_symbol: f64,
    filter: LoopFilter,
    /// Samples to take until the next instant can be computed.
    wait: u64,
    /// How far the instant is after the sample before it, in `[0, 1)`.
    fraction: f64,
    at_symbol: bool,
    /// The relative deviation of the mean period.
    deviation: f64,
    /// Half of the period at hand, in samples.
    half: f64,
}

impl Clock {
    pub(super) const fn new(
        samples_per_symbol: f64,
        loop_bandwidth: f64,
        damping: f64,
    ) -> Result<Self, ConfigError> {
        if !(samples_per_symbol >= 2.0 && samples_per_symbol <= 4_294_967_296.0) {
            return Err(ConfigError { argument: "samples_per_symbol", expected: "from 2 to 2^32" });
        }
        match LoopFilter::new(loop_bandwidth, damping) {
            Ok(filter) => Ok(Self {
                samples_per_symbol,
                filter,
                wait: REACH + 1,
                fraction: 0.0,
                at_symbol: true,
                deviation: 0.0,
                half: samples_per_symbol / 2.0,
            }),
            Err(error) => Err(error),
        }
    }

    pub(super) fn reset(&mut self) {
        self.wait = REACH + 1;
        (self.fraction, self.at_symbol, self.deviation) = (0.0, true, 0.0);
        self.half = self.samples_per_symbol / 2.0;
    }

    pub(super) fn period(&self) -> f64 {
        self.samples_per_symbol * (1.0 + self.deviation)
    }

    pub(super) fn is_due(&self) -> bool {
        self.wait == 0
    }

    pub(super) fn at_symbol(&self) -> bool {
        self.at_symbol
    }

    pub(super) fn fraction(&self) -> f64 {
        self.fraction
    }

    /// Lets up to `n` samples pass, until the next instant is due; how many it was.
    pub(super) fn pass(&mut self, n: usize) -> usize {
        let count = self.wait.min(n as u64);
        self.wait -= count;
        count as usize
    }

    /// Takes the error at a symbol into the periods from here on.
    pub(super) fn correct(&mut self, error: f32) {
        // Errors of subnormal powers are rounded coarsely, beyond what they can be.
        let error = f64::from(error).clamp(-MAX_ERROR, MAX_ERROR);
        let deviation = self.deviation + self.filter.integral * error;
        self.deviation = deviation.clamp(-MAX_DEVIATION, MAX_DEVIATION);
        let period = self.period() + self.samples_per_symbol * (self.filter.proportional * error);
        self.half = period / 2.0;
    }

    /// Goes on to the next instant, half a period away.
    pub(super) fn advance(&mut self) {
        (self.wait, self.fraction) = split(self.fraction + self.half);
        self.at_symbol = !self.at_symbol;
    }

    /// Samples until the next symbol can be computed, and its fraction.
    fn next_symbol(&self) -> (u64, f64) {
        if self.at_symbol {
            return (self.wait, self.fraction);
        }
        let (whole, fraction) = split(self.fraction + self.half);
        (self.wait + whole, fraction)
    }

    /// A period that is shorter than all that errors can make.
    fn shortest(&self) -> f64 {
        let correction = self.filter.proportional * MAX_ERROR;
        self.samples_per_symbol * (1.0 - MAX_DEVIATION - correction - ROUNDING)
    }

    /// Symbols due within `n` samples, at the most.
    pub(super) fn max_out(&self, n: usize) -> usize {
        let (wait, fraction) = self.next_symbol();
        match (n as u64).checked_sub(wait) {
            // Those that are less than a sample after the last of these are due.
            Some(rest) => libm::ceil((rest as f64 + (1.0 - fraction)) / self.shortest()) as usize,
            None => 0,
        }
    }

    /// Samples that are sure to pass before more than `n` symbols are due.
    pub(super) fn max_in(&self, n: usize) -> usize {
        let (wait, fraction) = self.next_symbol();
        let periods = (fraction + n as f64 * self.shortest()) as u64;
        usize::try_from(wait.saturating_add(periods)).unwrap_or(usize::MAX)
    }

    pub(super) fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.samples_per_symbol);
        self.filter.fingerprint(hash);
    }

    pub(super) const PAYLOAD: usize = 2 * size_of::<u64>() + 3 * size_of::<f64>();

    pub(super) fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.wait);
        to.u64(self.at_symbol.into());
        to.samples(&[self.fraction, self.deviation, self.half]);
    }

    /// Reads a state whose numbers are in their ranges, so that counts stay sure.
    pub(super) fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let (wait, at_symbol) = (from.u64()?, from.u64()?);
        let mut numbers = [0.0; 3];
        from.samples(&mut numbers)?;
        let [fraction, deviation, half] = numbers;
        let possible = at_symbol <= 1
            && (0.0..1.0).contains(&fraction)
            && (-MAX_DEVIATION..=MAX_DEVIATION).contains(&deviation)
            && 2.0 * half >= self.shortest()
            && half <= self.samples_per_symbol
            && wait <= half as u64 + REACH + 1;
        if !possible {
            return None;
        }
        *self = Self { wait, fraction, at_symbol: at_symbol == 1, deviation, half, ..self.clone() };
        Some(())
    }
}

/// A number of samples in whole ones and the fraction that is left.
fn split(samples: f64) -> (u64, f64) {
    let whole = samples as u64;
    (whole, samples - whole as f64)
}
