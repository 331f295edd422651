//! Delays.

use super::SCALAR;
use crate::inputs::{complex, q15, real};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::delay::{Between, FixedDelayLine, FixedFractionalDelay};
use passband_kernels::resample::Stopband;
use passband_kernels::sample::Q15;
use passband_kernels::scratch::State;
use passband_kernels::shape::Windowed;

/// A cubic, and room for delays of up to 7 samples.
type Late = FixedFractionalDelay<f32, 4, 9, 32>;
/// A sine cardinal of 48 taps, and room for delays of up to 32 samples.
type Later = FixedFractionalDelay<Complex<f32>, 48, 56>;

pub(super) fn run(report: &mut Report) -> Result {
    delay_line(report)?;
    fractional_delay(report)?;
    Ok(())
}

fn delay_line(report: &mut Report) -> Result {
    let mut line = FixedDelayLine::<Complex<f32>, 9>::fixed();
    report.blockwise("delay.DelayLine complex64, 9 samples", &mut line, &complex())?;
    report.samples(line.window())?;
    let mut line = FixedDelayLine::<Q15, 9>::fixed();
    report.blockwise("delay.DelayLine q15, 9 samples", &mut line, &q15())
}

fn fractional_delay(report: &mut Report) -> Result {
    let (delay, cubic) = black_box((3.7, Between::Lagrange(3)));
    let mut late = made(Late::over([0.0; 4], made(State::new(9))?, delay, cubic, SCALAR))?;
    report.blockwise("delay.FractionalDelay float32, order 3", &mut late, &real())?;
    report.case("delay.FractionalDelay float32, set_delay", 1, || {
        let _ = late.set_delay(black_box(2.25));
    })?;
    report.numbers([late.delay()])?;

    let (delay, cardinal) = black_box((30.5, Between::Cardinal(Stopband::Db60)));
    let mut later = made(Later::over([0.0; 48], made(State::new(56))?, delay, cardinal, SCALAR))?;
    report.blockwise("delay.FractionalDelay complex64, 60 dB", &mut later, &complex())
}
