//! Changes of rate.

use super::{CODES, FLOATS, N, QUIET, TAPS, config, execute, signal};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::Complex;
use passband_kernels::resample::{
    Ddc, Duc, Farrow, FirDecimatorConfig, FixedFirDecimator, FixedRationalResampler, RationalResamplerConfig,
};
use passband_kernels::sample::Q15;

type Config = RationalResamplerConfig<f32, [f32; TAPS]>;
config!(INTERPOLATOR: Config = match Config::fixed(FLOATS, 2, 1, 0) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Config::with_level(FLOATS, 2, 1, 0, super::SCALAR));
config!(RESAMPLER: Config = match Config::fixed(FLOATS, 3, 4, 1) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Config::with_level(FLOATS, 3, 4, 1, super::SCALAR));

type Decimator = FirDecimatorConfig<Q15, [Q15; TAPS]>;
config!(DECIMATOR: Decimator = match Decimator::fixed(CODES, 8, 3) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Decimator::with_level(CODES, 8, 3, super::SCALAR));
config!(QUIET_DECIMATOR: Decimator = match Decimator::fixed(QUIET, 8, 3) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Decimator::with_level(QUIET, 8, 3, super::SCALAR));

type Complexes = RationalResamplerConfig<Complex<f32>, [f32; TAPS]>;
config!(SMOOTH: Complexes = match Complexes::fixed(FLOATS, 2, 1, 0) {
    Ok(config) => config,
    Err(_) => panic!("the arguments make no sense"),
}, Complexes::with_level(FLOATS, 2, 1, 0, super::SCALAR));

pub(super) fn run(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    real: &[f32; N],
    complex: &[Complex<f32>; N],
) -> Result {
    for (name, config) in [("fir_interpolator", &INTERPOLATOR), ("rational_resampler", &RESAMPLER)] {
        let mut y = [0.0; 2 * N];
        if let Ok(mut kernel) = FixedRationalResampler::<f32, f32, TAPS, 32>::fixed(black_box(config)) {
            execute(report, name, &mut kernel, real, &mut y)?;
        }
        report.floats(y.into_iter().step_by(5))?;
    }
    for (name, config) in [("fir_decimator_q15", &DECIMATOR), ("fir_decimator_q15_quiet", &QUIET_DECIMATOR)] {
        let mut decimator = FixedFirDecimator::<Q15, Q15, TAPS>::fixed(black_box(config));
        let mut y = [Q15(0); N / 8];
        execute(report, name, &mut decimator, &signal(Q15), &mut y)?;
        report.integers(y.map(|y| y.0.into()))?;
    }
    let (ratio, order, phase) = black_box((0.9, 3, 2.0));
    if let Ok(mut farrow) = Farrow::<f32>::with_level(ratio, order, phase, super::SCALAR) {
        let mut y = [0.0; N];
        execute(report, "farrow", &mut farrow, real, &mut y)?;
        report.floats(y)?;
    }
    let (freq, phase) = black_box((0.123, 0.25));
    let decimator = FixedFirDecimator::<Complex<f32>, f32, TAPS>::fixed(black_box(&super::DECIMATOR));
    if let Ok(mut ddc) = Ddc::<f32, _>::with_level(freq, phase, decimator, super::SCALAR) {
        let mut y = [Complex::ZERO; N / 8];
        execute(report, "ddc", &mut ddc, real, &mut y)?;
        report.complex(&y)?;
    }
    let smooth = FixedRationalResampler::<Complex<f32>, f32, TAPS, 32>::fixed(black_box(&SMOOTH));
    if let Ok(mut duc) =
        smooth.and_then(|smooth| Duc::<f32, _>::with_level(freq, phase, smooth, super::SCALAR))
    {
        let mut y = [0.0; 2 * N];
        execute(report, "duc", &mut duc, complex, &mut y)?;
        report.floats(y.into_iter().step_by(5))?;
    }
    Ok(())
}
