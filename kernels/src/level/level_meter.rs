//! The levels of a block of samples.

pub use super::power_sum::Metered;
use super::power_sum::{LANES, PowerSums, total};
use crate::math::sqrt::root;
use crate::sample::Sample;
use crate::shape::{ConfigError, Field, Kernel, Measure, Record};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use bytemuck::{Pod, Zeroable};
use core::mem::offset_of;

/// The levels of a block, in units of its samples; of fixed point, in codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Level {
    /// The root of the mean of `|x|^2`.
    pub rms: f64,
    /// The largest `|x|`.
    pub peak: f64,
    /// `peak / rms`, 0 for silence.
    pub crest: f64,
    /// Samples of which a component is at full scale or beyond.
    pub clip_count: i64,
}

impl Record for Level {
    const FIELDS: &'static [Field] = &[
        Field { name: "rms", format: "f8", offset: offset_of!(Level, rms) },
        Field { name: "peak", format: "f8", offset: offset_of!(Level, peak) },
        Field { name: "crest", format: "f8", offset: offset_of!(Level, crest) },
        Field { name: "clip_count", format: "i8", offset: offset_of!(Level, clip_count) },
    ];
}

/// A meter of the levels of a block: root mean square, peak, crest factor and clipped samples.
///
/// Takes `f32`, `f64`, [`Q15`](crate::sample::Q15) and `Complex` of these, whose magnitude counts in
/// `rms` and `peak`. A sample is clipped when the magnitude of a component is at least `full_scale`;
/// of [`Q15`](crate::sample::Q15), 32767 counts both ends. Everything about an empty block is 0.
///
/// * **Accuracy**: floats are squared and summed in double precision, codes in integers without
///   rounding. `peak` is within 2e-16 of the exact value, relatively, `rms` and `crest` within
///   `(n / 16 + 20) * 1.2e-16` for `n` samples. Of `f64`, magnitudes above 1.3e154 overflow and
///   those below 1.5e-154 lose precision. The same bits at every level and on every target.
/// * **NaN** makes `rms` and `crest` NaN; it is no peak and not clipped. Infinity is a peak and
///   clipped; `crest` is NaN with it. Subnormals are computed as such.
/// * **Cost**: four operations per component; on a Cortex-M4 some 40 instructions per code, and 250
///   where double precision is software. No allocation.
///
/// ```
/// use passband_kernels::level::{Level, LevelMeter};
/// use passband_kernels::shape::Measure;
///
/// let mut meter = LevelMeter::<f32>::new(1.0)?;
/// let level = meter.measure(&[0.5, -1.0, 0.5, 0.0, -0.5, 0.5]);
/// assert_eq!(level.peak, 1.0);
/// assert_eq!(level.clip_count, 1);
/// assert!((level.rms - (2.0f64 / 6.0).sqrt()).abs() < 1e-15);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelMeter<X: Metered> {
    full_scale: X::Component,
    level: SimdLevel,
}

impl<X: Metered> LevelMeter<X> {
    /// A meter for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `full_scale` is finite and above 0.
    pub fn new(full_scale: X::Component) -> Result<Self, ConfigError> {
        Self::with_level(full_scale, SimdLevel::best())
    }

    /// A meter for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `full_scale` is finite and above 0.
    pub fn with_level(full_scale: X::Component, level: SimdLevel) -> Result<Self, ConfigError> {
        let [value, _] = full_scale.parts();
        if value > 0.0 && value.is_finite() {
            Ok(Self { full_scale, level })
        } else {
            Err(ConfigError { argument: "full_scale", expected: "a finite number above 0" })
        }
    }
}

impl<X: Metered> Snapshot for LevelMeter<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::LEVEL_METER, X::CODE, 0)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.full_scale);
    }
    fn payload_len(&self) -> usize {
        0
    }
    fn write(&self, _: &mut Writer<'_>) {
        // No block depends on another.
    }
    fn read(&mut self, _: &mut Reader<'_>) -> Option<()> {
        Some(())
    }
}

impl<X: Metered> Kernel for LevelMeter<X> {
    fn reset(&mut self) {
        // No block depends on another.
    }
}

impl<X: Metered> Measure for LevelMeter<X> {
    type Input = X;
    type Record = Level;

    fn measure(&mut self, x: &[X]) -> Level {
        let Totals { power, peak, clipped } =
            self.level.run::<f32, _>(Block { full_scale: self.full_scale, x });
        let rms = root(power / x.len().max(1) as f64);
        let peak = root(peak);
        let crest = if rms == 0.0 { 0.0 } else { peak / rms };
        Level { rms, peak, crest, clip_count: clipped as i64 }
    }
}

/// The sum and the largest of the powers, and how many samples are clipped.
struct Totals {
    power: f64,
    peak: f64,
    clipped: u64,
}

struct Block<'a, X: Metered> {
    full_scale: X::Component,
    x: &'a [X],
}

impl<X: Metered> Body<f32> for Block<'_, X> {
    type Output = Totals;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> Totals {
        let (blocks, tail) = self.x.as_chunks::<LANES>();
        let mut counts = Counts::<X>::default();
        for block in blocks {
            counts.add(self.full_scale, block);
        }
        counts.add(self.full_scale, tail);
        let zero = X::Power::default();
        let peak = counts.peaks.iter().fold(zero, |peak, p| if *p > peak { *p } else { peak });
        let clipped = counts.clipped.iter().sum();
        Totals { power: total::<X>(&counts.sums), peak: X::to_f64(peak), clipped }
    }
}

/// What is counted, sample `n` in lane `n mod 16`.
struct Counts<X: Metered> {
    sums: PowerSums<X>,
    peaks: PowerSums<X>,
    clipped: [u64; LANES],
}

impl<X: Metered> Default for Counts<X> {
    fn default() -> Self {
        let zeros = [X::Power::default(); LANES];
        Self { sums: zeros, peaks: zeros, clipped: [0; LANES] }
    }
}

impl<X: Metered> Counts<X> {
    /// Adds up to sixteen samples.
    #[inline(always)]
    fn add(&mut self, full_scale: X::Component, x: &[X]) {
        let Self { sums, peaks, clipped } = self;
        for (((sum, peak), clipped), x) in sums.iter_mut().zip(peaks).zip(clipped).zip(x) {
            let power = x.power();
            *sum = *sum + power;
            *peak = if power > *peak { power } else { *peak };
            *clipped += u64::from(x.reaches(full_scale));
        }
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::sample::Q15;
    use num_complex::Complex;
    std::vec![
        case::<f32>(0.75, 5e-16, 344.0),
        case::<f64>(0.75, 5e-16, 348.0),
        case::<Complex<f32>>(0.75, 3e-16, 355.0),
        case::<Complex<f64>>(0.75, 3e-16, 360.0),
        case::<Q15>(Q15(30_000), 0.0, f64::INFINITY),
        case::<Complex<Q15>>(Q15(30_000), 0.0, f64::INFINITY),
    ]
}

#[cfg(feature = "testing")]
fn case<X: Metered + crate::testing::Random>(
    full_scale: X::Component,
    max_error: f64,
    snr_db: f64,
) -> crate::testing::Case {
    use crate::testing::{About, convolve, measure};
    let about = About {
        family: "level",
        kernel: "LevelMeter",
        summary: "root mean square, peak, crest factor and clipped samples of a block",
        variant: X::NAME.into(),
        max_error,
        snr_db,
        flops: 4.0 * X::COMPONENTS as f64,
        bytes: size_of::<X>() as f64,
        benched: true,
    };
    let reference = move |x: &[X]| {
        let parts: std::vec::Vec<[f64; 2]> = x.iter().map(|x| x.parts()).collect();
        // The last output of the components filtered by themselves, reversed.
        let components = parts.concat();
        let reversed: std::vec::Vec<f64> = components.iter().rev().copied().collect();
        let power = convolve(&reversed, &components, 1).pop().unwrap_or(0.0);
        let rms = (power / x.len().max(1) as f64).sqrt();
        let peak = parts.iter().map(|[re, im]| re.mul_add(*re, im * im).sqrt()).fold(0.0, f64::max);
        let [limit, _] = full_scale.parts();
        let clipped = parts.iter().filter(|parts| parts.iter().any(|part| part.abs() >= limit)).count();
        std::vec![rms, peak, if x.is_empty() { 0.0 } else { peak / rms }, clipped as f64]
    };
    measure(about, move |level| LevelMeter::<X>::with_level(full_scale, level).expect("positive"), reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Q15;
    use num_complex::Complex;

    fn level<X: Metered>(full_scale: X::Component, x: &[X]) -> Level {
        LevelMeter::new(full_scale).unwrap().measure(x)
    }

    #[test]
    fn small_codes_keep_their_level() {
        let twenties = Level { rms: 20.0, peak: 20.0, crest: 1.0, clip_count: 0 };
        assert_eq!(level(Q15(32767), &[Q15(20), Q15(-20), Q15(20), Q15(20)]), twenties);
        let diagonal = level(Q15(32767), &[Complex::new(Q15(256), Q15(256))]);
        assert!((diagonal.peak - 362.038_671_967_512_4).abs() < 1e-12 && diagonal.crest == 1.0);
        let ends = level(Q15(32767), &[Q15(32767), Q15(-32768), Q15(-32767), Q15(32766)]);
        assert_eq!((ends.peak, ends.clip_count), (32768.0, 3));
    }

    #[test]
    fn silence_and_nothing_have_no_crest() {
        assert_eq!(level(1.0, &[0.0f32; 40]), Level::default());
        assert_eq!(level::<f64>(1.0, &[]), Level::default());
    }

    #[test]
    fn a_sample_is_clipped_once_whichever_of_its_components_is() {
        let x = [(1.0f32, 0.0), (0.0, -1.0), (2.0, 2.0), (0.999, -0.999)];
        let x = x.map(|(re, im)| Complex::new(re, im));
        assert_eq!(level(1.0f32, &x).clip_count, 3);
        assert_eq!(level(0.7, &[0.7f32]).clip_count, 1, "full scale is rounded as samples are");
    }

    #[test]
    fn nan_is_no_peak_and_infinity_is_one() {
        let nan = level(1.0, &[0.5f32, f32::NAN, -0.75]);
        assert!(nan.rms.is_nan() && nan.crest.is_nan());
        assert_eq!((nan.peak, nan.clip_count), (0.75, 0));
        let infinite = level(1.0, &[0.5f32, f32::NEG_INFINITY]);
        assert_eq!((infinite.rms, infinite.peak, infinite.clip_count), (f64::INFINITY, f64::INFINITY, 1));
        assert!(infinite.crest.is_nan());
    }

    #[test]
    fn full_scales_that_make_no_sense_are_refused() {
        for full_scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(LevelMeter::<f32>::new(full_scale).map(|_| ()).unwrap_err().argument, "full_scale");
        }
        assert_eq!(LevelMeter::<Q15>::new(Q15(0)).map(|_| ()).unwrap_err().argument, "full_scale");
    }
}
