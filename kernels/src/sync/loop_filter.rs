//! The gains of a second-order loop.

use crate::shape::ConfigError;
use crate::state::Fingerprint;

/// A proportional-plus-integral loop filter for a detector and a clock of gain 1.
///
/// M. Rice, *Digital Communications: A Discrete-Time Approach*, appendix C; F. M. Gardner,
/// *Phaselock Techniques*, 3rd ed., chapter 4.
#[derive(Clone, Debug)]
pub(super) struct LoopFilter {
    loop_bandwidth: f64,
    damping: f64,
    pub(super) proportional: f64,
    pub(super) integral: f64,
}

impl LoopFilter {
    /// A filter of one-sided noise bandwidth `loop_bandwidth` in cycles per update.
    pub(super) const fn new(loop_bandwidth: f64, damping: f64) -> Result<Self, ConfigError> {
        if !(loop_bandwidth > 0.0 && loop_bandwidth <= 0.5) {
            return Err(ConfigError { argument: "loop_bandwidth", expected: "above 0, at most 0.5" });
        }
        if !(damping > 0.0 && damping.is_finite()) {
            return Err(ConfigError { argument: "damping", expected: "a finite number above 0" });
        }
        let theta = loop_bandwidth / (damping + 0.25 / damping);
        let divisor = 1.0 + 2.0 * damping * theta + theta * theta;
        let proportional = 4.0 * damping * theta / divisor;
        let integral = 4.0 * theta * theta / divisor;
        Ok(Self { loop_bandwidth, damping, proportional, integral })
    }

    pub(super) fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.loop_bandwidth);
        hash.sample(self.damping);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_bandwidth_is_the_one_asked_for() {
        // The sum of squares of the impulse response is twice the one-sided noise bandwidth.
        for damping in [0.5, core::f64::consts::FRAC_1_SQRT_2, 2.0] {
            for bandwidth in [0.001, 0.01] {
                let filter = LoopFilter::new(bandwidth, damping).unwrap();
                let (mut phase, mut freq, mut sum) = (0.0, 0.0, 0.0);
                for n in 0..200_000 {
                    let error = f64::from(u8::from(n == 0)) - phase;
                    freq += filter.integral * error;
                    phase += freq + filter.proportional * error;
                    sum += phase * phase;
                }
                assert!((sum / (2.0 * bandwidth) - 1.0).abs() < 3.0 * bandwidth, "{damping}, {bandwidth}");
            }
        }
    }

    #[test]
    fn arguments_that_make_no_sense_are_named() {
        let refused =
            |bandwidth, damping| LoopFilter::new(bandwidth, damping).map(|_| ()).unwrap_err().argument;
        for bandwidth in [0.0, -0.1, 0.6, f64::NAN, f64::INFINITY] {
            assert_eq!(refused(bandwidth, 1.0), "loop_bandwidth");
        }
        for damping in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(refused(0.1, damping), "damping");
        }
    }
}
