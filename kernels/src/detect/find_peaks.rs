//! Peaks of an array, as `scipy.signal.find_peaks` finds them.

mod candidates;
#[cfg(feature = "testing")]
mod cases;
mod distance;
mod prominence;
mod scratch;
#[cfg(all(test, feature = "testing"))]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{ConfigError, Field, Record};
use crate::simd::SimdLevel;
use bytemuck::{Pod, Zeroable};
use candidates::Candidates;
use core::mem::offset_of;

/// A peak of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Peak {
    /// The place in the array; of a plateau its middle, rounded down.
    pub index: i64,
    /// The sample there.
    pub height: f64,
    /// By how much the peak stands above the higher of its two bases.
    pub prominence: f64,
    /// The width in samples at `rel_height` of the prominence below the top, interpolated.
    pub width: f64,
}

impl Record for Peak {
    const FIELDS: &'static [Field] = &[
        Field { name: "index", format: "i8", offset: offset_of!(Peak, index) },
        Field { name: "height", format: "f8", offset: offset_of!(Peak, height) },
        Field { name: "prominence", format: "f8", offset: offset_of!(Peak, prominence) },
        Field { name: "width", format: "f8", offset: offset_of!(Peak, width) },
    ];
}

/// What a peak has to fulfil; the conditions of [`new`](Self::new) let every peak pass.
#[derive(Clone, Copy, Debug)]
pub struct PeakConditions {
    height: Limits,
    threshold: Limits,
    distance: u64,
    prominence: Limits,
    width: Limits,
    /// How far from a peak its bases are looked for.
    reach: usize,
    rel_height: f64,
}

/// A smallest and a largest value, both allowed; infinite ones are no condition.
#[derive(Clone, Copy, Debug)]
struct Limits {
    min: f64,
    max: f64,
}

impl Limits {
    const NONE: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY };

    fn allow_min(self, value: f64) -> bool {
        self.min <= value || self.min == f64::NEG_INFINITY
    }

    fn allow_max(self, value: f64) -> bool {
        value <= self.max || self.max == f64::INFINITY
    }

    fn allow(self, value: f64) -> bool {
        self.allow_min(value) && self.allow_max(value)
    }
}

impl Default for PeakConditions {
    fn default() -> Self {
        Self::new()
    }
}

impl PeakConditions {
    /// No conditions; widths at half the prominence.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            height: Limits::NONE,
            threshold: Limits::NONE,
            distance: 1,
            prominence: Limits::NONE,
            width: Limits::NONE,
            reach: usize::MAX,
            rel_height: 0.5,
        }
    }

    /// Heights from `min` to `max`; an infinite limit is none, here and in the other conditions.
    #[must_use]
    pub const fn height(self, min: f64, max: f64) -> Self {
        Self { height: Limits { min, max }, ..self }
    }

    /// The smaller of the vertical distances to the two neighbouring samples is at least `min`, the
    /// larger at most `max`.
    #[must_use]
    pub const fn threshold(self, min: f64, max: f64) -> Self {
        Self { threshold: Limits { min, max }, ..self }
    }

    /// Peaks are at least `samples` apart; lower ones go first, of equal ones the earlier.
    ///
    /// # Errors
    /// [`ConfigError`] when `samples` is 0.
    pub const fn distance(self, samples: u64) -> Result<Self, ConfigError> {
        if samples == 0 {
            return Err(ConfigError { argument: "distance", expected: "at least 1 sample" });
        }
        Ok(Self { distance: samples, ..self })
    }

    /// Prominences from `min` to `max`.
    #[must_use]
    pub const fn prominence(self, min: f64, max: f64) -> Self {
        Self { prominence: Limits { min, max }, ..self }
    }

    /// Widths from `min` to `max` samples.
    #[must_use]
    pub const fn width(self, min: f64, max: f64) -> Self {
        Self { width: Limits { min, max }, ..self }
    }

    /// Bases are looked for in the `samples` around a peak only, rounded up to an odd number.
    ///
    /// # Errors
    /// [`ConfigError`] when `samples` is below 2.
    pub const fn wlen(self, samples: usize) -> Result<Self, ConfigError> {
        if samples < 2 {
            return Err(ConfigError { argument: "wlen", expected: "at least 2 samples" });
        }
        Ok(Self { reach: samples / 2, ..self })
    }

    /// Widths are measured at `rel_height` times the prominence below the top.
    ///
    /// # Errors
    /// [`ConfigError`] unless `rel_height >= 0`.
    pub const fn rel_height(self, rel_height: f64) -> Result<Self, ConfigError> {
        if rel_height >= 0.0 {
            Ok(Self { rel_height, ..self })
        } else {
            Err(ConfigError { argument: "rel_height", expected: "a number of at least 0" })
        }
    }
}

/// The most peaks that `n` samples can have, `(n - 1) / 2`.
#[must_use]
pub const fn max_peaks(n: usize) -> usize {
    n.saturating_sub(1) / 2
}

/// Finds the peaks of an array that fulfil all conditions, and returns how many.
///
/// A peak is one sample, or several equal ones, with a lower sample on either side; the first and the
/// last sample are none. The conditions are those of `scipy.signal.find_peaks`, applied in its order:
/// height, threshold, distance, prominence, width. Prominence and width are in every record.
///
/// `out` is also what the search works in: with room for [`max_peaks`] of `x.len()` there is always
/// enough. With less, only the first peaks that fulfil height and threshold count, as many as fit. What
/// lies past the returned number is arbitrary.
///
/// * **Accuracy**: computed in double precision with SciPy's formulas, to the bit. The same records at
///   every level and on every target.
/// * **NaN** is no peak, nor is a sample beside it, and bases are not looked for beyond it. Infinite
///   samples may be peaks; their prominence is infinite or NaN.
/// * **Cost**: a pass over `x`, two over the peaks and the samples around them, and for `distance` a
///   sort of the peaks; only with `wlen` may a pass look at `wlen` samples for each peak. No
///   allocation.
///
/// P. Virtanen et al., *SciPy 1.0: fundamental algorithms for scientific computing in Python*, Nature
/// Methods 17 (2020).
///
/// ```
/// use passband_kernels::detect::{Peak, PeakConditions, find_peaks};
///
/// let x = [0.0f32, 2.0, 1.0, 4.0, 4.0, 1.0, 3.0, 2.0];
/// let mut out = [Peak::default(); 3];
/// let conditions = PeakConditions::new().prominence(1.5, f64::INFINITY);
/// assert_eq!(find_peaks(&x, &conditions, &mut out), 1);
/// assert_eq!(out[0], Peak { index: 3, height: 4.0, prominence: 3.0, width: 2.0 });
/// ```
pub fn find_peaks<T>(x: &[T], conditions: &PeakConditions, out: &mut [Peak]) -> usize
where
    T: Sample + PartialOrd + Into<f64>,
{
    find_peaks_with(SimdLevel::best(), x, conditions, out)
}

/// [`find_peaks`] at a level.
pub fn find_peaks_with<T>(level: SimdLevel, x: &[T], conditions: &PeakConditions, out: &mut [Peak]) -> usize
where
    T: Sample + PartialOrd + Into<f64>,
{
    let found = level.run::<f32, _>(Candidates { x, conditions, out: &mut *out });
    let peaks = out.get_mut(..found).unwrap_or_default();
    let apart = distance::select(peaks, conditions.distance);
    let peaks = peaks.get_mut(..apart).unwrap_or_default();
    prominence::measure(x, conditions, peaks)
}

/// The sample at `index`; NaN, which compares with nothing, outside of the array.
#[inline(always)]
fn at<T: Copy + Into<f64>>(x: &[T], index: usize) -> f64 {
    x.get(index).map_or(f64::NAN, |x| (*x).into())
}
