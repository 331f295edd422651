//! Peaks and pulses.

use super::{N, SCALAR, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::detect::{Peak, PeakConditions, Pulse, PulseSlicer, find_peaks_with, max_peaks};
use passband_kernels::shape::Detector;

pub(super) fn run(report: &mut Report<impl Write, impl FnMut() -> u32>, real: &[f32; N]) -> Result {
    let (on, off, min_length) = black_box((1e4, -1e4, 2));
    if let Ok(mut slicer) = PulseSlicer::with_level(on, off, min_length, SCALAR) {
        let (mut out, mut found) = ([Pulse::default(); N / 2], 0);
        report.case("pulse_slicer", N, || {
            found = slicer.detect(some(real), some_mut(&mut out)).produced;
            found += slicer.flush(out.get_mut(found..).unwrap_or_default()).produced;
        })?;
        let fields = |pulse: &Pulse| [pulse.start, pulse.width, pulse.gap].map(|field| field as i32);
        report.integers(out.iter().take(found).flat_map(fields))?;
    }

    let (lowest, infinite) = black_box((2e4, f64::INFINITY));
    let conditions = PeakConditions::new().prominence(lowest, infinite);
    if let Ok(conditions) = conditions.distance(black_box(5)).and_then(|all| all.wlen(black_box(200))) {
        let (mut out, mut found) = ([Peak::default(); max_peaks(N)], 0);
        report.case("find_peaks", N, || {
            found = find_peaks_with(SCALAR, some(real), &conditions, some_mut(&mut out));
        })?;
        for peak in out.iter().take(found) {
            report.integers([peak.index as i32])?;
            report.doubles([peak.height, peak.prominence, peak.width])?;
        }
    }
    Ok(())
}
