//! A loop that follows a carrier.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::loop_filter::LoopFilter;
use crate::math::atan2::atan2;
use crate::sample::Sample;
use crate::shape::{ConfigError, Kernel, TwoOutput};
use crate::source::phase::{checked, from_cycles, phasor, to_cycles};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::f64::consts::TAU;
use num_complex::Complex;

/// A phase-locked loop of second order over complex samples.
///
/// It gives the signal with the carrier taken off, `signal[n] = x[n] e^(-j phase[n])`, and the phase
/// error, `error[n] = arg signal[n]` in radians. The loop's oscillator then goes on by
/// `freq[n + 1] = freq[n] + ki error[n]` and `phase[n + 1] = phase[n] + freq[n + 1] + kp error[n]`. The
/// gains follow from `loop_bandwidth`, the one-sided noise bandwidth in cycles per sample, and
/// `damping`. The detector does not depend on the amplitude.
///
/// * **Locking**: a carrier within about `loop_bandwidth` of `freq` locks in about
///   `4 / loop_bandwidth` samples without slipping a cycle; noise at the input appears in the
///   oscillator's phase with `2 loop_bandwidth` times its variance.
/// * **Accuracy**: phase and frequency are kept in 64 bits modulo a whole cycle, so that they
///   never drift. `signal` is within 2e-7 times `|x[n]|`, `error` within 5e-7 radians, of what the
///   phase gives. The same bits on every target; a loop is serial, so there are no levels.
/// * **Zero, NaN and infinity** have the error 0, so that the loop coasts through them; only their
///   own `signal` is NaN. Samples of magnitudes from 1e-37 to 1e38 have their true angle.
/// * **Delay**: none.
/// * **Cost**: about 70 operations per sample, each waiting for the one before, two of them
///   multiplications in `f64`; no allocation.
///
/// F. M. Gardner, *Phaselock Techniques*, 3rd ed.; M. Rice, *Digital Communications: A
/// Discrete-Time Approach*, appendix C.
///
/// ```
/// use passband_kernels::shape::TwoOutput;
/// use passband_kernels::source::LocalOscillator;
/// use passband_kernels::shape::Generator;
/// use passband_kernels::sync::Pll;
///
/// let mut carrier = [Default::default(); 1000];
/// LocalOscillator::new(0.101, 0.2)?.generate(&mut carrier);
/// let mut pll = Pll::new(0.1, 0.02, 0.7)?;
/// let (mut signal, mut error) = ([Default::default(); 1000], [0.0; 1000]);
/// assert_eq!(pll.steps(&carrier, (&mut signal, &mut error)), 1000);
/// assert!((pll.freq() - 0.101).abs() < 1e-7 && error[999].abs() < 1e-5);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pll {
    filter: LoopFilter,
    /// The frequency to reset to.
    first: u64,
    freq: u64,
    phase: u64,
}

impl Pll {
    /// A loop whose oscillator starts at `freq` cycles per sample and at phase 0.
    ///
    /// # Errors
    /// [`ConfigError`] unless `freq` is finite, `0 < loop_bandwidth <= 0.5`, and `damping` is finite
    /// and above 0.
    pub const fn new(freq: f64, loop_bandwidth: f64, damping: f64) -> Result<Self, ConfigError> {
        let freq = match checked(freq, "freq") {
            Ok(freq) => from_cycles(freq),
            Err(error) => return Err(error),
        };
        match LoopFilter::new(loop_bandwidth, damping) {
            Ok(filter) => Ok(Self { filter, first: freq, freq, phase: 0 }),
            Err(error) => Err(error),
        }
    }

    /// The frequency of the loop's oscillator in cycles per sample, in `[-0.5, 0.5)`.
    #[must_use]
    pub fn freq(&self) -> f64 {
        self.freq.cast_signed() as f64 / 18_446_744_073_709_551_616.0
    }

    /// The phase of the loop's oscillator at the next sample in cycles, in `[0, 1)`.
    #[must_use]
    pub fn phase(&self) -> f64 {
        to_cycles(self.phase)
    }

    #[inline(always)]
    fn follow(&mut self, x: Complex<f32>) -> (Complex<f32>, f32) {
        let Complex { re: cos, im: sin } = phasor(self.phase);
        let signal = Complex::new(x.re * cos + x.im * sin, x.im * cos - x.re * sin);
        let angle = atan2(signal.im, signal.re);
        let error = if angle.is_nan() { 0.0 } else { angle };
        let cycles = f64::from(error) * (1.0 / TAU);
        self.freq = self.freq.wrapping_add(from_cycles(self.filter.integral * cycles));
        let correction = from_cycles(self.filter.proportional * cycles);
        self.phase = self.phase.wrapping_add(self.freq).wrapping_add(correction);
        (signal, error)
    }
}

impl Snapshot for Pll {
    fn kernel_id(&self) -> u32 {
        id::of(id::PLL, <Complex<f32> as Sample>::CODE, f32::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        // The frequency is state.
        self.filter.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        2 * size_of::<u64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.freq);
        to.u64(self.phase);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        (self.freq, self.phase) = (from.u64()?, from.u64()?);
        Some(())
    }
}

impl Kernel for Pll {
    fn reset(&mut self) {
        (self.freq, self.phase) = (self.first, 0);
    }
}

impl TwoOutput for Pll {
    type Input = Complex<f32>;
    type First = Complex<f32>;
    type Second = f32;

    fn steps(&mut self, x: &[Complex<f32>], out: (&mut [Complex<f32>], &mut [f32])) -> usize {
        let n = x.len().min(out.0.len()).min(out.1.len());
        for ((x, signal), error) in x.iter().zip(out.0).zip(out.1) {
            (*signal, *error) = self.follow(*x);
        }
        n
    }
}
