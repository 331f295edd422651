//! Averages, medians, recursions, delays, fast convolution, and filters that follow an error.

use super::{N, SCALAR, blockwise, signal, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::delay::{Between, FixedDelayLine, FixedFractionalDelay};
use passband_kernels::filter::{
    Allpass, DcBlocker, Deemphasis, FixedFftFir, FixedHilbert, FixedLms, FixedMovingAverage,
    FixedMovingMedian, FixedNlms, OnePole, Pid, PidConfig,
};
use passband_kernels::sample::Q15;
use passband_kernels::scratch::State;
use passband_kernels::shape::{Buffered, TwoInput, VariableLength, Windowed};

/// A cubic, and room for delays of up to 7 samples.
type Late = FixedFractionalDelay<f32, 4, 9, 32>;

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

    let (delay, between) = (black_box(3.7), Between::Lagrange(3));
    if let Ok(mut late) = State::new(9).and_then(|line| Late::over([0.0; 4], line, delay, between, SCALAR)) {
        blockwise(report, "fractional_delay", &mut late, real, &mut y)?;
        report.floats(y)?;
    }

    if let Ok(mut fir) = FixedFftFir::<f32, f32, 15, 64>::with_level(black_box([0.0625; 15]), SCALAR) {
        report.case("fft_fir", N, || {
            let done = fir.execute(some(real), some_mut(&mut y)).produced;
            let _ = fir.flush(y.get_mut(done..).unwrap_or_default());
        })?;
        report.floats(y)?;
    }
    recursions(report, real)?;

    let mut median = FixedMovingMedian::<f32, 9>::fixed();
    blockwise(report, "moving_median", &mut median, real, &mut y)?;
    report.floats(y)?;
    if let Ok(mut hilbert) = FixedHilbert::<f32, 8, 31>::with_level(black_box(6.0), SCALAR) {
        blockwise(report, "hilbert", &mut hilbert, real, &mut out)?;
        report.complex(&out)?;
    }
    adaptive(report, real)
}

/// Prediction of each sample from those before.
fn adaptive(report: &mut Report<impl Write, impl FnMut() -> u32>, real: &[f32; N]) -> Result {
    let mut y = [0.0; N];
    if let Ok(mut lms) = FixedLms::<f32, 16>::with_level(black_box(1e-11), SCALAR) {
        let (past, present) = (some(real), some(real).get(1..).unwrap_or_default());
        report.case("lms", N - 1, || {
            lms.steps(past, present, some_mut(&mut y));
        })?;
        report.floats(y)?;
    }
    let (codes, mut y) = (signal(Q15), [Q15(0); N]);
    let (past, present) = (some(&codes), some(&codes).get(1..).unwrap_or_default());
    if let Ok(mut lms) = FixedLms::<Q15, 16>::with_level(black_box(0.01), SCALAR) {
        report.case("lms_q15", N - 1, || {
            lms.steps(past, present, some_mut(&mut y));
        })?;
        report.integers(y.map(|y| y.0.into()))?;
    }
    if let Ok(mut nlms) = FixedNlms::<Q15, 16>::with_level(black_box(0.5), black_box(1e-3), SCALAR) {
        report.case("nlms_q15", N - 1, || {
            nlms.steps(past, present, some_mut(&mut y));
        })?;
        report.integers(y.map(|y| y.0.into()))?;
    }
    Ok(())
}

/// Filters in which each output comes from the one before.
fn recursions(report: &mut Report<impl Write, impl FnMut() -> u32>, real: &[f32; N]) -> Result {
    let mut y = [0.0; N];
    if let Ok(mut smooth) = OnePole::new(black_box(0.1)) {
        blockwise(report, "one_pole", &mut smooth, real, &mut y)?;
        report.floats(y)?;
    }
    if let Ok(mut deemphasis) = Deemphasis::new(black_box(3.6)) {
        blockwise(report, "deemphasis", &mut deemphasis, real, &mut y)?;
        report.floats(y)?;
    }
    if let Ok(mut allpass) = Allpass::second_order(black_box(-1.2), black_box(0.81)) {
        blockwise(report, "allpass", &mut allpass, real, &mut y)?;
        report.floats(y)?;
    }
    let config = PidConfig { kp: 0.5, ki: 0.1, kd: 0.2, derivative_time: 2.0, low: -2e4, high: 2e4 };
    if let Ok(mut pid) = Pid::new(black_box(config)) {
        blockwise(report, "pid", &mut pid, real, &mut y)?;
        report.floats(y)?;
    }
    Ok(())
}
