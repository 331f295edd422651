//! Shifting a spectrum.

use super::rotor::{Rotor, over_rotor};
use crate::sample::Sample;
use crate::shape::{Blockwise, InPlace};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::id;
use num_complex::Complex;

/// Shifts a spectrum up by `freq`, `y[n] = x[n] e^(j 2 pi (phase + n freq))`.
///
/// The same oscillator as [`LocalOscillator`](super::LocalOscillator), multiplied in, with an
/// in-place form. Frequencies are in cycles per sample, phases in cycles.
///
/// * **Accuracy**: each component is within 3.5e-7 times `|x[n]|` of the exact value, whatever n. No
///   operation is fused, so every level and target gives the same bits.
/// * **NaN and infinity** reach the output of their own sample only; a component times the other's
///   infinity may be NaN, as IEEE arithmetic says. Subnormals are computed as such.
/// * **Delay**: none.
/// * **Cost**: ten operations per sample; a table of 1 KiB, recomputed by a retune. No allocation.
///
/// ```
/// use num_complex::Complex;
/// use passband_kernels::shape::InPlace;
/// use passband_kernels::source::Mixer;
///
/// let mut mixer = Mixer::new(0.25, 0.0)?;
/// let mut x = [Complex::new(1.0, 2.0); 2];
/// mixer.steps_in_place(&mut x);
/// assert_eq!(x, [Complex::new(1.0, 2.0), Complex::new(-2.0, 1.0)]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mixer {
    level: SimdLevel,
    rotor: Rotor,
}

over_rotor!(Mixer, id::of(id::MIXER, Complex::<f32>::CODE, Complex::<f32>::CODE), "A shift by");

impl Blockwise for Mixer {
    type Input = Complex<f32>;
    type Output = Complex<f32>;

    fn steps(&mut self, x: &[Complex<f32>], out: &mut [Complex<f32>]) -> usize {
        let n = x.len().min(out.len());
        let out = out.get_mut(..n).unwrap_or(&mut []);
        self.level.run(Mix { rotor: &mut self.rotor, x, out });
        n
    }
}

impl InPlace for Mixer {
    fn steps_in_place(&mut self, io: &mut [Complex<f32>]) {
        self.level.run(MixInPlace { rotor: &mut self.rotor, io });
    }
}

/// A sample that times a phasor is a sample of type `Y`.
pub trait Mixed<Y>: Sample {
    #[doc(hidden)]
    fn times(self, phasor: [f32; 2]) -> Y;
}

impl Mixed<Self> for Complex<f32> {
    #[inline(always)]
    fn times(self, [c, d]: [f32; 2]) -> Self {
        Self::new(self.re * c - self.im * d, self.re * d + self.im * c)
    }
}

impl Mixed<Complex<Self>> for f32 {
    #[inline(always)]
    fn times(self, [c, d]: [f32; 2]) -> Complex<Self> {
        Complex::new(self * c, self * d)
    }
}

/// The real part.
impl Mixed<f32> for Complex<f32> {
    #[inline(always)]
    fn times(self, [c, d]: [f32; 2]) -> f32 {
        self.re * c - self.im * d
    }
}

pub(super) struct Mix<'a, X, Y> {
    pub(super) rotor: &'a mut Rotor,
    pub(super) x: &'a [X],
    pub(super) out: &'a mut [Y],
}

impl<X: Mixed<Y>, Y> Body<f32> for Mix<'_, X, Y> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let mut rest = self.x;
        self.rotor.blocks(self.out, |phasors, out| {
            let (x, later) = rest.split_at_checked(out.len()).unwrap_or((rest, &[]));
            rest = later;
            for ((x, p), y) in x.iter().zip(phasors.pairs()).zip(out) {
                *y = x.times(p);
            }
        });
    }
}

struct MixInPlace<'a> {
    rotor: &'a mut Rotor,
    io: &'a mut [Complex<f32>],
}

impl Body<f32> for MixInPlace<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        self.rotor.blocks(self.io, |phasors, io| {
            for (x, p) in io.iter_mut().zip(phasors.pairs()) {
                *x = x.times(p);
            }
        });
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::testing::{About, in_place};
    const FREQ: f64 = 0.234_567_891;
    const PHASE: f64 = 0.7;
    let about = About {
        family: "source",
        kernel: "Mixer",
        summary: "shift of the spectrum by a settable frequency",
        variant: "complex64".into(),
        max_error: 3.0e-7,
        snr_db: 140.0,
        flops: 12.0,
        bytes: 16.0,
        benched: true,
    };
    let make = |level| Mixer::with_level(FREQ, PHASE, level).expect("finite");
    let reference = |x: &[Complex<f32>]| {
        let sample = |(i, x): (usize, &Complex<f32>)| {
            let angle = (PHASE + i as f64 * FREQ).fract() * core::f64::consts::TAU;
            let (sin, cos) = angle.sin_cos();
            let y = Complex::new(f64::from(x.re), f64::from(x.im)) * Complex::new(cos, sin);
            [y.re, y.im]
        };
        x.iter().enumerate().flat_map(sample).collect()
    };
    std::vec![in_place(about, make, reference)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_sample_spoils_no_other_at_any_level_nor_in_place() {
        let spoilt = |y: &[Complex<f32>]| {
            let mut finite = y.iter().map(|y| y.re.is_finite() && y.im.is_finite()).enumerate();
            finite.all(|(i, finite)| finite == (i != 100))
        };
        for level in SimdLevel::available() {
            for bad in [f32::NAN, f32::INFINITY] {
                let mut x = [Complex::new(1.0, 0.0); 200];
                x[100] = Complex::new(bad, 0.0);
                let mut y = [Complex::default(); 200];
                let mixer = Mixer::with_level(0.3, 0.0, level).unwrap();
                mixer.clone().steps(&x, &mut y);
                mixer.clone().steps_in_place(&mut x);
                assert!(spoilt(&y) && spoilt(&x), "{level}, {bad}");
            }
        }
    }

    #[test]
    fn errors_are_within_their_bound_at_any_frequency() {
        let mut rng = crate::testing::Rng::new(12);
        let mut worst = 0.0f64;
        for _ in 0..if cfg!(miri) { 1 } else { 400 } {
            let (freq, phase) = (rng.unit(), rng.unit());
            let x = crate::testing::signal::<Complex<f32>>(rng.bits(), 640);
            let mut y = [Complex::default(); 640];
            Mixer::new(freq, phase).unwrap().steps(&x, &mut y);
            for (n, (x, y)) in x.iter().zip(&y).enumerate() {
                let (sin, cos) = ((phase + n as f64 * freq).fract() * core::f64::consts::TAU).sin_cos();
                let (a, b) = (f64::from(x.re), f64::from(x.im));
                let error = (a * cos - b * sin - f64::from(y.re))
                    .abs()
                    .max((a * sin + b * cos - f64::from(y.im)).abs());
                worst = worst.max(error / (a * a + b * b).sqrt());
            }
        }
        assert!(worst < 3.5e-7, "{worst:e}");
        assert!(cfg!(miri) || worst > 1.75e-7, "a bound of twice what is measured: {worst:e}");
    }
}
