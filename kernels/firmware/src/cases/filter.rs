//! Averages, blockers and delays.

use super::{N, blockwise};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::delay::FixedDelayLine;
use passband_kernels::filter::{DcBlocker, FixedMovingAverage};
use passband_kernels::shape::Windowed;

pub(super) fn run(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    real: &[f32; N],
    complex: &[Complex<f32>; N],
) -> Result {
    let mut y = [0.0; N];
    let mut average = FixedMovingAverage::<f32, 50>::fixed();
    blockwise(report, "moving_average", &mut average, real, &mut y)?;
    report.floats(y)?;

    if let Ok(mut blocker) = DcBlocker::new(black_box(0.99)) {
        blockwise(report, "dc_blocker", &mut blocker, real, &mut y)?;
        report.floats(y)?;
    }

    let mut out = [Complex::ZERO; N];
    let mut line = FixedDelayLine::<Complex<f32>, 9>::fixed();
    blockwise(report, "delay_line", &mut line, complex, &mut out)?;
    report.complex(&out)?;
    report.complex(line.window())
}
