//! Filters.

mod fir;
mod sos;

use super::{SCALAR, config};
use crate::inputs::{complex, q15, real};
use crate::report::Report;
use crate::shapes::made;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::filter::{
    Allpass, DcBlocker, Deemphasis, FixedFftFir, FixedHilbert, FixedLms, FixedMovingAverage,
    FixedMovingMedian, FixedNlms, OnePole, Pid, PidConfig,
};
use passband_kernels::sample::Q15;

pub(super) fn run(report: &mut Report) -> Result {
    allpass(report)?;
    dc_blocker(report)?;
    deemphasis(report)?;
    fft_fir(report)?;
    fir::run(report)?;
    hilbert(report)?;
    lms(report)?;
    moving_average(report)?;
    moving_median(report)?;
    nlms(report)?;
    one_pole(report)?;
    pid(report)?;
    sos::run(report)?;
    Ok(())
}

fn allpass(report: &mut Report) -> Result {
    let (a1, a2) = black_box((-1.2, 0.81));
    let mut allpass = made(Allpass::second_order(a1, a2))?;
    report.blockwise("filter.Allpass float32, second order", &mut allpass, &real())?;
    report.in_place("filter.Allpass float32, in place", &mut allpass, &real())?;
    report.numbers([allpass.group_delay(black_box(0.1))])?;
    let mut allpass = made(Allpass::first_order(black_box(0.5)))?;
    report.blockwise("filter.Allpass complex64, first order", &mut allpass, &complex())
}

fn dc_blocker(report: &mut Report) -> Result {
    let mut blocker = made(DcBlocker::new(black_box(0.99)))?;
    report.blockwise("filter.DcBlocker float32", &mut blocker, &real())?;
    report.in_place("filter.DcBlocker float32, in place", &mut blocker, &real())?;
    let mut blocker = made(DcBlocker::new(black_box(0.99)))?;
    report.blockwise("filter.DcBlocker complex64", &mut blocker, &complex())
}

fn deemphasis(report: &mut Report) -> Result {
    let mut deemphasis = made(Deemphasis::new(black_box(3.6)))?;
    report.blockwise("filter.Deemphasis float32", &mut deemphasis, &real())?;
    report.in_place("filter.Deemphasis float32, in place", &mut deemphasis, &real())?;
    let mut deemphasis = made(Deemphasis::new(black_box(3.6)))?;
    report.blockwise("filter.Deemphasis complex64", &mut deemphasis, &complex())
}

fn fft_fir(report: &mut Report) -> Result {
    let taps = black_box([0.0625; 15]);
    let mut fir = made(FixedFftFir::<f32, f32, 15, 64>::with_level(taps, SCALAR))?;
    report.buffered("filter.FftFir float32, 15 taps", &mut fir, &real())?;
    let mut fir = made(FixedFftFir::<Complex<f32>, f32, 15, 64>::with_level(taps, SCALAR))?;
    report.buffered("filter.FftFir complex64, 15 taps", &mut fir, &complex())
}

fn hilbert(report: &mut Report) -> Result {
    let mut hilbert = made(FixedHilbert::<f32, 8, 31>::with_level(black_box(6.0), SCALAR))?;
    report.blockwise("filter.Hilbert float32, 31 taps", &mut hilbert, &real())
}

/// Adaptive filters predict each sample from those before.
fn lms(report: &mut Report) -> Result {
    let (x, z, codes) = (real(), complex(), q15());
    let mut lms = made(FixedLms::<f32, 16>::with_level(black_box(1e-11), SCALAR))?;
    report.two_input("filter.Lms float32, 16 taps", &mut lms, &x, later(&x))?;
    let mut lms = made(FixedLms::<Complex<f32>, 16>::with_level(black_box(1e-11), SCALAR))?;
    report.two_input("filter.Lms complex64, 16 taps", &mut lms, &z, later(&z))?;
    let mut lms = made(FixedLms::<Q15, 16>::with_level(black_box(0.01), SCALAR))?;
    report.two_input("filter.Lms q15, 16 taps", &mut lms, &codes, later(&codes))
}

fn moving_average(report: &mut Report) -> Result {
    let mut average = FixedMovingAverage::<f32, 50>::fixed();
    report.blockwise("filter.MovingAverage float32, 50 samples", &mut average, &real())?;
    report.in_place("filter.MovingAverage float32, in place", &mut average, &real())?;
    let mut average = FixedMovingAverage::<Complex<f32>, 50>::fixed();
    report.blockwise("filter.MovingAverage complex64, 50 samples", &mut average, &complex())
}

fn moving_median(report: &mut Report) -> Result {
    let mut median = FixedMovingMedian::<f32, 9>::fixed();
    report.blockwise("filter.MovingMedian float32, 9 samples", &mut median, &real())?;
    report.in_place("filter.MovingMedian float32, in place", &mut median, &real())
}

fn nlms(report: &mut Report) -> Result {
    let (x, z, codes) = (real(), complex(), q15());
    let (step_size, regularization) = black_box((0.5, 1e6));
    let mut nlms = made(FixedNlms::<f32, 16>::with_level(step_size, regularization, SCALAR))?;
    report.two_input("filter.Nlms float32, 16 taps", &mut nlms, &x, later(&x))?;
    nlms.taps().try_for_each(|tap| report.samples(&[tap]))?;
    let mut nlms = made(FixedNlms::<Complex<f32>, 16>::with_level(step_size, regularization, SCALAR))?;
    report.two_input("filter.Nlms complex64, 16 taps", &mut nlms, &z, later(&z))?;
    let mut nlms = made(FixedNlms::<Q15, 16>::with_level(step_size, black_box(1e-3), SCALAR))?;
    report.two_input("filter.Nlms q15, 16 taps", &mut nlms, &codes, later(&codes))
}

fn later<T>(x: &[T]) -> &[T] {
    x.get(1..).unwrap_or_default()
}

fn one_pole(report: &mut Report) -> Result {
    let mut smooth = made(OnePole::new(black_box(0.1)))?;
    report.blockwise("filter.OnePole float32", &mut smooth, &real())?;
    report.in_place("filter.OnePole float32, in place", &mut smooth, &real())?;
    let mut smooth = made(OnePole::new(black_box(0.1)))?;
    report.blockwise("filter.OnePole complex64", &mut smooth, &complex())
}

fn pid(report: &mut Report) -> Result {
    let config = PidConfig { kp: 0.5, ki: 0.1, kd: 0.2, derivative_time: 2.0, low: -2e4, high: 2e4 };
    let mut pid = made(Pid::new(black_box(config)))?;
    report.blockwise("filter.Pid float32", &mut pid, &real())?;
    report.in_place("filter.Pid float32, in place", &mut pid, &real())
}
