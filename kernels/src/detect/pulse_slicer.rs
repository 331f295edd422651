//! Pulses: where a real stream is high, as of on-off keying.

#[cfg(feature = "testing")]
mod cases;
mod slicer;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use crate::sample::Float;
use crate::shape::{ConfigError, Detector, Field, Kernel, Progress, Record};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use bytemuck::{Pod, Zeroable};
use core::mem::offset_of;
use slicer::{Rules, Scan, Slicer};

/// A pulse: samples `start..start + width` since the start of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Pulse {
    /// The first sample that is high.
    pub start: i64,
    /// How many samples it is high.
    pub width: i64,
    /// Samples between the end of the pulse reported before, or the start of the stream, and `start`.
    pub gap: i64,
}

impl Record for Pulse {
    const FIELDS: &'static [Field] = &[
        Field { name: "start", format: "i8", offset: offset_of!(Pulse, start) },
        Field { name: "width", format: "i8", offset: offset_of!(Pulse, width) },
        Field { name: "gap", format: "i8", offset: offset_of!(Pulse, gap) },
    ];
}

/// A slicer with hysteresis: the pulses of a real stream, with their widths and gaps.
///
/// The stream is low at first. It becomes high at a sample with `x >= on` and low at one with
/// `x < off`. A pulse is reported at the sample that ends it if it was high for at least
/// `min_length` samples. A shorter one counts as low, so that the gap of the next pulse runs from the
/// end of the last one reported, the dropped samples included: `gap` is always `start` less the
/// `start + width` of the record before. Thresholds have the unit of the samples, `f32` or `f64`.
///
/// * **Accuracy**: exact. The same records at every level and on every target.
/// * **NaN** leaves the stream high or low as it was. Infinity is a number like others.
/// * **Ends**: [`flush`](Detector::flush) reports a pulse that is still high; what comes then is a new
///   stream that starts at index 0, low.
/// * **Delay**: indices are those of the samples.
/// * **Cost**: a comparison per sample, some ten operations at an edge; no allocation.
///
/// ```
/// use passband_kernels::detect::{Pulse, PulseSlicer};
/// use passband_kernels::shape::{Detector, Progress};
///
/// let mut slicer = PulseSlicer::new(0.6f32, 0.4, 2)?;
/// let mut out = [Pulse::default(); 2];
/// let x = [0.0, 0.7, 0.5, 0.1, 0.9, 0.1, 0.8, 0.8, 0.8, 0.3];
/// assert_eq!(slicer.detect(&x, &mut out), Progress { consumed: 10, produced: 2 });
/// assert_eq!(out[0], Pulse { start: 1, width: 2, gap: 1 });
/// assert_eq!(out[1], Pulse { start: 6, width: 3, gap: 3 });
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PulseSlicer<X> {
    rules: Rules<X>,
    slicer: Slicer,
    level: SimdLevel,
}

impl<X: Float + PartialOrd> PulseSlicer<X> {
    /// A slicer for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] unless `off <= on`, both finite, and `min_length >= 1`.
    pub fn new(on: X, off: X, min_length: u64) -> Result<Self, ConfigError> {
        Self::with_level(on, off, min_length, SimdLevel::best())
    }

    /// A slicer for a level.
    ///
    /// # Errors
    /// [`ConfigError`] unless `off <= on`, both finite, and `min_length >= 1`.
    pub fn with_level(on: X, off: X, min_length: u64, level: SimdLevel) -> Result<Self, ConfigError> {
        let finite = |x: X| x.parts()[0].is_finite();
        if !finite(on) {
            return Err(ConfigError { argument: "on", expected: "a finite number" });
        }
        if !(finite(off) && off <= on) {
            return Err(ConfigError { argument: "off", expected: "a finite number, at most `on`" });
        }
        if min_length == 0 {
            return Err(ConfigError { argument: "min_length", expected: "at least 1 sample" });
        }
        Ok(Self { rules: Rules { on, off, min_length }, slicer: Slicer::NEW, level })
    }
}

impl<X: Float + PartialOrd> Snapshot for PulseSlicer<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::PULSE_SLICER, X::CODE, 0)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        let Rules { on, off, min_length } = self.rules;
        hash.sample(on);
        hash.sample(off);
        hash.u64(min_length);
    }
    fn payload_len(&self) -> usize {
        Slicer::PAYLOAD
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.slicer.write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.slicer.read(self.rules.min_length, from)
    }
}

impl<X: Float + PartialOrd> Kernel for PulseSlicer<X> {
    fn reset(&mut self) {
        self.slicer = Slicer::NEW;
    }
}

impl<X: Float + PartialOrd> Detector for PulseSlicer<X> {
    type Input = X;
    type Record = Pulse;

    fn detect(&mut self, x: &[X], out: &mut [Pulse]) -> Progress {
        self.level.run::<f32, _>(Scan { rules: self.rules, slicer: &mut self.slicer, x, out })
    }
    fn max_out(&self, n_in: usize) -> usize {
        self.slicer.max_out(self.rules.min_length, n_in)
    }
    fn flush(&mut self, out: &mut [Pulse]) -> Progress {
        Progress { consumed: 0, produced: self.slicer.flush(self.rules.min_length, out) }
    }
    fn max_flush(&self) -> usize {
        usize::from(self.slicer.last(self.rules.min_length).is_some())
    }
}
