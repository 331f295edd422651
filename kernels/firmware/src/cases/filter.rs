//! Averages, blockers, delays and fast convolution.

use super::{N, SCALAR, blockwise, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::delay::FixedDelayLine;
use passband_kernels::filter::{DcBlocker, FixedFftFir, FixedMovingAverage};
use passband_kernels::shape::{Buffered, VariableLength, Windowed};

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
    report.complex(line.window())?;

    if let Ok(mut fir) = FixedFftFir::<f32, f32, 15, 64>::with_level(black_box([0.0625; 15]), SCALAR) {
        report.case("fft_fir", N, || {
            let done = fir.execute(some(real), some_mut(&mut y)).produced;
            let _ = fir.flush(y.get_mut(done..).unwrap_or_default());
        })?;
        report.floats(y)?;
    }
    Ok(())
}
