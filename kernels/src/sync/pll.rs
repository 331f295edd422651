//! A loop that follows a carrier.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::loop_filter::LoopFilter;
use crate::math::atan2::atan2_cycles;
use crate::sample::Sample;
use crate::shape::{ConfigError, Kernel, TwoOutput};
use crate::source::phase::{CYCLE, checked, from_cycles, phasor, to_cycles, to_signed_cycles};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
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
///   own `signal` is NaN. All other samples have their true angle, whatever their size.
/// * **Delay**: none.
/// * **Cost**: about 80 operations per sample, of which some ten, in integers, wait for the sample
///   before; no allocation.
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
    integral: Gain,
    proportional: Gain,
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
            Ok(filter) => {
                let (integral, proportional) = (Gain::new(filter.integral), Gain::new(filter.proportional));
                Ok(Self { filter, integral, proportional, first: freq, freq, phase: 0 })
            }
            Err(error) => Err(error),
        }
    }

    /// The frequency of the loop's oscillator in cycles per sample, in `[-0.5, 0.5)`.
    #[must_use]
    pub fn freq(&self) -> f64 {
        to_signed_cycles(self.freq)
    }

    /// The phase of the loop's oscillator at the next sample in cycles, in `[0, 1)`.
    #[must_use]
    pub fn phase(&self) -> f64 {
        to_cycles(self.phase)
    }

    /// Follows at most a block of samples.
    ///
    /// The angle of a derotated sample is that of the sample less the phase, so that only two
    /// multiplications wait for the sample before; the angles before and the phasors after run side by
    /// side.
    #[inline(always)]
    fn follow(&mut self, x: &[Complex<f32>], signal: &mut [Complex<f32>], error: &mut [f32]) {
        let mut angles = [0; BLOCK];
        for (angle, x) in angles.iter_mut().zip(x) {
            *angle = atan2_cycles(x.im, x.re);
        }
        let mut phases = [0; BLOCK];
        for (((phase, angle), x), error) in phases.iter_mut().zip(angles).zip(x).zip(error) {
            // Zero, NaN and infinity have no angle.
            let has_angle = x.re.is_finite() && x.im.is_finite() && *x != Complex::ZERO;
            let off = if has_angle { angle.wrapping_sub(self.phase).cast_signed() } else { 0 };
            *phase = self.phase;
            self.freq = self.freq.wrapping_add(self.integral.times(off));
            let correction = self.proportional.times(off);
            self.phase = self.phase.wrapping_add(self.freq).wrapping_add(correction);
            *error = off as f32 * RADIANS;
        }
        for ((signal, x), phase) in signal.iter_mut().zip(x).zip(phases) {
            let Complex { re: cos, im: sin } = phasor(phase);
            *signal = Complex::new(x.re * cos + x.im * sin, x.im * cos - x.re * sin);
        }
    }
}

/// Samples whose angles are computed side by side.
const BLOCK: usize = 64;

/// Radians in 2^-64 cycles.
const RADIANS: f32 = core::f32::consts::TAU / CYCLE as f32;

/// A gain below 4 as a fixed-point number, so that the loop is exact and needs no `f64` unit.
#[derive(Clone, Copy, Debug)]
struct Gain(i64);

impl Gain {
    const BITS: u32 = 61;

    const fn new(gain: f64) -> Self {
        Self((gain * (1u64 << Self::BITS) as f64) as i64)
    }

    /// The gain times a phase, modulo a cycle.
    #[inline(always)]
    const fn times(self, phase: i64) -> u64 {
        ((self.0 as i128 * phase as i128) >> Self::BITS) as u64
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
        let x = x.get(..n).unwrap_or_default().chunks(BLOCK);
        let signal = out.0.get_mut(..n).unwrap_or_default().chunks_mut(BLOCK);
        let error = out.1.get_mut(..n).unwrap_or_default().chunks_mut(BLOCK);
        for ((x, signal), error) in x.zip(signal).zip(error) {
            self.follow(x, signal, error);
        }
        n
    }
}
