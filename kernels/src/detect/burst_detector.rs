//! Bursts: where the power of a stream is above a threshold.

#[cfg(feature = "testing")]
mod cases;
mod machine;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Sample;
use crate::shape::{ConfigError, Detector, Field, Kernel, Progress, Record};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use core::mem::offset_of;
use machine::{Machine, Rules, Scan};
use num_complex::Complex;

/// A burst: samples `start..stop` since the start of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Burst {
    /// The first sample at or above the `on` threshold.
    pub start: i64,
    /// One past the last sample at or above the `off` threshold.
    pub stop: i64,
    /// The largest power.
    pub peak: f32,
    /// The mean power.
    pub mean_power: f32,
}

impl Record for Burst {
    const FIELDS: &'static [Field] = &[
        Field { name: "start", format: "i8", offset: offset_of!(Burst, start) },
        Field { name: "stop", format: "i8", offset: offset_of!(Burst, stop) },
        Field { name: "peak", format: "f4", offset: offset_of!(Burst, peak) },
        Field { name: "mean_power", format: "f4", offset: offset_of!(Burst, mean_power) },
    ];
}

/// A sample type with a power: `f32` and `Complex<f32>`.
pub trait Power: Sample {
    #[doc(hidden)]
    fn scan(level: SimdLevel, rules: Rules, machine: &mut Machine, x: &[Self], out: &mut [Burst])
    -> Progress;
}

macro_rules! powers {
    ($($x:ty)*) => {$(
        impl Power for $x {
            fn scan(
                level: SimdLevel,
                rules: Rules,
                machine: &mut Machine,
                x: &[$x],
                out: &mut [Burst],
            ) -> Progress {
                level.run(Scan { rules, machine, x, out })
            }
        }
    )*};
}
powers!(f32 Complex<f32>);

/// A detector of bursts of power, `p[n] = |x[n]|^2`.
///
/// A burst opens at the first sample with `p >= on`. It ends when more than `hang` samples in a
/// row have `p < off`, and is reported then if it is at least `min_length` samples long from its
/// first sample to the last one at or above `off`. Thresholds are linear powers, `hang` and
/// `min_length` samples. Peak and mean are those of the samples of the record, gaps of up to
/// `hang` samples within it included, the hang after it excluded.
///
/// * **Accuracy**: indices and the peak are exact for powers as `f32`; the mean is within 1e-7 of
///   that of those powers, relatively, for bursts of any length. The same bits at every level and
///   on every target. Powers above 3.4e38 are infinite, those below 1.2e-38 lose precision.
/// * **NaN** counts as below both thresholds; within a burst it makes the mean NaN, not the peak.
///   Infinity is a power like others.
/// * **Ends**: a burst may be open at the end of the stream; [`flush`](Detector::flush) reports it;
///   what comes then is a new stream that starts at index 0.
/// * **Cost**: some 4 operations per sample outside of bursts, 12 inside; no allocation.
///
/// ```
/// use passband_kernels::detect::{Burst, BurstDetector};
/// use passband_kernels::shape::{Detector, Progress};
///
/// let mut detector = BurstDetector::new(1.0, 0.25, 1, 2)?;
/// let mut out = [Burst::default(); 2];
/// let x = [0.0f32, 1.0, 0.5, 0.1, 2.0, 0.0, 0.0];
/// assert_eq!(detector.detect(&x, &mut out), Progress { consumed: 7, produced: 1 });
/// assert_eq!((out[0].start, out[0].stop, out[0].peak), (1, 5, 4.0));
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BurstDetector<X> {
    rules: Rules,
    machine: Machine,
    level: SimdLevel,
    input: PhantomData<X>,
}

impl<X: Power> BurstDetector<X> {
    /// A detector for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `0 < off <= on`, both finite, and `min_length >= 1`.
    pub fn new(on: f32, off: f32, hang: u64, min_length: u64) -> Result<Self, ConfigError> {
        Self::with_level(on, off, hang, min_length, SimdLevel::best())
    }

    /// A detector for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `0 < off <= on`, both finite, and `min_length >= 1`.
    pub const fn with_level(
        on: f32,
        off: f32,
        hang: u64,
        min_length: u64,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        if !(on > 0.0 && on.is_finite()) {
            return Err(ConfigError { argument: "on", expected: "a finite power above 0" });
        }
        if !(off > 0.0 && off <= on) {
            return Err(ConfigError { argument: "off", expected: "a power above 0, at most `on`" });
        }
        if min_length == 0 {
            return Err(ConfigError { argument: "min_length", expected: "at least 1 sample" });
        }
        let rules = Rules { on, off, hang, min_length };
        Ok(Self { rules, machine: Machine::NEW, level, input: PhantomData })
    }
}

impl<X: Power> Snapshot for BurstDetector<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::BURST_DETECTOR, X::CODE, 0)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        let Rules { on, off, hang, min_length } = self.rules;
        hash.sample(on);
        hash.sample(off);
        hash.u64(hang);
        hash.u64(min_length);
    }
    fn payload_len(&self) -> usize {
        Machine::PAYLOAD
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.machine.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.machine.read(self.rules, from)
    }
}

impl<X: Power> Kernel for BurstDetector<X> {
    fn reset(&mut self) {
        self.machine = Machine::NEW;
    }
}

impl<X: Power> Detector for BurstDetector<X> {
    type Input = X;
    type Record = Burst;

    fn detect(&mut self, x: &[X], out: &mut [Burst]) -> Progress {
        X::scan(self.level, self.rules, &mut self.machine, x, out)
    }
    fn max_out(&self, n_in: usize) -> usize {
        self.machine.max_out(self.rules, n_in)
    }
    fn flush(&mut self, out: &mut [Burst]) -> Progress {
        Progress { consumed: 0, produced: self.machine.flush(self.rules, out) }
    }
    fn max_flush(&self) -> usize {
        self.machine.max_flush(self.rules)
    }
}
