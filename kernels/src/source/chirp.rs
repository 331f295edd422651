//! A linear sweep.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::phase::{checked, from_cycles_wide, phasor, to_cycles, to_signed_cycles};
use crate::sample::Sample;
use crate::shape::{ConfigError, Generator, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use num_complex::Complex;

/// A sweep whose frequency grows by `rate` per sample, `y[n] = e^(j 2 pi (phase + n freq + n^2 rate / 2))`.
///
/// Frequencies are in cycles per sample and rates in cycles per sample squared, any finite numbers.
/// A sweep goes on past half the sample rate as its alias; a reset begins it again.
///
/// * **Accuracy**: phase, frequency and rate are kept in 128 bits, so that nothing that `f64` holds
///   from 2^-74 on is lost, and their sums are exact however long the stream. Each component is
///   within 1.3e-7 of the exact value. No operation is fused, so every level and target gives the
///   same bits.
/// * **Cost**: two additions of 128 bits and 30 operations per sample; no allocation.
///
/// M. I. Skolnik, *Radar Handbook*, 3rd ed., chapter 8.
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::Chirp;
///
/// let mut chirp = Chirp::new(0.0, 0.5, 0.0)?;
/// let mut y = [Default::default(); 4];
/// chirp.generate(&mut y);
/// assert_eq!(y.map(|y| (y.re, y.im)), [(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chirp {
    level: SimdLevel,
    rate: f64,
    first: Sweep,
    next: Sweep,
}

/// In units of 2^-128 cycles.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    phase: u128,
    /// From this phase to the next.
    increment: u128,
    /// From this increment to the next.
    rate: u128,
}

impl Chirp {
    /// A sweep that starts at `phase` cycles, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a frequency, rate or phase that is not finite.
    pub fn new(freq: f64, rate: f64, phase: f64) -> Result<Self, ConfigError> {
        Self::with_level(freq, rate, phase, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a frequency, rate or phase that is not finite.
    pub fn with_level(freq: f64, rate: f64, phase: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        let [freq, rate, phase] = [checked(freq, "freq")?, checked(rate, "rate")?, checked(phase, "phase")?];
        let first = Sweep {
            phase: from_cycles_wide(phase),
            // In the middle between two samples, half a rate on.
            increment: from_cycles_wide(freq).wrapping_add(from_cycles_wide(0.5 * rate)),
            rate: from_cycles_wide(rate),
        };
        Ok(Self { level, rate, first, next: first })
    }

    /// The frequency at the next sample in cycles per sample, in `[-0.5, 0.5)`.
    #[must_use]
    pub fn freq(&self) -> f64 {
        let Sweep { increment, .. } = self.next;
        to_signed_cycles((increment.wrapping_sub(from_cycles_wide(0.5 * self.rate)) >> 64) as u64)
    }

    /// The phase of the next sample in cycles, in `[0, 1)`.
    #[must_use]
    pub fn phase(&self) -> f64 {
        to_cycles((self.next.phase >> 64) as u64)
    }
}

impl Snapshot for Chirp {
    fn kernel_id(&self) -> u32 {
        id::of(id::CHIRP, 0, Complex::<f32>::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        // Frequency and phase are state.
        hash.sample(self.rate);
    }
    fn payload_len(&self) -> usize {
        4 * size_of::<u64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        for number in [self.next.phase, self.next.increment] {
            to.u64(number as u64);
            to.u64((number >> 64) as u64);
        }
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let mut number = || Some(u128::from(from.u64()?) | u128::from(from.u64()?) << 64);
        self.next = Sweep { phase: number()?, increment: number()?, ..self.next };
        Some(())
    }
}

impl Kernel for Chirp {
    fn reset(&mut self) {
        self.next = self.first;
    }
}

impl Generator for Chirp {
    type Output = Complex<f32>;

    fn generate(&mut self, out: &mut [Complex<f32>]) {
        self.level.run(Generate { sweep: &mut self.next, out });
    }
}

struct Generate<'a> {
    sweep: &'a mut Sweep,
    out: &'a mut [Complex<f32>],
}

/// Samples whose phases are computed in one go.
const BLOCK: usize = 64;

impl Body<f32> for Generate<'_> {
    type Output = ();

    /// Two loops over each block: sums, and phasors, which vectorise.
    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let (outs, last) = self.out.as_chunks_mut::<BLOCK>();
        for out in outs {
            self.sweep.fill(out);
        }
        self.sweep.fill(last);
    }
}

impl Sweep {
    #[inline(always)]
    fn fill(&mut self, out: &mut [Complex<f32>]) {
        // The upper quarters are all that a phasor takes.
        let mut phases = [0; BLOCK];
        for phase in phases.iter_mut().take(out.len()) {
            *phase = (self.phase >> 96) as u32;
            self.phase = self.phase.wrapping_add(self.increment);
            self.increment = self.increment.wrapping_add(self.rate);
        }
        for (y, phase) in out.iter_mut().zip(&phases) {
            *y = phasor(u64::from(*phase) << 32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn phases_are_exact_after_ten_million_samples() {
        let n = if cfg!(miri) { 1000u32 } else { 10_000_000 };
        for (freq, rate) in [(0.1, 1e-9), (-0.3, -1.0 / 3.0), (0.0, 1e-21)] {
            let mut chirp = Chirp::new(freq, rate, 0.25).unwrap();
            chirp.generate(&mut vec![Complex::default(); n as usize]);
            // Mantissas are whole numbers of 2^-128 cycles; half of the rate is counted n^2 times.
            let n = u128::from(n);
            let exact = from_cycles_wide(0.25)
                .wrapping_add(from_cycles_wide(freq).wrapping_mul(n))
                .wrapping_add(from_cycles_wide(0.5 * rate).wrapping_mul(n * n));
            assert_eq!(chirp.next.phase, exact);
            assert!(chirp.phase() - (exact >> 64) as f64 / crate::source::phase::CYCLE < 1e-15);
        }
    }

    #[test]
    fn the_frequency_grows_by_the_rate_and_wraps_into_its_alias() {
        let mut chirp = Chirp::new(0.25, 1.0 / 1024.0, 0.0).unwrap();
        assert_eq!(chirp.freq(), 0.25);
        chirp.generate(&mut [Complex::default(); 200]);
        assert_eq!(chirp.freq(), 0.25 + 200.0 / 1024.0);
        chirp.generate(&mut [Complex::default(); 100]);
        assert_eq!(chirp.freq(), 0.25 + 300.0 / 1024.0 - 1.0);
        chirp.reset();
        assert_eq!(chirp.freq(), 0.25);
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        let refused = |freq, rate, phase| Chirp::new(freq, rate, phase).map(|_| ()).unwrap_err().argument;
        assert_eq!(refused(f64::NAN, 0.0, 0.0), "freq");
        assert_eq!(refused(0.0, f64::INFINITY, 0.0), "rate");
        assert_eq!(refused(0.0, 0.0, f64::NEG_INFINITY), "phase");
    }
}
