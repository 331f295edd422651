//! Transforms.

#[cfg(not(target_os = "none"))]
use super::SCALAR;
use super::{N, config, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::shape::Batch;
use passband_kernels::transform::{FftConfig, FixedFft};

type Frame = [Complex<f32>; 64];
type Config = FftConfig<Frame>;
config!(FORWARD: Config = Config::fixed(false), Config::with_level([Complex::ZERO; 64], false, SCALAR));
config!(BACK: Config = Config::fixed(true), Config::with_level([Complex::ZERO; 64], true, SCALAR));

pub(super) fn run(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    complex: &[Complex<f32>; N],
) -> Result {
    for (name, config) in [("fft_64", &FORWARD), ("fft_64_inverse", &BACK)] {
        let mut fft = FixedFft::<f32, 64>::fixed(black_box(config));
        let mut out = [Complex::ZERO; N];
        report.case(name, N, || {
            fft.batch(some(complex), some_mut(&mut out));
        })?;
        report.complex(&out)?;
    }
    Ok(())
}
