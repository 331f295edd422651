//! Levels.

use super::SCALAR;
use crate::inputs::{complex, q15, real};
use crate::report::Report;
use crate::shapes::{N, made};
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::level::{Level, LevelMeter, Metered, PowerAverager};
use passband_kernels::sample::Q15;

pub(super) fn run(report: &mut Report) -> Result {
    level_meter(report)?;
    power_averager(report)?;
    Ok(())
}

fn level_meter(report: &mut Report) -> Result {
    measure(report, "level.LevelMeter float32", 32767.0, real())?;
    measure(report, "level.LevelMeter complex64", 32767.0, complex())?;
    measure(report, "level.LevelMeter q15", Q15(30_000), q15())?;
    measure(report, "level.LevelMeter cq15", Q15(30_000), q15().map(|code| Complex::new(code, Q15(0))))
}

fn measure<X: Metered>(report: &mut Report, name: &str, full_scale: X::Component, x: [X; N]) -> Result {
    let mut meter = made(LevelMeter::with_level(black_box(full_scale), SCALAR))?;
    report.measure(name, &mut meter, &x, |level: Level| {
        [level.rms, level.peak, level.crest, level.clip_count as f64]
    })
}

fn power_averager(report: &mut Report) -> Result {
    report.sink("level.PowerAverager float32", &mut PowerAverager::with_level(SCALAR), &real())?;
    report.sink("level.PowerAverager complex64", &mut PowerAverager::with_level(SCALAR), &complex())
}
