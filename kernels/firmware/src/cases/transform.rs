//! Transforms.

#[cfg(not(target_os = "none"))]
use super::SCALAR;
use super::config;
use crate::inputs::complex;
use crate::report::Report;
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::transform::{FftConfig, FixedFft};

type Frame = [Complex<f32>; 64];
type Config = FftConfig<Frame>;
config!(FORWARD: Config = Config::fixed(false), Config::with_level([Complex::ZERO; 64], false, SCALAR));
config!(BACK: Config = Config::fixed(true), Config::with_level([Complex::ZERO; 64], true, SCALAR));

pub(super) fn run(report: &mut Report) -> Result {
    fft(report)?;
    Ok(())
}

fn fft(report: &mut Report) -> Result {
    let mut fft = FixedFft::<f32, 64>::fixed(black_box(&FORWARD));
    report.batch("transform.Fft complex64, 64 samples", &mut fft, &complex())?;
    let mut fft = FixedFft::<f32, 64>::fixed(black_box(&BACK));
    report.batch("transform.Fft complex64, 64 samples, inverse", &mut fft, &complex())
}
