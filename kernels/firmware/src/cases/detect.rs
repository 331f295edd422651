//! Bursts, pulses and peaks.

use super::SCALAR;
use crate::inputs::{complex, real};
use crate::report::Report;
use crate::shapes::{N, made, some, some_mut};
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::detect::{
    Burst, BurstDetector, Peak, PeakConditions, Pulse, PulseSlicer, find_peaks_with, max_peaks,
};

pub(super) fn run(report: &mut Report) -> Result {
    burst_detector(report)?;
    find_peaks(report)?;
    pulse_slicer(report)?;
    Ok(())
}

fn burst_detector(report: &mut Report) -> Result {
    let fields =
        |burst: &Burst| [burst.start as f64, burst.stop as f64, burst.peak.into(), burst.mean_power.into()];
    let (on, off, hang, min_length) = black_box((8e8, 2e8, 2, 3));
    let mut bursts = made(BurstDetector::<f32>::with_level(on, off, hang, min_length, SCALAR))?;
    report.detector("detect.BurstDetector float32", &mut bursts, &real(), fields)?;
    let mut bursts = made(BurstDetector::<Complex<f32>>::with_level(on, off, hang, min_length, SCALAR))?;
    report.detector("detect.BurstDetector complex64", &mut bursts, &complex(), fields)
}

fn find_peaks(report: &mut Report) -> Result {
    let (lowest, infinite) = black_box((2e4, f64::INFINITY));
    let conditions = PeakConditions::new().prominence(lowest, infinite);
    let conditions = made(conditions.distance(black_box(5)))?;
    let conditions = made(conditions.wlen(black_box(200)))?;
    let (x, mut out, mut found) = (real(), [Peak::default(); max_peaks(N)], 0);
    report.case("detect.find_peaks float32", N, || {
        found = find_peaks_with(SCALAR, some(&x), &conditions, some_mut(&mut out));
    })?;
    let fields = |peak: &Peak| [peak.index as f64, peak.height, peak.prominence, peak.width];
    report.numbers(out.iter().take(found).flat_map(fields))
}

fn pulse_slicer(report: &mut Report) -> Result {
    let (on, off, min_length) = black_box((1e4, -1e4, 2));
    let mut slicer = made(PulseSlicer::with_level(on, off, min_length, SCALAR))?;
    report.detector("detect.PulseSlicer float32", &mut slicer, &real(), |pulse: &Pulse| {
        [pulse.start, pulse.width, pulse.gap].map(|field| field as f64)
    })
}
