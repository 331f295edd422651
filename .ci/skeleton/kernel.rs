//! The scaled difference between neighbouring samples.

#[cfg(feature = "testing")]
mod cases;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{Blockwise, ConfigError, Kernel};
use crate::simd::{Body, Lanes, Lanes16, SimdLevel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A differentiator, `y[n] = gain (x[n] - x[n - 1])` with `x[-1] = 0`.
///
/// * **Accuracy**: two roundings, an output is within `1.2e-7 |gain|` for samples in `[-1, 1]`. The
///   same bits at every level and on every target.
/// * **NaN and infinity** reach the two outputs that they meet. Subnormals are computed as such.
/// * **Delay**: half a sample, [`GROUP_DELAY`](Self::GROUP_DELAY).
/// * **Cost**: two operations per sample; no allocation.
///
/// A. V. Oppenheim and R. W. Schafer, *Discrete-Time Signal Processing*, 3rd ed., section 2.4.
///
/// ```
/// use passband_kernels::shape::Blockwise;
/// use passband_kernels::skeletons::Skeleton;
///
/// let mut kernel = Skeleton::new(2.0)?;
/// let mut y = [0.0; 3];
/// assert_eq!(kernel.steps(&[1.0, 4.0, 4.5], &mut y), 3);
/// assert_eq!(y, [2.0, 6.0, 1.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skeleton {
    gain: f32,
    level: SimdLevel,
    previous: f32,
}

impl Skeleton {
    /// The delay in samples: an output is the slope between two samples.
    pub const GROUP_DELAY: f64 = 0.5;

    /// A kernel for the best level of this CPU; `gain` scales the difference of two samples.
    ///
    /// # Errors
    /// [`ConfigError`] when `gain` is not finite.
    pub fn new(gain: f32) -> Result<Self, ConfigError> {
        Self::with_level(gain, SimdLevel::best())
    }

    /// A kernel for a level.
    ///
    /// # Errors
    /// [`ConfigError`] when `gain` is not finite.
    pub const fn with_level(gain: f32, level: SimdLevel) -> Result<Self, ConfigError> {
        if !gain.is_finite() {
            return Err(ConfigError { argument: "gain", expected: "a finite number" });
        }
        Ok(Self { gain, level, previous: 0.0 })
    }
}

impl Snapshot for Skeleton {
    fn kernel_id(&self) -> u32 {
        id::of(id::SKELETON, f32::CODE, f32::CODE)
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

impl Kernel for Skeleton {
    fn reset(&mut self) {
        self.previous = 0.0;
    }
}

impl Blockwise for Skeleton {
    type Input = f32;
    type Output = f32;

    fn steps(&mut self, x: &[f32], out: &mut [f32]) -> usize {
        let n = x.len().min(out.len());
        let x = x.get(..n).unwrap_or(x);
        self.level.run::<f32, _>(Differences { gain: self.gain, previous: self.previous, x, out });
        if let Some(last) = x.last() {
            self.previous = *last;
        }
        n
    }
}

struct Differences<'a> {
    gain: f32,
    previous: f32,
    x: &'a [f32],
    out: &'a mut [f32],
}

impl Body<f32> for Differences<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let Self { gain, previous, x, out } = self;
        let (Some(first), Some((y, out))) = (x.first(), out.split_first_mut()) else { return };
        *y = gain * (first - previous);
        for (y, [from, to]) in out.iter_mut().zip(x.array_windows()) {
            *y = gain * (to - from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_has_its_slope() {
        let x = [0.0, 0.5, 1.0, 1.5];
        let mut y = [f32::NAN; 4];
        assert_eq!(Skeleton::new(4.0).unwrap().steps(&x, &mut y), 4);
        assert_eq!(y, [0.0, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn nan_reaches_the_two_outputs_that_it_meets() {
        let mut x = [1.0; 40];
        x[17] = f32::NAN;
        let mut y = [0.0; 40];
        Skeleton::new(1.0).unwrap().steps(&x, &mut y);
        assert!(y.iter().enumerate().all(|(n, y)| y.is_nan() == (n == 17 || n == 18)));
    }

    #[test]
    fn the_gain_must_be_finite() {
        for gain in [f32::NAN, f32::INFINITY] {
            assert_eq!(Skeleton::new(gain).map(|_| ()).map_err(|error| error.argument), Err("gain"));
        }
    }
}
