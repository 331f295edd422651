//! Phases of a stream without jumps.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::math::Wrapped;
use crate::math::unwrap::{Turned, whole};
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A phase unwrapper, `y[n] = x[n] - period sum_{k <= n} round((x[k] - x[k - 1]) / period)` with halves
/// towards zero and `x[-1] = x[0]`.
///
/// After the [`phase`](crate::math::phase) of a carrier at rest it demodulates its phase, however far
/// that turns. The same as [`unwrap`](crate::math::unwrap) of the whole stream.
///
/// * **Accuracy**: periods are counted, not summed, so that errors do not grow as long as there are
///   fewer than 2^53: `f32` is computed in double precision and rounded once, `f64` is within one
///   rounding of the output and one of what is added. Single precision resolves 2^-24 of how far the
///   phase has turned. The same bits at every level and on every target.
/// * **NaN and infinity** stay: all outputs are NaN from either on, until `reset`.
/// * **Delay**: none.
/// * **Cost**: a division and some ten operations per sample; no allocation.
///
/// K. Itoh, *Analysis of the phase unwrapping algorithm*, Applied Optics 21 (1982).
///
/// ```
/// use passband_kernels::demod::Unwrap;
/// use passband_kernels::shape::Blockwise;
///
/// let mut unwrap = Unwrap::<f32>::new(4.0)?;
/// let mut y = [0.0; 3];
/// unwrap.steps(&[0.0, 1.0, 2.0], &mut y);
/// assert_eq!(y, [0.0, 1.0, 2.0]);
/// unwrap.steps(&[-1.0, 0.0, 1.0], &mut y);
/// assert_eq!(y, [3.0, 4.0, 5.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Unwrap<X> {
    period: f64,
    level: SimdLevel,
    so_far: Turned<X>,
}

impl<X: Wrapped> Unwrap<X> {
    /// An unwrapper for the best level of this CPU; the period of phases in radians is 2 pi.
    ///
    /// # Errors
    /// [`ConfigError`] unless `period` is finite and above 0.
    pub fn new(period: f64) -> Result<Self, ConfigError> {
        Self::with_level(period, SimdLevel::best())
    }

    /// An unwrapper for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `period` is finite and above 0.
    pub const fn with_level(period: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        if !(period > 0.0 && period.is_finite()) {
            return Err(ConfigError { argument: "period", expected: "a finite number above 0" });
        }
        Ok(Self { period, level, so_far: Turned::NEW })
    }
}

impl<X: Wrapped> Snapshot for Unwrap<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::UNWRAP, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.period);
    }
    fn payload_len(&self) -> usize {
        8 + size_of::<X>() + 8
    }
    fn write(&self, to: &mut Writer<'_>) {
        let Turned { last, turns } = self.so_far;
        to.u64(last.is_some().into());
        to.samples(&[last.unwrap_or(X::ZERO)]);
        to.samples(&[turns]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let (started, last, turns) = (from.u64()?, from.sample()?, from.sample::<f64>()?);
        self.so_far = match started {
            0 if last == X::ZERO && turns == 0.0 => Turned::NEW,
            1 if whole(turns) == turns || !turns.is_finite() => Turned { last: Some(last), turns },
            _ => return None,
        };
        Some(())
    }
}

impl<X: Wrapped> Kernel for Unwrap<X> {
    fn reset(&mut self) {
        self.so_far = Turned::NEW;
    }
}

impl<X: Wrapped> Blockwise for Unwrap<X> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        X::unwrap(self.level, self.period, &mut self.so_far, x, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{StateError, forged};
    use core::f64::consts::TAU;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn a_carrier_off_its_frequency_turns_for_ever() {
        let mut unwrap = Unwrap::<f64>::new(1.0).unwrap();
        let (block, blocks) = if cfg!(miri) { (16, 5) } else { (1024, 2000) };
        let mut y = vec![0.0; block];
        for start in (0..blocks).map(|i| i * block) {
            // In eighths of a turn, which are exact.
            let x: Vec<_> = (start..start + block).map(|n| (3 * n % 8) as f64 / 8.0).collect();
            assert_eq!(unwrap.steps(&x, &mut y), block);
            assert!((start..).zip(&y).all(|(n, y)| *y == 0.375 * n as f64));
        }
    }

    #[test]
    fn what_is_no_number_stays_until_reset() {
        for bad in [f32::NAN, f32::INFINITY] {
            let (mut unwrap, mut y) = (Unwrap::new(TAU).unwrap(), [0.0; 3]);
            unwrap.steps(&[1.0, bad, 1.0], &mut y);
            assert!(y[0] == 1.0 && y[1].is_nan() && y[2].is_nan());
            unwrap.reset();
            assert_eq!(unwrap.step(-9.0), -9.0);
        }
    }

    #[test]
    fn no_output_is_no_step() {
        let mut unwrap = Unwrap::<f64>::new(1.0).unwrap();
        assert_eq!(unwrap.steps(&[0.75], &mut []), 0);
        assert_eq!(unwrap.step(5.0), 5.0);
    }

    #[test]
    fn snapshots_that_no_stream_leads_to_are_refused() {
        let mut unwrap = Unwrap::<f64>::new(1.0).unwrap();
        let mut load = |started, last: f64, turns: f64| {
            forged::load(&mut unwrap, &[started, last.to_bits(), turns.to_bits()])
        };
        for (started, last, turns) in [(0, 0.0, 0.0), (1, 0.3, -7.0), (1, 0.0, f64::NAN)] {
            assert_eq!(load(started, last, turns), Ok(()));
        }
        for (started, last, turns) in [(0, 0.5, 0.0), (0, 0.0, 1.0), (1, 0.0, 0.5), (2, 0.0, 0.0)] {
            assert_eq!(load(started, last, turns), Err(StateError::Payload));
        }
    }

    #[test]
    fn periods_that_are_none_are_refused() {
        for period in [0.0, -TAU, f64::NAN, f64::INFINITY] {
            assert_eq!(Unwrap::<f32>::new(period).map(|_| ()).unwrap_err().argument, "period");
        }
    }
}
