//! Time at a ratio that is any number and may change while a stream runs.

use super::clock::{Clock, Rhythm};
use crate::shape::ConfigError;
use crate::state::{Fingerprint, Reader, Writer};

/// Ticks from an input to the next.
const INPUT: u128 = 1 << 64;

const NO_RATIO: ConfigError = ConfigError { argument: "ratio", expected: "from 1/1024 to 65536" };
const NO_PHASE: ConfigError =
    ConfigError { argument: "phase", expected: "a time from 0 to 1048576 input samples" };

/// When outputs are due, in units of 2^-64 inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) clock: Clock,
    ratio: f64,
    /// Ticks from an output to the next.
    step: u128,
}

/// Ticks from an output to the next: 2^64 over the ratio, rounded up, so that no output comes before
/// its time.
const fn step(ratio: f64) -> Result<u128, ConfigError> {
    if !(ratio >= 1.0 / 1024.0 && ratio <= 65_536.0) {
        return Err(NO_RATIO);
    }
    let bits = ratio.to_bits();
    // ratio = mantissa 2^(exponent - 1075), so that no shift is out of range.
    let (exponent, mantissa) = ((bits >> 52) as u32, (bits & ((1 << 52) - 1) | 1 << 52) as u128);
    Ok((1u128 << (1139 - exponent)).div_ceil(mantissa))
}

impl Pace {
    /// Before the first input, with the first output at the time `phase` in input samples.
    pub(super) fn new(ratio: f64, phase: f64) -> Result<Self, ConfigError> {
        const MAX_PHASE: f64 = 1_048_576.0;
        let step = step(ratio)?;
        if !(0.0..=MAX_PHASE).contains(&phase) {
            return Err(NO_PHASE);
        }
        let due = INPUT + (phase * INPUT as f64) as u128;
        Ok(Self { clock: Clock { due }, ratio, step })
    }

    /// Outputs per input.
    pub(super) fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Changes the ratio from the output after the next on.
    pub(super) fn set_ratio(&mut self, ratio: f64) -> Result<(), ConfigError> {
        self.step = step(ratio)?;
        self.ratio = ratio;
        Ok(())
    }

    pub(super) fn rhythm(&self) -> Rhythm {
        Rhythm { input: INPUT, output: self.step }
    }

    /// Outputs that `inputs` more inputs, and those that were taken, lead to.
    pub(super) fn outputs(&self, inputs: usize) -> usize {
        self.clock.outputs(self.rhythm(), inputs)
    }

    /// Inputs that a call takes before the output after `outputs` lacks room.
    pub(super) fn inputs(&self, outputs: usize) -> usize {
        self.clock.inputs(self.rhythm(), outputs)
    }

    /// Hashes the ratio and the phase of a start.
    pub(super) fn fingerprint(&self, hash: &mut Fingerprint) {
        let phase = self.clock.due - INPUT;
        hash.sample(self.ratio);
        hash.u64((phase >> 64) as u64);
        hash.u64(phase as u64);
    }

    /// Bytes in a snapshot.
    pub(super) const PAYLOAD: usize = 3 * size_of::<u64>();

    pub(super) fn write(&self, to: &mut Writer<'_>) {
        to.samples(&[self.ratio]);
        to.u64((self.clock.due >> 64) as u64);
        to.u64(self.clock.due as u64);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Option<Self> {
        // Further off than any phase and any period.
        const FAR: u64 = 1 << 21;
        let ratio: f64 = from.sample()?;
        let step = step(ratio).ok()?;
        let whole = from.u64().filter(|whole| *whole < FAR)?;
        let due = u128::from(whole) << 64 | u128::from(from.u64()?);
        Some(Self { clock: Clock { due }, ratio, step })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_where_it_belongs_after_a_billion_of_them() {
        const COUNT: usize = 1_000_000_000;
        // Ratios as fractions: of the count, to have the position as one.
        for (up, down) in [(160u128, 147u128), (1, 3), (1, 1), (3, 1), (10_001, 10), (1, 1024), (65_536, 1)] {
            let ratio = up as f64 / down as f64;
            let mut pace = Pace::new(ratio, 0.0).unwrap();
            let inputs = pace.inputs(COUNT);
            pace.clock.advance(pace.rhythm(), inputs, COUNT);
            // 2^-64 samples; the ratio itself is rounded to 53 bits.
            let exact = COUNT as u128 * down * (INPUT / up) + COUNT as u128 * down * (INPUT % up) / up;
            let found = (inputs as u128 - 1) * INPUT + pace.clock.due;
            let error = exact.abs_diff(found) as f64 / INPUT as f64;
            let position = COUNT as f64 * down as f64 / up as f64;
            assert!(error <= 6e-11 + position * f64::EPSILON / 2.0, "{ratio}: {error:e}");
        }
    }
}
