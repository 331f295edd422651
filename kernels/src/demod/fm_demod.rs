//! Frequency demodulation by the angle between neighbouring samples.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::math::atan2::atan2;
use crate::sample::Sample;
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use num_complex::Complex;

/// A frequency demodulator, `y[n] = gain * arg(x[n] conj x[n - 1])` with `x[-1] = 0`.
///
/// With `gain` 1 outputs are in radians per sample, in `[-pi, pi]`; with `fs / tau` in Hz, with
/// `fs / (tau * deviation)` in units of the peak deviation of the transmitter.
///
/// * **Zero**: where either sample is zero the output is zero, also for negative zeros.
/// * **Accuracy**: within 4e-7 radians, times `gain`, for samples of magnitudes from 1e-37 to 4e37
///   in any mixture, since one of the two is first scaled by a power of two. Smaller ones lose
///   precision as subnormals do; larger ones may give a multiple of pi/2 or NaN. The same bits at
///   every level and on every target.
/// * **NaN and infinity** give NaN in the two outputs that they meet. Subnormals are computed as
///   such.
/// * **Delay**: half a sample, [`GROUP_DELAY`](Self::GROUP_DELAY).
/// * **Cost**: about 60 operations per sample, one of them a division; no allocation.
///
/// R. G. Lyons, *Understanding Digital Signal Processing*, 3rd ed., section 13.22.
///
/// ```
/// use core::f32::consts::FRAC_PI_2;
/// use num_complex::Complex;
/// use passband_kernels::demod::FmDemod;
/// use passband_kernels::shape::Blockwise;
///
/// let (one, j) = (Complex::ONE, Complex::I);
/// let mut fm = FmDemod::new(1.0)?;
/// let mut y = [0.0; 4];
/// assert_eq!(fm.steps(&[Complex::ZERO, one, j, one], &mut y), 4);
/// assert_eq!(y, [0.0, 0.0, FRAC_PI_2, -FRAC_PI_2]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FmDemod {
    gain: f32,
    level: SimdLevel,
    previous: Complex<f32>,
}

impl FmDemod {
    /// The delay in samples: an output is the mean frequency between two samples.
    pub const GROUP_DELAY: f64 = 0.5;

    /// A demodulator for the best level of this CPU; `gain` scales radians per sample.
    ///
    /// # Errors
    /// [`ConfigError`] when `gain` is not finite.
    pub fn new(gain: f32) -> Result<Self, ConfigError> {
        Self::with_level(gain, SimdLevel::best())
    }

    /// A demodulator for a level.
    ///
    /// # Errors
    /// [`ConfigError`] when `gain` is not finite.
    pub const fn with_level(gain: f32, level: SimdLevel) -> Result<Self, ConfigError> {
        if !gain.is_finite() {
            return Err(ConfigError { argument: "gain", expected: "a finite number" });
        }
        Ok(Self { gain, level, previous: Complex::new(0.0, 0.0) })
    }
}

impl Snapshot for FmDemod {
    fn kernel_id(&self) -> u32 {
        id::of(id::FM_DEMOD, <Complex<f32> as Sample>::CODE, f32::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.gain);
    }
    fn payload_len(&self) -> usize {
        size_of_val(&self.previous)
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(&[self.previous]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.previous = from.sample()?;
        Some(())
    }
}

impl Kernel for FmDemod {
    fn reset(&mut self) {
        self.previous = Complex::ZERO;
    }
}

impl Blockwise for FmDemod {
    type Input = Complex<f32>;
    type Output = f32;

    fn steps(&mut self, x: &[Complex<f32>], out: &mut [f32]) -> usize {
        let n = x.len().min(out.len());
        let x = x.get(..n).unwrap_or(x);
        self.level.run::<f32, _>(Angles { gain: self.gain, previous: self.previous, x, out });
        if let Some(last) = x.last() {
            self.previous = *last;
        }
        n
    }
}

struct Angles<'a> {
    gain: f32,
    previous: Complex<f32>,
    x: &'a [Complex<f32>],
    out: &'a mut [f32],
}

impl Body<f32> for Angles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let Self { gain, previous, x, out } = self;
        let (Some(first), Some((y, out))) = (x.first(), out.split_first_mut()) else { return };
        *y = gain * angle_between(previous, *first);
        for (y, [from, to]) in out.iter_mut().zip(x.array_windows()) {
            *y = gain * angle_between(*from, *to);
        }
    }
}

/// `arg(to conj from)`.
#[inline(always)]
fn angle_between(from: Complex<f32>, to: Complex<f32>) -> f32 {
    let scale = below_one_half(from);
    let (re, im) = (from.re * scale, from.im * scale);
    atan2(to.im * re - to.re * im, to.re * re + to.im * im)
}

/// A power of two that takes the larger part of `x` into `[1/4, 1/2)`.
#[inline(always)]
fn below_one_half(x: Complex<f32>) -> f32 {
    let exponent = |part: f32| (part.to_bits() & 0xff << 23).cast_signed();
    let larger = exponent(x.re).max(exponent(x.im));
    f32::from_bits(((252 << 23) - larger.min(251 << 23)).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;
    use core::f64::consts::TAU;
    use std::vec;
    use std::vec::Vec;

    fn demodulate(x: &[Complex<f32>]) -> Vec<f32> {
        let mut y = vec![f32::NAN; x.len()];
        assert_eq!(FmDemod::new(1.0).unwrap().steps(x, &mut y), x.len());
        y
    }

    fn phasor(cycles: f64) -> Complex<f32> {
        let (im, re) = (TAU * cycles).sin_cos();
        Complex::new(re as f32, im as f32)
    }

    #[test]
    fn silence_has_the_angle_zero_whatever_its_signs() {
        let x = [0.0, 0.0, 1.0].map(Complex::from);
        let x: Vec<_> = x.into_iter().chain([Complex::I, Complex::ZERO, -Complex::ONE]).collect();
        assert_eq!(demodulate(&x), [0.0, 0.0, 0.0, FRAC_PI_2, 0.0, 0.0]);
        let zeros = [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (0.0, 0.0)].map(|(re, im)| Complex::new(re, im));
        let x: Vec<_> = zeros.iter().flat_map(|zero| [*zero, -Complex::ONE, *zero, -Complex::I]).collect();
        assert!(demodulate(&x).iter().all(|y| *y == 0.0));
    }

    #[test]
    fn an_output_is_the_frequency_half_a_sample_ago() {
        // The phase a n^2 has the frequency 2 a t in cycles at time t.
        let a = 1e-4;
        let x: Vec<_> = (0..2000).map(|n| phasor(a * f64::from(n * n))).collect();
        for (n, y) in demodulate(&x).into_iter().enumerate().skip(1) {
            let frequency = 2.0 * a * (n as f64 - FmDemod::GROUP_DELAY);
            assert!((f64::from(y) - TAU * frequency).abs() < 5e-7);
        }
    }

    #[test]
    fn the_gain_scales_and_must_be_finite() {
        let mut y = [0.0; 2];
        FmDemod::new(-3.0).unwrap().steps(&[Complex::ONE, Complex::I], &mut y);
        assert_eq!(y, [0.0, -3.0 * FRAC_PI_2]);
        for gain in [f32::NAN, f32::INFINITY] {
            assert_eq!(FmDemod::new(gain).map(|_| ()).map_err(|error| error.argument), Err("gain"));
        }
    }

    #[test]
    fn samples_of_very_different_sizes_keep_their_angle() {
        let sizes = [1.0, 4e37, 1e-37, 4e37, 4e37, 1e-37, 1e-37, 1.0];
        let x: Vec<_> = sizes.iter().enumerate().map(|(n, size)| phasor(0.1 * n as f64) * size).collect();
        for y in &demodulate(&x)[1..] {
            assert!((f64::from(*y) - 0.1 * TAU).abs() < 4e-7, "{y}");
        }
    }

    #[test]
    fn nan_and_infinity_reach_the_two_outputs_that_they_meet() {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for (at, value) in [1, 20, 35].into_iter().zip(bad) {
            for fault in [Complex::new(value, 0.5), Complex::new(-0.5, value), Complex::new(value, value)] {
                let mut x: Vec<_> = (0..40).map(|n| phasor(0.03 * f64::from(n))).collect();
                x[at] = fault;
                let y = demodulate(&x);
                assert!((0..40).all(|n| y[n].is_nan() == (n == at || n == at + 1)));
            }
        }
    }
}
