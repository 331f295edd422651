//! Levels.

use super::{N, SCALAR, signal, some};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::level::{Level, LevelMeter, Metered, PowerAverager};
use passband_kernels::sample::Q15;
use passband_kernels::shape::{Measure, Sink};

pub(super) fn run(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    complex: &[Complex<f32>; N],
) -> Result {
    let mut power = PowerAverager::with_level(SCALAR);
    report.case("power_averager", N, || power.push(some(complex)))?;
    report.doubles([power.value()])?;
    measure(report, "level_f32", 32767.0, complex)?;
    measure(report, "level_q15", Q15(30_000), &signal(Q15))
}

fn measure<X: Metered>(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    name: &str,
    full_scale: X::Component,
    x: &[X],
) -> Result {
    let Ok(mut meter) = LevelMeter::with_level(black_box(full_scale), SCALAR) else { return Ok(()) };
    let mut level = Level::default();
    report.case(name, x.len(), || level = meter.measure(some(x)))?;
    report.doubles([level.rms, level.peak, level.crest])?;
    report.integers([level.clip_count as i32])
}
