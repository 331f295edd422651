//! An oscillator whose frequency is an input.

use super::phase::{checked, from_cycles, phasor, to_cycles};
use crate::sample::Sample;
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;
use num_complex::Complex;

/// A sample type that frequencies come in: `f32` and `f64`.
pub trait Frequency: Sample + Into<f64> {}

impl Frequency for f32 {}
impl Frequency for f64 {}

/// A numerically controlled oscillator, `y[n] = e^(j 2 pi (phase + sum_{k < n} f[k]))`.
///
/// Each input is the frequency in cycles per sample by which the phase advances after its output:
/// any number, negative ones turning backwards and whole cycles dropping out. The phase is kept in
/// 64 bits.
///
/// * **Accuracy**: frequencies are rounded to 2^-64, so that nothing that `f32` or, from 2^-12 on,
///   `f64` can hold is lost, and their sum is exact however long the stream. Each component is
///   within 1.3e-7 of the exact value. No operation is fused, so every level and target gives the
///   same bits.
/// * **NaN and infinity** as a frequency count as 0: the phase stays, and all outputs are finite.
/// * **Delay**: none; a frequency shows in the output after its own.
/// * **Cost**: about 35 operations per sample; no allocation.
///
/// J. Tierney, C. M. Rader and B. Gold, *A Digital Frequency Synthesizer*, IEEE Trans. Audio
/// Electroacoust. 19 (1971).
///
/// ```
/// use passband_kernels::shape::Blockwise;
/// use passband_kernels::source::Nco;
///
/// let mut nco = Nco::new(0.0)?;
/// let mut y = [Default::default(); 4];
/// nco.steps(&[0.25f32, 0.5, -0.25, 1.0], &mut y);
/// assert_eq!(y.map(|y| (y.re, y.im)), [(1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (-1.0, 0.0)]);
/// assert_eq!(nco.phase(), 0.5);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nco<F> {
    level: SimdLevel,
    /// The phase to reset to.
    first: u64,
    /// The phase of the next output.
    phase: u64,
    input: PhantomData<F>,
}

impl<F: Frequency> Nco<F> {
    /// An oscillator that starts at `phase` cycles, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a phase that is not finite.
    pub fn new(phase: f64) -> Result<Self, ConfigError> {
        Self::with_level(phase, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// [`ConfigError`] for a phase that is not finite.
    pub const fn with_level(phase: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        match checked(phase, "phase") {
            Ok(phase) => {
                let phase = from_cycles(phase);
                Ok(Self { level, first: phase, phase, input: PhantomData })
            }
            Err(error) => Err(error),
        }
    }

    /// The phase of the next output in cycles, in `[0, 1)`.
    #[must_use]
    pub fn phase(&self) -> f64 {
        to_cycles(self.phase)
    }

    /// Makes `phase` cycles the phase of the next output; a reset still goes to the constructor's.
    ///
    /// # Errors
    /// [`ConfigError`] for a phase that is not finite; nothing changes.
    pub fn set_phase(&mut self, phase: f64) -> Result<(), ConfigError> {
        self.phase = from_cycles(checked(phase, "phase")?);
        Ok(())
    }
}

impl<F: Frequency> Snapshot for Nco<F> {
    fn kernel_id(&self) -> u32 {
        id::of(id::NCO, F::CODE, <Complex<f32> as Sample>::CODE)
    }
    fn fingerprint(&self, _: &mut Fingerprint) {
        // The phase is state.
    }
    fn payload_len(&self) -> usize {
        size_of::<u64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.phase);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.phase = from.u64()?;
        Some(())
    }
}

impl<F: Frequency> Kernel for Nco<F> {
    fn reset(&mut self) {
        self.phase = self.first;
    }
}

impl<F: Frequency> Blockwise for Nco<F> {
    type Input = F;
    type Output = Complex<f32>;

    fn steps(&mut self, x: &[F], out: &mut [Complex<f32>]) -> usize {
        let n = x.len().min(out.len());
        let (freqs, out) = (x.get(..n).unwrap_or(x), out.get_mut(..n).unwrap_or_default());
        self.level.run(Turn { phase: &mut self.phase, freqs, out });
        n
    }
}

struct Turn<'a, F> {
    phase: &'a mut u64,
    freqs: &'a [F],
    out: &'a mut [Complex<f32>],
}

/// Samples whose phases are computed in one go.
const BLOCK: usize = 64;

impl<F: Frequency> Body<f32> for Turn<'_, F> {
    type Output = ();

    /// Three loops over each block: the first and the last vectorise, between them is the sum.
    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let (freqs, last_freqs) = self.freqs.as_chunks::<BLOCK>();
        let (outs, last_outs) = self.out.as_chunks_mut::<BLOCK>();
        for (freqs, out) in freqs.iter().zip(outs) {
            turn(self.phase, freqs, out);
        }
        turn(self.phase, last_freqs, last_outs);
    }
}

#[inline(always)]
fn turn<F: Frequency>(next: &mut u64, freqs: &[F], out: &mut [Complex<f32>]) {
    let (mut increments, mut phases) = ([0; BLOCK], [0; BLOCK]);
    for (increment, freq) in increments.iter_mut().zip(freqs) {
        *increment = from_cycles((*freq).into());
    }
    // The upper halves are all that a phasor takes, and twice as many fit a vector.
    for (phase, increment) in phases.iter_mut().zip(&increments).take(out.len()) {
        *phase = (*next >> 32) as u32;
        *next = next.wrapping_add(*increment);
    }
    for (y, phase) in out.iter_mut().zip(&phases) {
        *y = phasor(u64::from(*phase) << 32);
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    std::vec![case::<f32>(), case::<f64>()]
}

#[cfg(feature = "testing")]
fn case<F: Frequency + crate::testing::Random>() -> crate::testing::Case {
    use crate::testing::{About, blockwise};
    const PHASE: f64 = 0.3;
    let about = About {
        family: "source",
        kernel: "Nco",
        summary: "complex oscillator with a frequency per sample",
        variant: F::NAME.into(),
        max_error: 1.3e-7,
        snr_db: 145.0,
        flops: 35.0,
        bytes: (size_of::<F>() + 8) as f64,
        benched: true,
    };
    let make = |level| Nco::<F>::with_level(PHASE, level).expect("finite");
    let reference = |x: &[F]| {
        let mut phase = PHASE;
        let sample = |freq: &F| {
            let (sin, cos) = (phase * core::f64::consts::TAU).sin_cos();
            phase = (phase + (*freq).into()).fract();
            [cos, sin]
        };
        x.iter().flat_map(sample).collect()
    };
    blockwise(about, make, reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::phase::CYCLE;
    use std::vec;
    use std::vec::Vec;

    fn run<F: Frequency>(nco: &mut Nco<F>, freqs: &[F]) -> Vec<Complex<f32>> {
        let mut out = vec![Complex::new(f32::NAN, f32::NAN); freqs.len()];
        assert_eq!(nco.steps(freqs, &mut out), freqs.len());
        out
    }

    #[test]
    fn the_phase_is_exact_after_a_hundred_million_samples() {
        const TURNS: i64 = 1000;
        let n = if cfg!(miri) { 1 } else { 100_000 };
        for freq in [0.1, -3.0 / 7.0] {
            let mut nco = Nco::new(0.25).unwrap();
            let freqs = [freq; TURNS as usize];
            let mut out = [Complex::default(); TURNS as usize];
            (0..n).for_each(|_| assert_eq!(nco.steps(&freqs, &mut out), freqs.len()));
            let units = |cycles: f64| (cycles * CYCLE) as i128;
            let exact = i128::from(n * TURNS) * units(freq) + units(0.25);
            assert_eq!(nco.phase, exact as u64);
        }
    }

    #[test]
    fn whole_turns_and_what_is_not_a_frequency_leave_the_phase() {
        let whole = [1.0f32, -1.0, 3e9, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -f32::MAX];
        let mut nco = Nco::new(0.25).unwrap();
        assert!(run(&mut nco, &whole.repeat(20)).iter().all(|y| (y.re, y.im) == (0.0, 1.0)));
        assert_eq!(nco.phase(), 0.25);
        run(&mut nco, &[-0.5f32]);
        assert_eq!(nco.phase(), 0.75);
    }

    #[test]
    fn a_phase_can_be_set_until_a_reset_and_must_be_finite() {
        let mut nco = Nco::<f32>::new(-0.25).unwrap();
        assert_eq!(nco.phase(), 0.75);
        nco.set_phase(5.5).unwrap();
        assert_eq!(run(&mut nco, &[0.125]), [Complex::new(-1.0, 0.0)]);
        assert_eq!(nco.set_phase(f64::NAN).unwrap_err().argument, "phase");
        assert_eq!(nco.phase(), 0.625);
        nco.reset();
        assert_eq!(nco.phase(), 0.75);
        assert!(Nco::<f64>::new(f64::INFINITY).is_err());
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let freqs = crate::testing::signal::<f64>(5, 200);
        let at = |level| run(&mut Nco::with_level(0.1, level).unwrap(), &freqs);
        let scalar = at(SimdLevel::SCALAR);
        assert!(SimdLevel::available().all(|level| at(level) == scalar));
    }
}
