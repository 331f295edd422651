//! Floating point to integer codes.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::Code;
use super::dither::Dither;
use crate::sample::Sample;
use crate::shape::{Blockwise, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// A converter to integer codes, `y[n] = round(full_scale x[n] + offset)`, half to even, saturated.
///
/// [`Code`] lists the offset and the full scale of each type. 1.0 is one code beyond the largest and
/// clips to it. Codes of `Complex` become interleaved `[I, Q, I, Q, ..]` without a copy by
/// `bytemuck::cast_slice`.
///
/// * **Accuracy**: exact, the nearest code of every number.
/// * **Dither**: with [`dithered`](Self::dithered), triangular noise of two codes' width (TPDF, from
///   -1 to 1 code, variance 1/6) is added before rounding, so that neither the mean nor the power
///   of the rounding error depends on the signal. Silence then gives codes from -1 to 1; without
///   dither it gives zeros.
/// * **Clips** are counted since construction or [`reset`](Kernel::reset): every real number
///   without a nearest code, that is half a code or more beyond the ends (with dither, after it is
///   added), infinite or NaN.
/// * **NaN and infinity**: NaN gives the code of zero, infinities saturate. Subnormals give the code
///   of zero, and of `Complex<u8>`, whose zero lies between two codes, the one on their side.
/// * **Cost**: about ten operations per real number, with dither about thirty in twice the width;
///   no allocation.
///
/// S. P. Lipshitz, R. A. Wannamaker and J. Vanderkooy, *Quantization and Dither: A Theoretical
/// Survey*, J. Audio Eng. Soc. 40 (1992), for the dither.
///
/// ```
/// use passband_kernels::convert::F32ToI16;
/// use passband_kernels::shape::Blockwise;
///
/// let mut converter = F32ToI16::new();
/// let mut codes = [0; 4];
/// assert_eq!(converter.steps(&[0.5, -1.0, 1.0, f32::NAN], &mut codes), 4);
/// assert_eq!(codes, [16384, -32768, 32767, 0]);
/// assert_eq!(converter.clip_count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct FloatToInt<Y> {
    level: SimdLevel,
    clips: u64,
    dither: Option<Dither>,
    codes: PhantomData<Y>,
}

/// A [`FloatToInt`] to unsigned bytes.
pub type F32ToU8 = FloatToInt<u8>;
/// A [`FloatToInt`] to signed bytes.
pub type F32ToI8 = FloatToInt<i8>;
/// A [`FloatToInt`] to 16-bit codes.
pub type F32ToI16 = FloatToInt<i16>;
/// A [`FloatToInt`] to 32-bit codes.
pub type F32ToI32 = FloatToInt<i32>;

impl<Y: Code> FloatToInt<Y> {
    /// A converter for the best level of this CPU.
    #[must_use]
    pub fn new() -> Self {
        Self::with_level(SimdLevel::best())
    }

    /// A converter for a level.
    #[must_use]
    pub const fn with_level(level: SimdLevel) -> Self {
        Self { level, clips: 0, dither: None, codes: PhantomData }
    }

    /// The same, with triangular noise from a seed added before rounding.
    ///
    /// The same seed gives the same codes on every level and target, and however the stream is cut.
    ///
    /// ```
    /// use passband_kernels::convert::F32ToI16;
    /// use passband_kernels::shape::Blockwise;
    ///
    /// let mut codes = [0; 1000];
    /// F32ToI16::new().dithered(7).steps(&[0.25 / 32768.0; 1000], &mut codes);
    /// let mean = codes.iter().map(|code| f32::from(*code)).sum::<f32>() / 1000.0;
    /// assert!((mean - 0.25).abs() < 0.05);
    /// ```
    #[must_use]
    pub const fn dithered(mut self, seed: u64) -> Self {
        self.dither = Some(Dither::new(seed));
        self
    }

    /// The real numbers that had no nearest code.
    #[must_use]
    pub const fn clip_count(&self) -> u64 {
        self.clips
    }
}

impl<Y: Code> Default for FloatToInt<Y> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Y: Code> Snapshot for FloatToInt<Y> {
    fn kernel_id(&self) -> u32 {
        id::of(id::FLOAT_TO_INT, Y::Value::CODE, Y::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        if let Some(dither) = self.dither {
            hash.u64(dither.seed);
        }
    }
    fn payload_len(&self) -> usize {
        if self.dither.is_some() { 16 } else { 8 }
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.clips);
        if let Some(dither) = self.dither {
            to.u64(dither.position);
        }
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let clips = from.count()?;
        if let Some(dither) = &mut self.dither {
            dither.position = from.count()?;
        }
        self.clips = clips;
        Some(())
    }
}

impl<Y: Code> Kernel for FloatToInt<Y> {
    fn reset(&mut self) {
        self.clips = 0;
        if let Some(dither) = &mut self.dither {
            dither.position = 0;
        }
    }
}

impl<Y: Code> Blockwise for FloatToInt<Y> {
    type Input = Y::Value;
    type Output = Y;

    fn steps(&mut self, x: &[Y::Value], out: &mut [Y]) -> usize {
        let n = x.len().min(out.len());
        let clips = match &mut self.dither {
            None => Y::from_float(self.level, x, out),
            Some(dither) => {
                let clips = Y::from_float_dithered(self.level, x, *dither, out);
                dither.position += (n * Y::COMPONENTS) as u64;
                clips
            }
        };
        self.clips = self.clips.saturating_add(clips);
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{FixedPoint, Q15};
    use crate::state::StateError;
    use num_complex::Complex;
    use std::vec;
    use std::vec::Vec;

    /// Codes and clips, the same at every level.
    fn convert(x: &[f32]) -> (Vec<i16>, u64) {
        let mut results = SimdLevel::available().map(|level| {
            let (mut converter, mut codes) = (F32ToI16::with_level(level), vec![1; x.len()]);
            assert_eq!(converter.steps(x, &mut codes), x.len());
            (codes, converter.clip_count())
        });
        let first = results.next().unwrap();
        assert!(results.all(|result| result == first));
        first
    }

    fn of_codes(x: &[f32]) -> (Vec<i16>, u64) {
        convert(&x.iter().map(|x| x / 32768.0).collect::<Vec<_>>())
    }

    #[test]
    fn halves_go_to_the_even_code() {
        assert_eq!(of_codes(&[0.5, 1.5, 2.5, -0.5, -1.5, -2.5]), (vec![0, 2, 2, 0, -2, -2], 0));
        assert_eq!(of_codes(&[0.499_999_97, 0.500_000_06]), (vec![0, 1], 0));
    }

    #[test]
    fn both_ends_saturate_and_only_what_has_no_nearest_code_is_counted() {
        assert_eq!(of_codes(&[32767.0, 32767.498, 32767.5, 32768.0]), (vec![32767; 4], 2));
        assert_eq!(of_codes(&[-32768.0, -32768.5, -32768.504, -40000.0]), (vec![-32768; 4], 2));
        let (most, inf) = (f32::MAX, f32::INFINITY);
        let codes = vec![32767, 32767, 32767, -32768, -32768];
        assert_eq!(convert(&[1.0, most, inf, -most, -inf]), (codes, 5));
    }

    #[test]
    fn nan_gives_zero_and_counts_and_subnormals_give_zero() {
        assert_eq!(convert(&[f32::NAN, -f32::NAN]), (vec![0, 0], 2));
        assert_eq!(convert(&[f32::from_bits(1), -f32::MIN_POSITIVE, -0.0]), (vec![0, 0, 0], 0));
    }

    #[test]
    fn every_quarter_of_a_code_agrees_with_fixed_point() {
        let x: Vec<f32> = (-140_000..140_000)
            .step_by(if cfg!(miri) { 501 } else { 1 })
            .map(|quarters| quarters as f32 / 131_072.0)
            .collect();
        let expected: Vec<i16> = x.iter().map(|x| Q15::from_f64((*x).into()).0).collect();
        assert_eq!(convert(&x).0, expected);
    }

    /// What a converter of codes `Y` gives for numbers of codes, the same at every level.
    fn codes_of<Y: Code<Value: From<f32>>>(codes: &[f32], full_scale: f32) -> (Vec<f64>, u64) {
        let x: Vec<Y::Value> = codes.iter().map(|code| (code / full_scale).into()).collect();
        let mut results = SimdLevel::available().map(|level| {
            let (mut converter, mut out) = (FloatToInt::<Y>::with_level(level), vec![Y::ZERO; x.len()]);
            assert_eq!(converter.steps(&x, &mut out), x.len());
            (out.iter().map(|y| y.parts()[0]).collect::<Vec<_>>(), converter.clip_count())
        });
        let first = results.next().unwrap();
        assert!(results.all(|result| result == first));
        first
    }

    #[test]
    fn bytes_have_their_zero_in_the_middle() {
        let x = [-129.0, -128.5, -128.0, -0.5, 0.0, 0.5, 1.5, 127.0, 127.5, f32::NAN];
        assert_eq!(
            codes_of::<u8>(&x, 128.0),
            (vec![0.0, 0.0, 0.0, 128.0, 128.0, 128.0, 130.0, 255.0, 255.0, 128.0], 3)
        );
        assert_eq!(
            codes_of::<i8>(&x, 128.0),
            (vec![-128.0, -128.0, -128.0, 0.0, 0.0, 0.0, 2.0, 127.0, 127.0, 0.0], 3)
        );
    }

    #[test]
    fn bytes_of_i_and_q_have_their_zero_between_two_codes() {
        let x = [-129.0, -128.0, -127.5, -1.0, -1e-30, 0.0, 1e-30, 1.0, 127.5, 127.75, 128.0, f32::NAN];
        let codes = [0.0, 0.0, 0.0, 126.0, 127.0, 128.0, 128.0, 128.0, 255.0, 255.0, 255.0, 128.0];
        // The imaginary parts are zeros, and none of them clips.
        assert_eq!(codes_of::<Complex<u8>>(&x, 128.0), (codes.to_vec(), 3));
    }

    #[test]
    fn long_codes_are_exact_at_full_scale() {
        let x = [0.5, 0.999_999_94, 1.0, -1.0, -1.000_000_1, 4.0, 1e10, -1e10, 3e38, f32::INFINITY];
        let (min, max) = (f64::from(i32::MIN), f64::from(i32::MAX));
        let codes = [max / 2.0 + 0.5, max - 127.0, max, min, min, max, max, min, max, max];
        assert_eq!(codes_of::<i32>(&x, 1.0), (codes.to_vec(), 7));
        let two_to_31 = 2_147_483_648.0;
        assert_eq!(codes_of::<i32>(&[0.5, 1.5, 2.5, -0.5], two_to_31), (vec![0.0, 2.0, 2.0, 0.0], 0));
    }

    #[test]
    fn silence_stays_silent_and_with_dither_has_codes_of_one() {
        let (x, mut plain, mut dithered) = (vec![0.0; 4096], vec![1; 4096], vec![0; 4096]);
        F32ToI16::new().steps(&x, &mut plain);
        assert_eq!(plain, vec![0; 4096]);
        F32ToI16::new().dithered(1).steps(&x, &mut dithered);
        // Of triangular noise an eighth rounds to either side.
        let share = |code: i16| dithered.iter().filter(|y| **y == code).count() as f64 / 4096.0;
        assert!((share(1) - 0.125).abs() < 0.02 && (share(-1) - 0.125).abs() < 0.02);
        assert_eq!(share(-1) + share(0) + share(1), 1.0);
    }

    #[test]
    fn a_dithered_snapshot_is_of_its_seed() {
        let snapshot = |converter: &F32ToI16| {
            let mut blob = vec![0; converter.save_len()];
            converter.save(&mut blob).unwrap();
            blob
        };
        let (mut one, mut other) = (F32ToI16::new().dithered(1), F32ToI16::new().dithered(2));
        assert_eq!(one.load(&snapshot(&other)), Err(StateError::Config));
        assert_eq!(one.load(&snapshot(&F32ToI16::new())), Err(StateError::Config));
        assert!(other.load(&snapshot(&F32ToI16::new().dithered(2))).is_ok());
    }

    #[test]
    fn clips_add_up_over_calls_until_reset() {
        let mut converter = F32ToI16::new();
        for _ in 0..3 {
            converter.steps(&vec![2.0; 5000], &mut vec![0; 5000]);
        }
        assert_eq!(converter.clip_count(), 15_000);
        converter.reset();
        assert_eq!(converter.clip_count(), 0);
    }
}
