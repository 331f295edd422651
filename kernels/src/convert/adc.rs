//! A model of an analogue-to-digital converter.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::rounding::nearest;
use crate::sample::Float;
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;
use num_complex::Complex;

/// Samples that a converter can take: `f32`, `f64` and `Complex` of them.
pub trait Analog: Float {
    #[doc(hidden)]
    fn quantize(level: SimdLevel, steps: Steps, x: &[Self], out: &mut [Self]) -> u64;
}

/// The steps of a converter: their height, and how many there are below zero.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Steps {
    height: f64,
    below: f64,
}

/// A model of a converter of `bits` bits, `y[n] = q clip(round(x[n] / q))`.
///
/// A step is `q = full_scale / 2^(bits-1)` high, and codes are clipped to `-2^(bits-1)` and
/// `2^(bits-1) - 1`: inputs from `-full_scale` to one step and a half below `full_scale` are within
/// half a step of their outputs. Real and imaginary parts are converted each by itself.
///
/// * **Accuracy**: the nearest step, halves to the even one; the quotient and the output are rounded
///   once in double precision, and the output to the type of the sample. For an error that is evenly
///   spread, of variance `q^2 / 12`, the signal must cross many steps.
/// * **Clips** are counted since construction or [`reset`](Kernel::reset): every real number half a
///   step or more beyond the ends, infinite or NaN.
/// * **NaN and infinity**: NaN gives 0, infinities the ends.
/// * **Cost**: one division and about ten operations in double precision per real number; no
///   allocation.
///
/// B. Widrow and I. Kollár, *Quantization Noise*, Cambridge University Press, 2008.
///
/// ```
/// use passband_kernels::convert::Adc;
/// use passband_kernels::shape::Blockwise;
///
/// let mut adc = Adc::<f32>::new(3, 1.0)?;
/// let mut y = [0.0; 4];
/// assert_eq!(adc.steps(&[0.3, -0.3, 0.8, -2.0], &mut y), 4);
/// assert_eq!(y, [0.25, -0.25, 0.75, -1.0]);
/// assert_eq!(adc.clip_count(), 1);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adc<X> {
    level: SimdLevel,
    bits: u32,
    full_scale: f64,
    clips: u64,
    samples: PhantomData<X>,
}

impl<X: Analog> Adc<X> {
    /// A converter of `bits` bits, 1 to 32, for the best level of this CPU.
    ///
    /// # Errors
    /// A [`ConfigError`] for `bits` out of range, and for a `full_scale` that is not finite or below
    /// 1e-290.
    pub fn new(bits: u32, full_scale: f64) -> Result<Self, ConfigError> {
        Self::with_level(bits, full_scale, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub const fn with_level(bits: u32, full_scale: f64, level: SimdLevel) -> Result<Self, ConfigError> {
        if bits < 1 || bits > 32 {
            return Err(ConfigError { argument: "bits", expected: "1 to 32" });
        }
        // The least for steps that are normal numbers.
        if !(full_scale >= 1e-290 && full_scale.is_finite()) {
            return Err(ConfigError { argument: "full_scale", expected: "a finite number, at least 1e-290" });
        }
        Ok(Self { level, bits, full_scale, clips: 0, samples: PhantomData })
    }

    /// The real numbers that were clipped.
    #[must_use]
    pub const fn clip_count(&self) -> u64 {
        self.clips
    }
}

impl<X: Analog> Snapshot for Adc<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::ADC, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.bits.into());
        hash.sample(self.full_scale);
    }
    fn payload_len(&self) -> usize {
        8
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.clips);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.clips = from.count()?;
        Some(())
    }
}

impl<X: Analog> Kernel for Adc<X> {
    fn reset(&mut self) {
        self.clips = 0;
    }
}

impl<X: Analog> Blockwise for Adc<X> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        let below = (1u64 << (self.bits - 1)) as f64;
        let steps = Steps { height: self.full_scale / below, below };
        self.clips = self.clips.saturating_add(X::quantize(self.level, steps, x, out));
        x.len().min(out.len())
    }
}

/// Converts over the shorter length and counts the clips.
struct Quantize<'a, T> {
    steps: Steps,
    x: &'a [T],
    out: &'a mut [T],
}

macro_rules! analog {
    ($($t:ty)*) => {$(
        impl Body<f32> for Quantize<'_, $t> {
            type Output = u64;

            #[inline(always)]
            fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> u64 {
                let Steps { height, below } = self.steps;
                let mut clips = 0;
                for (y, x) in self.out.iter_mut().zip(self.x) {
                    let (code, within) = nearest::<f64, false>(f64::from(*x) / height, below);
                    *y = (f64::from(code) * height) as $t;
                    clips += u64::from(!within);
                }
                clips
            }
        }

        impl Analog for $t {
            fn quantize(level: SimdLevel, steps: Steps, x: &[Self], out: &mut [Self]) -> u64 {
                level.run::<f32, _>(Quantize { steps, x, out })
            }
        }

        impl Analog for Complex<$t> {
            fn quantize(level: SimdLevel, steps: Steps, x: &[Self], out: &mut [Self]) -> u64 {
                use crate::sample::Sample;
                <$t>::quantize(level, steps, Sample::components(x), Sample::components_mut(out))
            }
        }
    )*};
}
analog!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn convert(bits: u32, full_scale: f64, x: &[f64]) -> (Vec<f64>, u64) {
        let mut results = SimdLevel::available().map(|level| {
            let mut adc = Adc::with_level(bits, full_scale, level).unwrap();
            let mut y = x.to_vec();
            assert_eq!(adc.steps(x, &mut y), x.len());
            (y, adc.clip_count())
        });
        let first = results.next().unwrap();
        assert!(results.all(|result| result == first));
        first
    }

    #[test]
    fn ends_and_halves_are_those_of_the_formula() {
        let x = [2.5, 3.5, -2.5, 126.5, 127.49, 127.5, -128.5, -128.51, f64::INFINITY, f64::NAN];
        let y = [2.0, 4.0, -2.0, 126.0, 127.0, 127.0, -128.0, -128.0, 127.0, 0.0];
        assert_eq!(convert(8, 128.0, &x), (y.to_vec(), 4));
        assert_eq!(convert(1, 5.0, &[-9.0, -3.0, -1.0, 1.0, 9.0]).0, [-5.0, -5.0, 0.0, 0.0, 0.0]);
        let full = 2f64.powi(31);
        assert_eq!(convert(32, full, &[full, -full, 0.5, 1.5]), ([full - 1.0, -full, 0.0, 2.0].to_vec(), 1));
    }

    #[test]
    fn senseless_arguments_are_refused() {
        for (bits, full_scale, argument) in [
            (0, 1.0, "bits"),
            (33, 1.0, "bits"),
            (8, 0.0, "full_scale"),
            (8, -1.0, "full_scale"),
            (8, f64::NAN, "full_scale"),
            (8, f64::INFINITY, "full_scale"),
        ] {
            assert_eq!(Adc::<f32>::new(bits, full_scale).unwrap_err().argument, argument);
        }
    }

    #[test]
    fn the_noise_of_a_sine_is_a_twelfth_of_a_squared_step() {
        let n = if cfg!(miri) { 5000 } else { 100_000 };
        let x: Vec<f64> = (0..n).map(|i| 0.99 * (f64::from(i) * 0.618_034).sin()).collect();
        let (y, clips) = convert(10, 1.0, &x);
        let noise = x.iter().zip(&y).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / f64::from(n);
        assert_eq!(clips, 0);
        assert!((noise * 12.0 * 512f64.powi(2) - 1.0).abs() < 0.03, "{noise}");
    }
}
