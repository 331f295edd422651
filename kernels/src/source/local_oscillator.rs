//! A complex oscillator at a settable frequency.

use super::rotor::{Rotor, over_rotor};
use crate::sample::Sample;
use crate::shape::Generator;
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::id;
use num_complex::Complex;

/// A complex oscillator, `y[n] = e^(j 2 pi (phase + n freq))`.
///
/// The phase is kept in 64 bits, so that it is still exact after days, and a retune never jumps
/// it. Frequencies are in cycles per sample and may be any finite number (whole cycles drop out);
/// phases are in cycles.
///
/// * **Accuracy**: each component is within 3e-7 of the exact value, whatever n. No operation is
///   fused, so every level and target gives the same bits.
/// * **Cost**: four operations per sample; a table of 1 KiB, recomputed by a retune (64 phasors).
///   No allocation.
///
/// J. Tierney, C. M. Rader and B. Gold, *A Digital Frequency Synthesizer*, IEEE Trans. Audio
/// Electroacoust. 19 (1971).
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::LocalOscillator;
///
/// let mut oscillator = LocalOscillator::new(0.25, 0.0)?;
/// let mut y = [Default::default(); 4];
/// oscillator.generate(&mut y);
/// assert_eq!(y.map(|y| (y.re, y.im)), [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LocalOscillator {
    level: SimdLevel,
    rotor: Rotor,
}

over_rotor!(LocalOscillator, id::of(id::LOCAL_OSCILLATOR, 0, Complex::<f32>::CODE), "An oscillator of");

impl Generator for LocalOscillator {
    type Output = Complex<f32>;

    fn generate(&mut self, out: &mut [Complex<f32>]) {
        self.level.run(Generate { rotor: &mut self.rotor, out });
    }
}

struct Generate<'a> {
    rotor: &'a mut Rotor,
    out: &'a mut [Complex<f32>],
}

impl Body<f32> for Generate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        self.rotor.blocks(self.out, |phasors, out| {
            for (y, p) in Sample::components_mut(out).iter_mut().zip(phasors.components()) {
                *y = p;
            }
        });
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::testing::{About, generator};
    const FREQ: f64 = -0.123_456_789;
    const PHASE: f64 = 0.3;
    let about = About {
        family: "source",
        kernel: "LocalOscillator",
        summary: "complex oscillator at a settable frequency",
        variant: "complex64".into(),
        max_error: 2.1e-7,
        snr_db: 140.0,
        flops: 6.0,
        bytes: 8.0,
        benched: true,
    };
    let make = |level| LocalOscillator::with_level(FREQ, PHASE, level).expect("finite");
    let reference = |n: usize| {
        let sample = |i: usize| {
            let (sin, cos) = ((PHASE + i as f64 * FREQ).fract() * core::f64::consts::TAU).sin_cos();
            [cos, sin]
        };
        (0..n).flat_map(sample).collect()
    };
    std::vec![generator(about, make, reference)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    fn at(oscillator: &mut LocalOscillator, n: usize) -> Complex<f32> {
        let mut out = vec![Complex::default(); n];
        oscillator.generate(&mut out);
        Generator::step(oscillator)
    }

    #[test]
    fn a_retune_continues_the_phase() {
        let mut oscillator = LocalOscillator::new(0.1, 0.0).unwrap();
        at(&mut oscillator, 99);
        let phase = oscillator.phase();
        oscillator.set_freq(-0.37).unwrap();
        assert_eq!(oscillator.phase(), phase);
        assert!((oscillator.freq() + 0.37).abs() < 1e-15);
        let y = Generator::step(&mut oscillator);
        let (sin, cos) = (phase * core::f64::consts::TAU).sin_cos();
        assert!((f64::from(y.re) - cos).abs() < 3e-7 && (f64::from(y.im) - sin).abs() < 3e-7);
    }

    #[test]
    fn errors_are_within_their_bound_at_any_frequency_and_any_time() {
        let mut rng = crate::testing::Rng::new(11);
        let mut worst = 0.0f64;
        for _ in 0..if cfg!(miri) { 1 } else { 400 } {
            let (freq, phase) = (rng.unit(), rng.unit());
            let mut oscillator = LocalOscillator::new(freq, phase).unwrap();
            let mut out = [Complex::default(); 640];
            // A retune to the same frequency starts a new grid at an odd place.
            oscillator.generate(&mut out[..rng.below(640)]);
            oscillator.set_freq(freq).unwrap();
            let start = oscillator.phase();
            oscillator.generate(&mut out);
            for (n, y) in out.iter().enumerate() {
                let angle = (start + n as f64 * freq).fract() * core::f64::consts::TAU;
                worst = worst
                    .max((f64::from(y.re) - angle.cos()).abs())
                    .max((f64::from(y.im) - angle.sin()).abs());
            }
        }
        assert!(worst < 3e-7, "{worst:e}");
        assert!(cfg!(miri) || worst > 1.5e-7, "a bound of twice what is measured: {worst:e}");
    }

    #[test]
    fn whole_cycles_drop_out_and_nonsense_is_refused() {
        let mut whole = LocalOscillator::new(3.0, 0.0).unwrap();
        assert_eq!(at(&mut whole, 200), Complex::new(1.0, 0.0));
        for (freq, phase, argument) in [(f64::NAN, 0.0, "freq"), (0.1, f64::INFINITY, "phase")] {
            assert_eq!(LocalOscillator::new(freq, phase).unwrap_err().argument, argument);
        }
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let run = |level| {
            let mut out = vec![Complex::default(); 200];
            LocalOscillator::with_level(0.1234, 0.5, level).unwrap().generate(&mut out);
            out
        };
        let scalar = run(SimdLevel::SCALAR);
        assert!(SimdLevel::available().all(|level| run(level) == scalar));
    }
}
