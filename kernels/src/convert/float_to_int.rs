//! Floating point to integer codes.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{Blockwise, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A converter to 16-bit codes, `y[n] = round(32768 x[n])`, half to even, saturated.
///
/// 1.0 is one code beyond the largest, 32767, and clips to it.
///
/// * **Accuracy**: exact.
/// * **Clips** are counted since construction or [`reset`](Kernel::reset): every sample without a
///   nearest code, that is at or above 32767.5/32768, below -32768.5/32768, infinite or NaN.
/// * **NaN and infinity**: NaN gives 0, infinities saturate. Subnormals give 0.
/// * **Cost**: about ten operations per sample, no allocation.
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
pub struct F32ToI16 {
    level: SimdLevel,
    clips: u64,
}

impl F32ToI16 {
    /// A converter for the best level of this CPU.
    #[must_use]
    pub fn new() -> Self {
        Self::with_level(SimdLevel::best())
    }

    /// A converter for a level.
    #[must_use]
    pub const fn with_level(level: SimdLevel) -> Self {
        Self { level, clips: 0 }
    }

    /// The samples that had no nearest code.
    #[must_use]
    pub const fn clip_count(&self) -> u64 {
        self.clips
    }
}

impl Default for F32ToI16 {
    fn default() -> Self {
        Self::new()
    }
}

impl Snapshot for F32ToI16 {
    fn kernel_id(&self) -> u32 {
        id::of(id::FLOAT_TO_INT, f32::CODE, i16::CODE)
    }
    fn fingerprint(&self, _: &mut Fingerprint) {}
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

impl Kernel for F32ToI16 {
    fn reset(&mut self) {
        self.clips = 0;
    }
}

impl Blockwise for F32ToI16 {
    type Input = f32;
    type Output = i16;

    fn steps(&mut self, x: &[f32], out: &mut [i16]) -> usize {
        let n = x.len().min(out.len());
        self.clips = self.clips.saturating_add(self.level.run::<f32, _>(Convert { x, out }));
        n
    }
}

/// Converts over the shorter length and counts the clips.
struct Convert<'a> {
    x: &'a [f32],
    out: &'a mut [i16],
}

impl Body<f32> for Convert<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> u64 {
        /// Few enough for a count in the lanes of a vector of `f32`.
        const BLOCK: usize = 1 << 12;
        let mut clips = 0;
        for (x, out) in self.x.chunks(BLOCK).zip(self.out.chunks_mut(BLOCK)) {
            let mut count = 0u32;
            for (y, x) in out.iter_mut().zip(x) {
                let scaled = x * 32768.0;
                let near = (-32768.5..32767.5).contains(&scaled);
                *y = round(scaled);
                count += u32::from(!near);
            }
            clips += u64::from(count);
        }
        clips
    }
}

#[inline(always)]
fn round(x: f32) -> i16 {
    // Around 1.5 * 2^23 floats are a whole number apart, so that adding rounds half to even, and
    // the low bits of the sum are the code in two's complement.
    const WHOLE: f32 = 12_582_912.0;
    let x = if x.is_nan() { 0.0 } else { x };
    let x = if x < 32767.0 { x } else { 32767.0 };
    let x = if x > -32768.0 { x } else { -32768.0 };
    (x + WHOLE).to_bits() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{FixedPoint, Q15};
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
